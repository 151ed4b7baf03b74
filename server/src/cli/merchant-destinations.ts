import type { Command } from 'commander'
import type { App } from '../app/app.ts'
import type { Environment } from '../domain/environment.ts'
import { ServiceError } from '../domain/errors.ts'
import { gateId } from '../domain/networks.ts'
import type { PayoutDestination } from '../store/payout-policies.ts'
import { runOnApp, withJson } from './answer.ts'
import { knownMerchant, ofMerchant } from './merchant-policy.ts'
import type { Tools } from './tools.ts'

type Whose = { readonly merchant: string; readonly environment: Environment }
type Named = Whose & {
  readonly network: string
  readonly address: string
  readonly tag?: string
  readonly label?: string
}

export function addDestinationCommands(merchant: Command, tools: Tools): void {
  const destination = merchant
    .command('destination')
    .description('where a merchant that pays known destinations only may pay to')

  named(ofMerchant(withJson(destination.command('add'))))
    .description('let a merchant pay to an address')
    .option('--label <text>', 'whose address it is')
    .action((options: Named, command: Command) =>
      runOnApp(
        tools,
        command,
        async (app) => {
          const { owner, place } = await read(app, options)
          await app.store.payoutPolicies.addDestination(owner, { ...place, label: options.label ?? null })
          return place
        },
        (place) => `Payouts may go to ${inWords(place)}.`,
      ),
    )

  named(ofMerchant(withJson(destination.command('remove'))))
    .description('no longer let a merchant pay to an address')
    .action((options: Named, command: Command) =>
      runOnApp(
        tools,
        command,
        async (app) => {
          const { owner, place } = await read(app, options)
          if (!(await app.store.payoutPolicies.removeDestination(owner, place)))
            throw new ServiceError('not_found', `${inWords(place)} was no known destination.`)
          return place
        },
        (place) => `Payouts may not go to ${inWords(place)} any more.`,
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
            : destinations.map((each) => [inWords(each), each.label ?? ''].join('  ').trimEnd()).join('\n'),
      ),
    )
}

function named(command: Command): Command {
  return command
    .requiredOption('--network <name>', 'the network, such as bitcoin')
    .requiredOption('--address <address>', 'the address')
    .option('--tag <tag>', 'the tag, on networks that have one')
}

/** The destination in the form in which payouts have it: only then are the two the same. */
async function read(app: App, { merchant, environment, network, address, tag }: Named) {
  await knownMerchant(app, merchant)
  const gate = app.gates.find(gateId(network.toLowerCase(), environment))
  if (gate === null)
    throw new ServiceError(
      'not_found',
      `There is no gate ${gateId(network, environment)}. See: npx sluice gate list`,
    )
  const destination = gate.parseDestination(address, tag ?? null)
  if (destination === null)
    throw new ServiceError('validation_error', `That is no address with its tag on ${gate.network.name}.`)
  return {
    owner: { merchantId: merchant, environment },
    place: { network: gate.network.id, ...destination },
  }
}

function inWords({ network, address, tag }: Pick<PayoutDestination, 'network' | 'address' | 'tag'>): string {
  return `${address}${tag === null ? '' : ` tag ${tag}`} on ${network}`
}
