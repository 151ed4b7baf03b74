import type { ConfirmationTier } from '../domain/confirmations.ts'
import { type Environment, environments } from '../domain/environment.ts'
import { parseDecimal } from '../domain/money.ts'
import {
  type EvmNetwork,
  evmNetworks,
  type GateId,
  gateId,
  type Network,
} from '../domain/networks/network.ts'
import { type TokenEntry, tokenSchema } from './listed-tokens.ts'
import { maxNodes, type RpcUrlEntry, rpcUrlProperties, urlProblems, urlsOf } from './rpc-urls.ts'
import { readTiers, type TierEntry, tiersSchema } from './tier-config.ts'

/** A gate on EVM nodes, as the operator writes it in the configuration. */
export type EvmGateEntry = RpcUrlEntry & {
  readonly network: string
  readonly environment: Environment
  readonly kind: 'evm'
  readonly chain_id: number
  readonly confirmations?: number
  readonly confirmation_tiers?: readonly TierEntry[]
  readonly finality?: 'safe' | 'finalized'
  readonly agreement?: number
  readonly pending?: boolean
  readonly poll_seconds?: number
  readonly tokens?: readonly TokenEntry[]
  readonly fee_floor?: string
  readonly fee_ceiling?: string
  readonly transactions?: 'eip1559' | 'legacy'
  readonly data_fee?: 'none' | 'op_stack'
}

/** The same gate, checked and with defaults filled in. */
export type EvmGateConfig = {
  readonly kind: 'evm'
  readonly id: GateId
  readonly network: string
  readonly environment: Environment
  /** They may hold passwords. A function, so that no log or serializer prints them. */
  readonly rpcUrls: () => readonly string[]
  readonly chainId: number
  /** Null: the network's default. It is 1 when `finality` is set. */
  readonly confirmations: number | null
  readonly confirmationTiers: readonly ConfirmationTier[] | null
  /** Up to which block the chain is followed. */
  readonly tag: 'latest' | 'safe' | 'finalized'
  readonly agreement: number
  readonly showsPending: boolean
  /** The pause between two polls of the chain. */
  readonly pollSeconds: number
  /** Null: the network's known tokens in the live environment, none in the test environment. */
  readonly tokens: readonly TokenEntry[] | null
  /** The least and most that a unit of gas may cost, in wei. */
  readonly fees: { readonly floor: bigint; readonly ceiling: bigint }
  /** The transaction type that the chain accepts: with a priority fee (EIP-1559), or only legacy ones (EIP-155). */
  readonly transactions: 'eip1559' | 'legacy'
  /** Whether the chain charges an L1 data fee besides gas, as OP stack chains do. */
  readonly hasDataFee: boolean
}

// A gate counts as offline when its chain was not polled for 45 seconds.
const maxPollSeconds = 20
const gwei = { type: 'string', pattern: '^(0|[1-9][0-9]{0,8})([.][0-9]{1,9})?$' }
const weiDecimals = 9
const contractPattern = '^0x[0-9a-fA-F]{40}$'
// The example of a URL.
const usualPort = 8545

/** The JSON Schema of such a gate. */
export const evmGateSchema = {
  type: 'object',
  additionalProperties: false,
  required: ['chain_id'],
  properties: {
    network: { type: 'string' },
    environment: { enum: environments },
    kind: { const: 'evm' },
    ...rpcUrlProperties,
    chain_id: { type: 'integer', minimum: 1, maximum: Number.MAX_SAFE_INTEGER },
    confirmations: { type: 'integer', minimum: 1, maximum: 1000 },
    confirmation_tiers: tiersSchema,
    finality: { enum: ['safe', 'finalized'] },
    agreement: { type: 'integer', minimum: 1, maximum: maxNodes },
    pending: { type: 'boolean' },
    poll_seconds: { type: 'integer', minimum: 1, maximum: maxPollSeconds },
    tokens: { type: 'array', maxItems: 200, items: tokenSchema(contractPattern) },
    fee_floor: gwei,
    fee_ceiling: gwei,
    transactions: { enum: ['eip1559', 'legacy'] },
    data_fee: { enum: ['none', 'op_stack'] },
  },
} as const

