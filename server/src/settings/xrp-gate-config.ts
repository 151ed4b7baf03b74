import type { ConfirmationTier } from '../domain/confirmations.ts'
import { type Environment, environments } from '../domain/environment.ts'
import {
  type GateId,
  gateId,
  type Network,
  type XrpNetwork,
  xrpNetworks,
} from '../domain/networks/network.ts'
import { type TokenEntry, tokenSchema } from './listed-tokens.ts'
import { maxNodes, type RpcUrlEntry, rpcUrlProperties, urlProblems, urlsOf } from './rpc-urls.ts'

/** A gate on servers of the XRP Ledger, as the operator writes it in the configuration. */
export type XrpGateEntry = RpcUrlEntry & {
  readonly network: string
  readonly environment: Environment
  readonly kind: 'xrp'
  readonly network_id?: number
  /** There are none: what is validated is final. */
  readonly confirmations?: undefined
  readonly confirmation_tiers?: undefined
  readonly agreement?: number
  readonly pending?: boolean
  readonly poll_seconds?: number
  readonly tokens?: readonly TokenEntry[]
  readonly fee_floor?: number
  readonly fee_ceiling?: number
}

/** The same gate, checked and with defaults filled in. */
export type XrpGateConfig = {
  readonly kind: 'xrp'
  readonly id: GateId
  readonly network: string
  readonly environment: Environment
  /** They may hold passwords. A function, so that no log or serializer prints them. */
  readonly rpcUrls: () => readonly string[]
  /** The number of the network. */
  readonly networkId: number
  /** A payment in a validated ledger is final. */
  readonly confirmations: number
  readonly confirmationTiers: readonly ConfirmationTier[]
  readonly agreement: number
  /** Whether payments in the open ledger are shown as pending. */
  readonly showsPending: boolean
  /** The pause between two polls of the ledger. */
  readonly pollSeconds: number
  /** The issued currencies that it carries besides XRP. */
  readonly tokens: readonly TokenEntry[]
  /** The least and most that a transaction may cost, in drops. */
  readonly fees: { readonly floor: bigint; readonly ceiling: bigint }
}

// A gate counts as offline when its chain was not polled for 45 seconds.
const maxPollSeconds = 20
// A ledger is validated every four seconds.
const defaultPollSeconds = 2
// The example of a URL: rippled's port for its JSON-RPC.
const usualPort = 5005
const contractPattern = '^([A-Za-z0-9?!@#$%^&*<>(){}|\\[\\]]{3}|[0-9A-F]{40})[.]r[1-9A-HJ-NP-Za-km-z]{24,34}$'
// The ledger keeps 16 digits of an amount.
const maxDecimals = 9
const maxNetworkId = 2 ** 32 - 1
const highestFee = 5_000_000
const fee = { type: 'integer', minimum: 10, maximum: highestFee }
// A hundred times what a busy ledger usually asks for; a hundredth of an XRP.
const defaultFees = { floor: 10, ceiling: 10_000 }

/** The JSON Schema of such a gate. */
export const xrpGateSchema = {
  type: 'object',
  additionalProperties: false,
  properties: {
    network: { type: 'string' },
    environment: { enum: environments },
    kind: { const: 'xrp' },
    ...rpcUrlProperties,
    network_id: { type: 'integer', minimum: 0, maximum: maxNetworkId },
    agreement: { type: 'integer', minimum: 1, maximum: maxNodes },
    pending: { type: 'boolean' },
    poll_seconds: { type: 'integer', minimum: 1, maximum: maxPollSeconds },
    tokens: { type: 'array', maxItems: 50, items: tokenSchema(contractPattern) },
    fee_floor: fee,
    fee_ceiling: fee,
  },
} as const

/** The problems of a gate that matches the schema, each as `"/<place> <what is wrong>"`. Never shows a password. */
export function* xrpGateProblems(networks: readonly Network[], entry: XrpGateEntry): Iterable<string> {
  const { network: id, environment } = entry
  const known = xrpNetworks(networks)
  const network = known.find((each) => each.id === id)
  if (network === undefined)
    yield `/network must be a network of kind xrp: ${known.map((each) => each.id).join(', ')}`
  else {
    const found = networkIdOf(network, entry)
    const main = network.live.networkId
    if (environment === 'live' && found !== main)
      yield `/network_id must be ${main} in the live environment: funds on other networks are worthless`
    else if (environment === 'test' && found === main)
      yield `/network_id must not be ${main} in the test environment: tests would pay out real money`
  }
  for (const [place, { decimals }] of (entry.tokens ?? []).entries())
    if (decimals > maxDecimals)
      yield `/tokens/${place}/decimals must be at most ${maxDecimals}: the ledger keeps 16 digits of an amount`
  const { floor, ceiling } = feesOf(entry)
  if (floor > ceiling) yield `/fee_floor must not be above fee_ceiling, which is ${ceiling}`
  yield* urlProblems(entry, usualPort)
}

/**
 * The complete configuration of a gate that has no problems. `depth` is the number of confirmations for gates of this network, for
 * operators who want more than one.
 */
export function readXrpGate(
  networks: readonly Network[],
  entry: XrpGateEntry,
  depth: number | undefined,
): XrpGateConfig {
  const { environment } = entry
  const network = xrpNetworks(networks).find(({ id }) => id === entry.network)
  if (network === undefined) throw new Error(`${entry.network} is not a network of the XRP Ledger.`)
  const { floor, ceiling } = feesOf(entry)
  return {
    kind: 'xrp',
    id: gateId(network.id, environment),
    network: network.id,
    environment,
    rpcUrls: () => urlsOf(entry),
    networkId: networkIdOf(network, entry),
    confirmations: depth ?? 1,
    confirmationTiers: [],
    agreement: entry.agreement ?? 1,
    showsPending: entry.pending ?? true,
    pollSeconds: entry.poll_seconds ?? defaultPollSeconds,
    tokens: entry.tokens ?? [],
    fees: { floor: BigInt(floor), ceiling: BigInt(ceiling) },
  }
}

function networkIdOf(network: XrpNetwork, { environment, network_id }: XrpGateEntry): number {
  return network_id ?? network[environment].networkId
}

function feesOf({ fee_floor, fee_ceiling }: XrpGateEntry): typeof defaultFees {
  return { floor: fee_floor ?? defaultFees.floor, ceiling: fee_ceiling ?? defaultFees.ceiling }
}
