import { Argument, type Command, Option } from 'commander'
import type { Environment } from '../domain/environment.ts'
import { runOnApp, withJson } from './answer.ts'
import { ofMerchant } from './merchant-policy.ts'
import type { PasskeyTools, Tools } from './tools.ts'

type Whose = { readonly merchant: string; readonly environment: Environment }
type Listed = Awaited<ReturnType<PasskeyTools['list']>>['passkeys'][number]

/** `passkey`: whose approvals the signer of this machine believes. */
export function addPasskeyCommands(program: Command, tools: Tools): void {
  const passkey = program
    .command('passkey')
    .description('passkeys that the signer of this machine takes approvals from; run these where it runs')

  ofMerchant(withJson(passkey.command('list')))
    .description('list what the signer trusts, and what it was offered, with fingerprints to compare')
    .action((options: Whose, command: Command) =>
      runOnApp(
        tools,
        command,
        async (app) => {
          const { environment, merchant } = options
          const known = await tools.passkeys.list(app, tools.readSettings(), environment, merchant)
          return {
            path: known.path,
            passkeys_required: known.demand === null ? known.hasEver : known.demand.approval === 'passkey',
            approvals_required: known.demand?.approvalsRequired ?? null,
            passkeys: known.passkeys.map(shown),
          }
        },
        ({ passkeys }) => (passkeys.length === 0 ? 'No passkeys.' : passkeys.map(inWords).join('\n')),
      ),
    )

  named(passkey.command('trust'))
    .description('have the signer trust a passkey that it was offered; stop the signer first')
    .action((fingerprint: string, { merchant, environment }: Whose, command: Command) =>
      runOnApp(
        tools,
        command,
        async (app) => {
          const wanted = { environment, merchantId: merchant, fingerprint }
          await tools.passkeys.trust(app, tools.readSettings(), wanted)
          return { fingerprint, trusted: true }
        },
        () => `${fingerprint} is trusted from the signer's next start on.`,
      ),
    )

  named(passkey.command('forget'))
    .description('have the signer trust a passkey no longer; stop the signer first')
    .action((fingerprint: string, { merchant, environment }: Whose, command: Command) =>
      runOnApp(
        tools,
        command,
        async () => {
          const wanted = { environment, merchantId: merchant, fingerprint }
          await tools.passkeys.forget(tools.readSettings(), wanted)
          return { fingerprint, trusted: false }
        },
        () => `${fingerprint} is trusted no longer. No other one is taken on first sight: see passkey trust.`,
      ),
    )

  ofMerchant(withJson(passkey.command('require')))
    .description('whether the signer asks for passkeys, whatever the database says; stop the signer first')
    .addArgument(new Argument('<state>', 'on or off').choices(['on', 'off']))
    .addOption(
      new Option('--approvals <number>', 'how many people, at least').choices(['1', '2']).default('1'),
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
          await tools.passkeys.require(tools.readSettings(), wanted)
          return { merchant_id: merchantId, environment, passkeys_required: state === 'on' }
        },
        ({ passkeys_required }) =>
          passkeys_required
            ? 'The signer asks for passkeys from its next start on.'
            : 'The signer does not ask for passkeys by itself from its next start on; the merchant’s policy still may.',
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
  }
}

function inWords(each: ReturnType<typeof shown>): string {
  const how = { first_sight: 'trusted on first sight', vouched: 'vouched for', operator: 'trusted here' }
  return `${each.fingerprint}  ${each.trusted === null ? 'NOT TRUSTED' : how[each.trusted]}  ${each.email ?? each.user_id}`
}
