import { Argument, type Command, Option } from 'commander'
import type { Environment } from '../domain/environment.ts'
import { runOnApp, withJson } from './answer.ts'
import { ofMerchant } from './merchant-policy.ts'
import type { PasskeyTools, Tools } from './tools.ts'

type Whose = { readonly merchant: string; readonly environment: Environment }
type Listed = Awaited<ReturnType<PasskeyTools['list']>>['passkeys'][number]

/** `passkey`: the approvals that this machine's signer accepts. */
export function addPasskeyCommands(program: Command, tools: Tools): void {
  const passkey = program
    .command('passkey')
    .description('passkeys whose approvals this machine’s signer accepts; run these on the signer’s machine')

  ofMerchant(withJson(passkey.command('list')))
    .description('list the passkeys that the signer trusts or was offered, with fingerprints to compare')
    .action((options: Whose, command: Command) =>
      runOnApp(
        tools,
        command,
        async (app) => {
          const { environment, merchant } = options
          const known = await tools.passkeys.list(app, tools.readSettings(), environment, merchant)
          return {
            path: known.path,
            passkeys_required: known.policy.approval === 'passkey',
            approvals_required: known.policy.approvalsRequired,
            passkeys: known.passkeys.map(shown),
          }
        },
        ({ passkeys }) => (passkeys.length === 0 ? 'No passkeys.' : passkeys.map(inWords).join('\n')),
      ),
    )

  named(passkey.command('trust'))
    .description('trust a passkey that the signer was offered')
    .action((fingerprint: string, { merchant, environment }: Whose, command: Command) =>
      runOnApp(
        tools,
        command,
        async (app) => {
          const wanted = { environment, merchantId: merchant, fingerprint }
          const from = await tools.passkeys.trust(app, tools.readSettings(), wanted)
          return { fingerprint, trusted: true, trusted_from: from.toISOString() }
        },
        ({ trusted_from }) =>
          isLater(trusted_from)
            ? `The signer accepts the signatures of ${fingerprint} from ${trusted_from} on. Until then, passkey forget undoes this.`
            : `The signer trusts ${fingerprint}.`,
      ),
    )

  named(passkey.command('forget'))
    .description('stop trusting a passkey')
    .action((fingerprint: string, { merchant, environment }: Whose, command: Command) =>
      runOnApp(
        tools,
        command,
        async () => {
          const wanted = { environment, merchantId: merchant, fingerprint }
          await tools.passkeys.forget(tools.readSettings(), wanted)
          return { fingerprint, trusted: false }
        },
        () =>
          `${fingerprint} is no longer trusted. The signer accepts no new passkey on first sight: see passkey trust.`,
      ),
    )

  ofMerchant(withJson(passkey.command('require')))
    .description('make the signer require passkeys, independently of the database')
    .addArgument(new Argument('<state>', 'on or off').choices(['on', 'off']))
    .addOption(
      new Option('--approvals <number>', 'the minimum number of approvers').choices(['1', '2']).default('1'),
    )
    .action((state: 'on' | 'off', options: Whose & { approvals: string }, command: Command) =>
      runOnApp(
        tools,
        command,
        async () => {
          const { environment, merchant: merchantId } = options
          const approval = state === 'on' ? ('passkey' as const) : ('any' as const)
          const approvalsRequired = Number(options.approvals)
          const wanted = { environment, merchantId, approval, approvalsRequired }
          const from = await tools.passkeys.require(tools.readSettings(), wanted)
          return {
            merchant_id: merchantId,
            environment,
            passkeys_required: state === 'on',
            weaker_from: from?.toISOString() ?? null,
          }
        },
        ({ passkeys_required, weaker_from }) =>
          [
            passkeys_required
              ? 'The signer requires passkeys.'
              : 'The signer no longer requires passkeys on its own. The merchant’s policy still may.',
            ...(weaker_from !== null && isLater(weaker_from)
              ? [`What this weakens counts from ${weaker_from} on.`]
              : []),
          ].join(' '),
      ),
    )
}

function named(command: Command): Command {
  return ofMerchant(withJson(command)).argument('<fingerprint>', 'as passkey list shows it')
}

function shown({ fingerprint, userId, email, trusted }: Listed) {
  return {
    fingerprint,
    user_id: userId,
    email,
    trusted: trusted?.how ?? null,
    trusted_at: trusted?.at.toISOString() ?? null,
    trusted_from: trusted?.from.toISOString() ?? null,
  }
}

function isLater(time: string): boolean {
  return new Date(time).getTime() > Date.now()
}

function inWords(each: ReturnType<typeof shown>): string {
  const how = { first_sight: 'trusted on first sight', vouched: 'vouched for', operator: 'trusted here' }
  const words = each.trusted === null ? 'NOT TRUSTED' : how[each.trusted]
  const from =
    each.trusted_from !== null && isLater(each.trusted_from) ? `, counts from ${each.trusted_from} on` : ''
  return `${each.fingerprint}  ${words}${from}  ${each.email ?? each.user_id}`
}
