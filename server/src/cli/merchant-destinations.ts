import type { Command } from 'commander'
import type { App } from '../app/app.ts'
import { addDestination } from '../app/payouts/add-destination.ts'
import { placeInWords } from '../app/payouts/read-destination.ts'
import { removeDestination } from '../app/payouts/remove-destination.ts'
import type { Environment } from '../domain/environment.ts'
import { actorFrom, withName } from './acting.ts'
import { runOnApp, withJson } from './answer.ts'
import { knownMerchant, ofMerchant, pendingInWords, pendingView } from './merchant-policy.ts'
import type { Tools } from './tools.ts'

type Whose = { readonly merchant: string; readonly environment: Environment }
type Named = Whose & {
  readonly network: string
  readonly address: string
  readonly tag?: string | null
  readonly label?: string
  readonly allowProgramAddress?: boolean
  readonly as?: string
}

export function addDestinationCommands(merchant: Command, tools: Tools): void {
  const destination = merchant
    .command('destination')
    .description('known destinations, for a merchant whose policy allows only those')

  withPlace(withName(ofMerchant(withJson(destination.command('add')))))
    .description('allow payouts to an address')
    .option('--label <text>', 'who owns the address')
    .option(
      '--allow-program-address',
      'allow an address that a program controls, such as a multisig wallet’s',
    )
    .action((options: Named, command: Command) =>
      runOnApp(
        tools,
        command,
        async (app) => {
          const { owner, place } = await named(app, options)
          const { label = null, allowProgramAddress: programAddress = false } = options
          const added = await addDestination(app, actorFrom(options), owner, place, label, { programAddress })
          const pending = added.change === null ? null : pendingView(added.change)
          return { ...added.place, pending_change: pending }
        },
        ({ pending_change: pending, ...place }) =>
          pending === null
            ? `Payouts to ${placeInWords(place)} are allowed.`
            : `Payouts to ${placeInWords(place)}: ${pendingInWords(pending)}`,
      ),
    )

  withPlace(withName(ofMerchant(withJson(destination.command('remove')))))
    .description('no longer allow payouts to an address')
    .action((options: Named, command: Command) =>
      runOnApp(
        tools,
        command,
        async (app) => {
          const { owner, place } = await named(app, options)
          return removeDestination(app, actorFrom(options), owner, place)
        },
        (place) => `Payouts to ${placeInWords(place)} are no longer allowed.`,
      ),
    )

  ofMerchant(withJson(destination.command('list')))
    .description('list the known destinations of a merchant')
    .action((options: Whose, command: Command) =>
      runOnApp(
        tools,
        command,
        async (app) => {
          await knownMerchant(app, options.merchant)
          const owner = { merchantId: options.merchant, environment: options.environment }
          const known = await app.store.payoutPolicies.destinations(owner)
          return {
            destinations: known.map(({ createdAt, ...each }) => ({
              ...each,
              created_at: createdAt.toISOString(),
            })),
          }
        },
        ({ destinations }) =>
          destinations.length === 0
            ? 'No known destinations.'
            : destinations
                .map((each) => [placeInWords(each), each.label ?? ''].join('  ').trimEnd())
                .join('\n'),
      ),
    )
}

function withPlace(command: Command): Command {
  return command
    .requiredOption('--network <name>', 'the network, such as bitcoin')
    .requiredOption('--address <address>', 'the address')
    .option('--tag <tag>', 'the tag, on networks that have one')
}

async function named(app: App, { merchant, environment, network, address, tag = null }: Named) {
  await knownMerchant(app, merchant)
  return { owner: { merchantId: merchant, environment }, place: { network, address, tag } }
}