// One wei.
const defaultFloor = '0.000000001'

/** The problems of a gate that matches the schema, each as `"/<place> <what is wrong>"`. Never shows a password. */
export function* evmGateProblems(networks: readonly Network[], entry: EvmGateEntry): Iterable<string> {
  const { network, environment, chain_id } = entry
  const known = evmNetworks(networks)
  const own = known.find(({ id }) => id === network)
  if (own === undefined)
    yield `/network must be a network of kind evm: ${known.map(({ id }) => id).join(', ')}`
  else if (environment === 'live' && chain_id !== own.live.chainId)
    yield `/chain_id must be ${own.live.chainId} for ${network} in the live environment: funds on other chains are worthless`
  else if (environment === 'test' && known.some(({ live }) => live.chainId === chain_id))
    yield `/chain_id must not be ${chain_id} in the test environment: tests would pay out real money`
  if (entry.confirmations !== undefined && entry.finality !== undefined)
    yield '/finality cannot be combined with confirmations: a payment counts either by finality or by depth'
  if (entry.confirmation_tiers !== undefined && entry.finality !== undefined)
    yield '/confirmation_tiers cannot be combined with finality: a final payment needs no more confirmations'
  const fees = own && feesOf(own, entry)
  if (fees !== undefined && fees.floor > fees.ceiling) yield '/fee_floor must not be above fee_ceiling'
  yield* urlProblems(entry, usualPort)
}

/** The complete configuration of a gate that has no problems. */
export function readEvmGate(networks: readonly Network[], entry: EvmGateEntry): EvmGateConfig {
  const { environment, chain_id, finality, confirmations, tokens } = entry
  const known = evmNetworks(networks)
  const network = known.find(({ id }) => id === entry.network)
  if (network === undefined) throw new Error(`${entry.network} is not an EVM network.`)
  return {
    kind: 'evm',
    id: gateId(network.id, environment),
    network: network.id,
    environment,
    rpcUrls: () => urlsOf(entry),
    chainId: chain_id,
    confirmations: finality === undefined ? (confirmations ?? null) : 1,
    // A final payment is credited, however large it is.
    confirmationTiers: finality === undefined ? tiersOf(network, entry) : [],
    tag: finality ?? 'latest',
    agreement: entry.agreement ?? 1,
    showsPending: entry.pending ?? true,
    pollSeconds: entry.poll_seconds ?? network.pollSeconds,
    tokens: tokens ?? null,
    fees: feesOf(network, entry),
    transactions: entry.transactions ?? 'eip1559',
    hasDataFee: entry.data_fee === undefined ? isOpStack(known, chain_id) : entry.data_fee === 'op_stack',
  }
}

function isOpStack(known: readonly EvmNetwork[], chainId: number): boolean {
  return known.some(
    ({ isOpStack, live, test }) => isOpStack && (live.chainId === chainId || test.chainId === chainId),
  )
}

function tiersOf(network: Network, { confirmation_tiers }: EvmGateEntry): readonly ConfirmationTier[] | null {
  return confirmation_tiers === undefined ? null : readTiers(network, confirmation_tiers)
}

function feesOf(network: EvmNetwork, { fee_floor, fee_ceiling }: EvmGateEntry): EvmGateConfig['fees'] {
  const floor = parseDecimal(fee_floor ?? defaultFloor, weiDecimals) ?? 0n
  return {
    // A transaction always pays something.
    floor: floor === 0n ? 1n : floor,
    ceiling: parseDecimal(fee_ceiling ?? network.gasPriceCeiling, weiDecimals) ?? 0n,
  }
}
