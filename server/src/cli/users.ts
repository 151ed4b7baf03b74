import { type Command, InvalidArgumentError, Option } from 'commander'
import { createUser } from '../app/people/create-user.ts'
import { disableUser } from '../app/people/disable-user.ts'
import { makePassword } from '../app/people/passwords.ts'
import { makeResetLink } from '../app/people/reset-password.ts'
import { makeInvitationLink } from '../app/team/invite-member.ts'
import { ServiceError } from '../domain/errors.ts'
import { type Role, roles } from '../domain/roles.ts'
import { actorFrom, withName } from './acting.ts'
import { runOnApp, withJson } from './answer.ts'
import { readId, readName } from './arguments.ts'
import type { Tools } from './tools.ts'

type Options = { merchant?: string; email: string; role?: Role; name?: string; operator?: true; as?: string }

const maxEmailLength = 254
const maxListed = 1_000

export function addUserCommands(program: Command, tools: Tools): void {
  const user = program.command('user').description('users of the dashboard')

  withName(withJson(user.command('create')))
    .description('create a user and show the password once')
    .requiredOption('--email <address>', 'the email address they sign in with', readEmail)
    .option('--merchant <id>', 'the merchant they work for', readId)
    .addOption(new Option('--role <role>', 'their role there').choices([...roles]))
    .option('--name <name>', 'their name (default: the email address)', readName)
    .option('--operator', 'an operator of the service: sees gates, alerts and all merchants')
    .addHelpText(
      'after',
      '\nExample:\n  $ npx sluice user create --merchant ID --email ann@example.com --role owner',
    )
    .action((options: Options, command: Command) =>
      runOnApp(
        tools,
        command,
        async (app) => {
          const { email, merchant = null, role = null, operator = false } = options
          if ((merchant === null) !== (role === null))
            throw new ServiceError('validation_error', 'Give both --merchant and --role, or neither.')
          if (merchant === null && !operator)
            throw new ServiceError('validation_error', 'Give --merchant and --role, or --operator.')
          const password = makePassword(app.random)
          const made = await createUser(app, actorFrom(options), {
            email,
            password,
            name: options.name ?? email,
            merchantId: merchant,
            role,
            isOperator: operator,
          })
          return { user_id: made.userId, email, password }
        },
        ({ email, password }) =>
          `${email} can sign in at /dashboard. The password is shown only once. Change it there:\n${password}`,
      ),
    )

  withName(withJson(user.command('invite')))
    .description('invite a person to a merchant and print the link; no email is sent')
    .requiredOption('--merchant <id>', 'the merchant they will work for', readId)
    .requiredOption('--email <address>', 'the email address they sign in with', readEmail)
    .addOption(new Option('--role <role>', 'their role there').choices([...roles]).makeOptionMandatory())
    .action((options: Required<Pick<Options, 'merchant' | 'email' | 'role'>> & Options, command: Command) =>
      runOnApp(
        tools,
        command,
        async (app) => {
          const { merchant: merchantId, email, role } = options
          const request = { merchantId, email, role, appointer: null }
          const { link, expiresAt } = await makeInvitationLink(app, actorFrom(options), request)
          return { email, link, expires_at: expiresAt.toISOString() }
        },
        ({ email, link }) => `Give this link only to ${email}. It works once, within seven days:\n${link}`,
      ),
    )

  withName(withJson(user.command('reset')))
    .description('print a link for setting a new password')
    .requiredOption('--email <address>', 'the email address they sign in with', readEmail)
    .option('--remove-second-factors', 'also remove all their second factors, and end their sessions')
    .action((options: { email: string; removeSecondFactors?: true; as?: string }, command: Command) =>
      runOnApp(
        tools,
        command,
        async (app) => {
          const { email, removeSecondFactors: dropFactors = false } = options
          return { email, ...(await makeResetLink(app, actorFrom(options), email, { dropFactors })) }
        },
        ({ email, link }) => `Give this link only to ${email}. It works once, within one hour:\n${link}`,
      ),
    )

  withJson(user.command('list'))
    .description(`list users, at most ${maxListed}`)
    .action((_options: object, command: Command) =>
      runOnApp(
        tools,
        command,
        async (app) => ({
          users: (await app.store.users.list(maxListed)).map((each) => ({
            user_id: each.id,
            email: each.email,
            name: each.name,
            is_operator: each.isOperator,
            second_factors: each.secondFactors,
            disabled_at: each.disabledAt?.toISOString() ?? null,
            memberships: each.memberships.map(({ merchantId, merchantName, role }) => ({
              merchant_id: merchantId,
              merchant_name: merchantName,
              role,
            })),
          })),
        }),
        ({ users }) =>
          users.length === 0
            ? 'No users yet. Create one: npx sluice user create --help'
            : users
                .map(({ email, is_operator, second_factors, disabled_at, memberships }) =>
                  [
                    email,
                    ...(disabled_at === null ? [] : ['disabled']),
                    ...(is_operator ? ['operator'] : []),
                    ...memberships.map(({ merchant_name, role }) => `${role} of ${merchant_name}`),
                    second_factors.length === 0 ? 'no second factor' : second_factors.join(' and '),
                  ].join(', '),
                )
                .join('\n'),
      ),
    )

  for (const isDisabled of [true, false])
    withName(withJson(user.command(isDisabled ? 'disable' : 'enable')))
      .description(isDisabled ? 'disable a user at once' : 'enable a user again')
      .requiredOption('--email <address>', 'the email address they sign in with', readEmail)
      .action((options: { email: string; as?: string }, command: Command) =>
        runOnApp(
          tools,
          command,
          async (app) => {
            const { email } = options
            const ended = await disableUser(app, actorFrom(options), { email, isDisabled })
            return { email, is_disabled: isDisabled, sessions_ended: ended }
          },
          ({ email, sessions_ended }) =>
            isDisabled
              ? `${email} is disabled; sessions ended: ${sessions_ended}.`
              : `${email} can sign in again.`,
        ),
      )
}

function readEmail(text: string): string {
  if (!/^[^\s@]+@[^\s@]+$/.test(text) || text.length > maxEmailLength)
    throw new InvalidArgumentError('It must be an email address.')
  return text
}
