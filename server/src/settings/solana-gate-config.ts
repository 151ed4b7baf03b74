import type { ConfirmationTier } from '../domain/confirmations.ts'
import { type Environment, environments } from '../domain/environment.ts'
import { type GateId, gateId, type Network, solanaNetworks } from '../domain/networks/network.ts'
import type { TokenProgram } from '../domain/solana-transaction.ts'
import { type TokenEntry, tokenSchema } from './listed-tokens.ts'
import { maxNodes, type RpcUrlEntry, rpcUrlProperties, urlProblems, urlsOf } from './rpc-urls.ts'
import { readTiers, type TierEntry, tiersSchema } from './tier-config.ts'

/** A gate on Solana nodes, as the operator writes it in the configuration. */
export type SolanaGateEntry = RpcUrlEntry & {
  readonly network: string
  readonly environment: Environment
  readonly kind: 'solana'
  readonly cluster: string
  readonly confirmations?: number
  readonly confirmation_tiers?: readonly TierEntry[]
  readonly agreement?: number
  readonly pending?: boolean
  readonly poll_seconds?: number
  readonly tokens?: readonly TokenEntry[]
  readonly fee_floor?: number
  readonly fee_ceiling?: number
}

/** The same gate, checked and with defaults filled in. */
export type SolanaGateConfig = {
  readonly kind: 'solana'
  readonly id: GateId
  readonly network: string
  readonly environment: Environment
  /** They may hold passwords. A function, so that no log or serializer prints them. */
  readonly rpcUrls: () => readonly string[]
  readonly cluster: string
  /** Up to which block the chain is followed: the newest final one, or the newest that is confirmed. */
  readonly commitment: 'confirmed' | 'finalized'
  /** 1 if only final blocks are followed. */
  readonly confirmations: number
  readonly confirmationTiers: readonly ConfirmationTier[] | null
  readonly agreement: number
  /** Whether payments in blocks that are confirmed but not final are shown. */
  readonly showsUnfinal: boolean
  /** The pause between two polls of the chain. */
  readonly pollSeconds: number
  /** Null: the network's known tokens in the live environment, none in the test environment. */
  readonly tokens: readonly TokenEntry[] | null
  /** The least and most that a compute unit may cost, in millionths of a lamport. */
  readonly prices: { readonly floor: bigint; readonly ceiling: bigint }
}

/** A chain without peers, as `solana-test-validator` makes one. */
export const localCluster = 'localnet'
const liveCluster = 'mainnet-beta'

// A gate counts as offline when its chain was not polled for 45 seconds.
const maxPollSeconds = 20
const tokenPrograms: readonly TokenProgram[] = ['token', 'token-2022']
const mintPattern = '^[1-9A-HJ-NP-Za-km-z]{32,44}$'
// The example of a URL.
const usualPort = 8899
const highestPrice = 1_000_000_000
const price = { type: 'integer', minimum: 1, maximum: highestPrice }

/** The JSON Schema of such a gate. */
export const solanaGateSchema = {
  type: 'object',
  additionalProperties: false,
  required: ['cluster'],
  properties: {
    network: { type: 'string' },
    environment: { enum: environments },
    kind: { const: 'solana' },
    ...rpcUrlProperties,
    cluster: { type: 'string', maxLength: 20 },
    confirmations: { type: 'integer', minimum: 1, maximum: 1000 },
    confirmation_tiers: tiersSchema,
    agreement: { type: 'integer', minimum: 1, maximum: maxNodes },
    pending: { type: 'boolean' },
    poll_seconds: { type: 'integer', minimum: 1, maximum: maxPollSeconds },
    tokens: {
      type: 'array',
      maxItems: 200,
      items: tokenSchema(mintPattern, { program: { enum: tokenPrograms } }),
    },
    fee_floor: price,
    fee_ceiling: price,
  },
} as const

// At the ceiling a payout costs about a thousandth of a SOL; when the network is quiet, a millionth.
const defaultPrices = { floor: 1_000, ceiling: 10_000_000 }

/** The problems of a gate that matches the schema, each as `"/<place> <what is wrong>"`. Never shows a password. */
export function* solanaGateProblems(
  networks: readonly Network[],
  entry: SolanaGateEntry,
  depth: number | undefined,
): Iterable<string> {
  const { network, environment, cluster } = entry
  const known = solanaNetworks(networks)
  const own = known.find(({ id }) => id === network)
  const clusters = [...Object.keys(own?.clusters ?? {}), localCluster]
  if (own === undefined)
    yield `/network must be a network of kind solana: ${known.map(({ id }) => id).join(', ')}`
  else if (!clusters.includes(cluster)) yield `/cluster must be one of ${clusters.join(', ')}`
  else if (environment === 'live' && cluster !== liveCluster)
    yield `/cluster must be ${liveCluster} in the live environment: funds on other clusters are worthless`
  else if (environment === 'test' && cluster === liveCluster)
    yield `/cluster must not be ${liveCluster} in the test environment: tests would pay out real money`
  if (entry.confirmation_tiers !== undefined && (entry.confirmations ?? depth) === undefined)
    yield '/confirmation_tiers needs confirmations: without them a payment counts once its block is final, however large it is'
  const { floor, ceiling } = pricesOf(entry)
  if (floor > ceiling) yield `/fee_floor must not be above fee_ceiling, which is ${ceiling}`
  yield* urlProblems(entry, usualPort)
}

/**
 * The complete configuration of a gate that has no problems. `depth` is the number of confirmations for gates of this network
 * that set none; without either, only final blocks count.
 */
export function readSolanaGate(
  networks: readonly Network[],
  entry: SolanaGateEntry,
  depth: number | undefined,
): SolanaGateConfig {
  const { environment, cluster, tokens, confirmation_tiers } = entry
  const network = solanaNetworks(networks).find(({ id }) => id === entry.network)
  if (network === undefined) throw new Error(`${entry.network} is not a Solana network.`)
  const confirmations = entry.confirmations ?? depth ?? null
  const tiers = confirmation_tiers === undefined ? null : readTiers(network, confirmation_tiers)
  const { floor, ceiling } = pricesOf(entry)
  return {
    kind: 'solana',
    id: gateId(network.id, environment),
    network: network.id,
    environment,
    rpcUrls: () => urlsOf(entry),
    cluster,
    commitment: confirmations === null ? 'finalized' : 'confirmed',
    confirmations: confirmations ?? 1,
    // A final payment is credited, however large it is.
    confirmationTiers: confirmations === null ? [] : tiers,
    agreement: entry.agreement ?? 1,
    showsUnfinal: entry.pending ?? true,
    pollSeconds: entry.poll_seconds ?? network.pollSeconds,
    tokens: tokens ?? null,
    prices: { floor: BigInt(floor), ceiling: BigInt(ceiling) },
  }
}

function pricesOf({ fee_floor, fee_ceiling }: SolanaGateEntry): typeof defaultPrices {
  return { floor: fee_floor ?? defaultPrices.floor, ceiling: fee_ceiling ?? defaultPrices.ceiling }
}
