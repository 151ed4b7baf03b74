import { type Command, InvalidArgumentError, Option } from 'commander'
import { createUser } from '../app/people/create-user.ts'
import { makePassword } from '../app/people/passwords.ts'
import { ServiceError } from '../domain/errors.ts'
import { type Role, roles } from '../domain/roles.ts'
import { actorFrom, withName } from './acting.ts'
import { runOnApp, withJson } from './answer.ts'
import { readId, readName } from './arguments.ts'
import type { Tools } from './tools.ts'

type Options = { merchant?: string; email: string; role?: Role; name?: string; operator?: true; as?: string }

const maxEmailLength = 254

export function addUserCommands(program: Command, tools: Tools): void {
  const user = program.command('user').description('people who work in the dashboard')

  withName(withJson(user.command('create')))
    .description('make a person and show the password, once')
    .requiredOption('--email <address>', 'what they sign in with', readEmail)
    .option('--merchant <id>', 'where they work', readId)
    .addOption(new Option('--role <role>', 'what they may do there').choices([...roles]))
    .option('--name <name>', 'what they are called (the e-mail address)', readName)
    .option('--operator', 'runs the service: sees gates, alerts and all merchants')
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
            throw new ServiceError('validation_error', 'Name both --merchant and --role, or neither.')
          if (merchant === null && !operator)
            throw new ServiceError('validation_error', 'Name --merchant and --role, or --operator.')
          const password = makePassword(app.random)
          const made = await createUser(app, actorFrom(options), {
            ...{
              email,
              password,
              name: options.name ?? email,
              merchantId: merchant,
              role,
              isOperator: operator,
            },
          })
          return { user_id: made.userId, email, password }
        },
        ({ email, password }) =>
          `${email} can sign in at /dashboard. The password is shown this once; change it there:\n${password}`,
      ),
    )
}

function readEmail(text: string): string {
  if (!/^[^\s@]+@[^\s@]+$/.test(text) || text.length > maxEmailLength)
    throw new InvalidArgumentError('It must be an e-mail address.')
  return text
}
