import type { ConfirmationTier } from './confirmations.ts'
import { type Environment, environments } from './environment.ts'
import { type TokenEntry, tokenSchema } from './listed-tokens.ts'
import { parseDecimal } from './money.ts'
import { type EvmNetwork, evmNetworks, type GateId, gateId, type Network } from './networks/network.ts'
import { readTiers, type TierEntry, tiersSchema } from './tier-config.ts'

/** A gate on nodes of the Ethereum kind, as the operator writes it down. */
export type EvmGateEntry = {
  readonly network: string
  readonly environment: Environment
  readonly kind: 'evm'
  readonly rpc_url?: string
  readonly rpc_urls?: readonly string[]
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

/** The same, complete and checked. */
export type EvmGateConfig = {
  readonly kind: 'evm'
  readonly id: GateId
  readonly network: string
  readonly environment: Environment
  /** With the passwords in them, which nothing prints. */
  readonly rpcUrls: () => readonly string[]
  readonly chainId: number
  /** Null: what the network has by default. With a finality it is 1. */
  readonly confirmations: number | null
  readonly confirmationTiers: readonly ConfirmationTier[] | null
  /** Up to which block the chain is followed. */
  readonly tag: 'latest' | 'safe' | 'finalized'
  readonly agreement: number
  readonly showsPending: boolean
  /** How long the chain is left alone between two looks. */
  readonly pollSeconds: number
  /** Null: the ones that the network is known to have in the live environment, none in the other. */
  readonly tokens: readonly TokenEntry[] | null
  /** The least and most that a unit of gas may cost, in wei. */
  readonly fees: { readonly floor: bigint; readonly ceiling: bigint }
  /** Which transactions the chain takes: those with a tip (EIP-1559), or only those of before (EIP-155). */
  readonly transactions: 'eip1559' | 'legacy'
  /** Whether the chain takes a fee for Ethereum's room besides that for gas, as those of the OP stack do. */
  readonly hasDataFee: boolean
}

const maxNodes = 10
// A gate is offline when its chain was not looked at for 45 seconds.
const maxPollSeconds = 20
const url = { type: 'string', maxLength: 2048 }
const gwei = { type: 'string', pattern: '^(0|[1-9][0-9]{0,8})([.][0-9]{1,9})?$' }
const weiDecimals = 9

/** JSON Schema of one. */
export const evmGateSchema = {
  type: 'object',
  additionalProperties: false,
  required: ['chain_id'],
  properties: {
    network: { type: 'string' },
    environment: { enum: environments },
    kind: { const: 'evm' },
    rpc_url: url,
    rpc_urls: { type: 'array', minItems: 1, maxItems: maxNodes, uniqueItems: true, items: url },
    chain_id: { type: 'integer', minimum: 1, maximum: Number.MAX_SAFE_INTEGER },
    confirmations: { type: 'integer', minimum: 1, maximum: 1000 },
    confirmation_tiers: tiersSchema,
    finality: { enum: ['safe', 'finalized'] },
    agreement: { type: 'integer', minimum: 1, maximum: maxNodes },
    pending: { type: 'boolean' },
    poll_seconds: { type: 'integer', minimum: 1, maximum: maxPollSeconds },
    tokens: { type: 'array', maxItems: 200, items: tokenSchema },
    fee_floor: gwei,
    fee_ceiling: gwei,
    transactions: { enum: ['eip1559', 'legacy'] },
    data_fee: { enum: ['none', 'op_stack'] },
  },
} as const

// A wei is the least there is. Polygon has needed some hundred in its worst days, the others far less.
const defaultFees = { floor: '0.000000001', ceiling: '500' }

/** What is wrong with one that has the right form: `"/<place> <what is wrong>"`. Shows no password. */
export function* evmGateProblems(networks: readonly Network[], entry: EvmGateEntry): Iterable<string> {
  const { network, environment, chain_id, agreement = 1 } = entry
  const known = evmNetworks(networks)
  const own = known.find(({ id }) => id === network)
  if (own === undefined)
    yield `/network cannot be of the kind evm; these can: ${known.map(({ id }) => id).join(', ')}`
  else if (environment === 'live' && chain_id !== own.live.chainId)
    yield `/chain_id must be ${own.live.chainId} for ${network} in the live environment: coins of other chains are worth nothing`
  else if (environment === 'test' && known.some(({ live }) => live.chainId === chain_id))
    yield `/chain_id must not be ${chain_id} in the test environment: there real money would be paid out on trial`
  if (entry.confirmations !== undefined && entry.finality !== undefined)
    yield '/finality cannot be set together with confirmations: a payment counts in a final block, or in a deep one'
  if (entry.confirmation_tiers !== undefined && entry.finality !== undefined)
    yield '/confirmation_tiers cannot be set together with finality: what is final needs no more confirmations'
  if (agreement > urlsOf(entry).length)
    yield `/agreement must not be above the number of nodes, which is ${urlsOf(entry).length}`
  const { floor, ceiling } = feesOf(entry)
  if (floor > ceiling) yield '/fee_floor must not be above fee_ceiling'
  yield* urlProblems(entry)
}

function* urlProblems(entry: EvmGateEntry): Iterable<string> {
  if (entry.rpc_url !== undefined && entry.rpc_urls !== undefined)
    yield '/rpc_urls cannot be set together with rpc_url: name one of them'
  if (entry.rpc_url === undefined && entry.rpc_urls === undefined)
    yield "must have required property 'rpc_url', or 'rpc_urls' for several nodes"
  for (const [at, given] of urlsOf(entry).entries()) {
    const parsed = URL.canParse(given) ? new URL(given) : null
    const place = entry.rpc_urls === undefined ? '/rpc_url' : `/rpc_urls/${at}`
    if (parsed === null || !['http:', 'https:'].includes(parsed.protocol))
      yield `${place} must be like http://127.0.0.1:8545 or https://node.example/key`
  }
}

/** One that has no problems, with its defaults. */
export function readEvmGate(networks: readonly Network[], entry: EvmGateEntry): EvmGateConfig {
  const { environment, chain_id, finality, confirmations, tokens } = entry
  const known = evmNetworks(networks)
  const network = known.find(({ id }) => id === entry.network)
  if (network === undefined) throw new Error(`${entry.network} is no network of Ethereum's kind.`)
  return {
    kind: 'evm',
    id: gateId(network.id, environment),
    network: network.id,
    environment,
    rpcUrls: () => urlsOf(entry),
    chainId: chain_id,
    confirmations: finality === undefined ? (confirmations ?? null) : 1,
    // What is final is credited, however large.
    confirmationTiers: finality === undefined ? tiersOf(network, entry) : [],
    tag: finality ?? 'latest',
    agreement: entry.agreement ?? 1,
    showsPending: entry.pending ?? true,
    pollSeconds: entry.poll_seconds ?? network.pollSeconds,
    tokens: tokens ?? null,
    fees: feesOf(entry),
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

function urlsOf({ rpc_url, rpc_urls }: EvmGateEntry): readonly string[] {
  return rpc_urls ?? (rpc_url === undefined ? [] : [rpc_url])
}

function feesOf({ fee_floor, fee_ceiling }: EvmGateEntry): EvmGateConfig['fees'] {
  const floor = parseDecimal(fee_floor ?? defaultFees.floor, weiDecimals) ?? 0n
  return {
    // Nothing is sent for nothing.
    floor: floor === 0n ? 1n : floor,
    ceiling: parseDecimal(fee_ceiling ?? defaultFees.ceiling, weiDecimals) ?? 0n,
  }
}
