import type { ConsolidationPolicy } from './coin-consolidation.ts'
import type { ConfirmationTier } from './confirmations.ts'
import { type Environment, environments } from './environment.ts'
import { bitcoinNetworks, type GateId, gateId, type Network } from './networks/network.ts'
import { readTiers, type TierEntry, tiersSchema } from './tier-config.ts'

/** A gate on a node of the Bitcoin kind, as the operator writes it down. */
export type BitcoinGateEntry = {
  readonly network: string
  readonly environment: Environment
  readonly kind: 'bitcoin'
  readonly rpc_url: string
  readonly rpc_cookie_file?: string
  readonly chain: string
  readonly confirmations?: number
  readonly confirmation_tiers?: readonly TierEntry[]
  readonly fee_target_blocks?: number
  readonly fee_floor?: number
  readonly fee_ceiling?: number
  readonly consolidate?: {
    readonly below_rate: number
    readonly coins?: number
    readonly max_inputs?: number
  }
}

/** The same, complete and checked. */
export type BitcoinGateConfig = {
  readonly kind: 'bitcoin'
  readonly id: GateId
  readonly network: string
  readonly environment: Environment
  /** With the password in it, which nothing prints. */
  readonly rpcUrl: () => string
  readonly rpcCookieFile: string | null
  readonly chain: string
  /** Null: what the network has by default. */
  readonly confirmations: number | null
  readonly confirmationTiers: readonly ConfirmationTier[] | null
  /** In how many blocks a transaction should be mined, and the least and most it pays, in units a virtual byte. */
  readonly fees: { readonly targetBlocks: number; readonly floor: bigint; readonly ceiling: bigint }
  /** When small coins are joined; null is never. */
  readonly consolidation: ConsolidationPolicy | null
}

const mostPerByte = 100_000

/** JSON Schema of one. */
export const bitcoinGateSchema = {
  type: 'object',
  additionalProperties: false,
  required: ['rpc_url', 'chain'],
  properties: {
    network: { type: 'string' },
    environment: { enum: environments },
    kind: { const: 'bitcoin' },
    rpc_url: { type: 'string', maxLength: 2048 },
    rpc_cookie_file: { type: 'string', minLength: 1, maxLength: 4096 },
    chain: { type: 'string', maxLength: 20 },
    confirmations: { type: 'integer', minimum: 1, maximum: 1000 },
    confirmation_tiers: tiersSchema,
    fee_target_blocks: { type: 'integer', minimum: 1, maximum: 1008 },
    fee_floor: { type: 'integer', minimum: 1, maximum: mostPerByte },
    fee_ceiling: { type: 'integer', minimum: 1, maximum: mostPerByte },
    consolidate: {
      type: 'object',
      additionalProperties: false,
      required: ['below_rate'],
      properties: {
        below_rate: { type: 'integer', minimum: 1, maximum: mostPerByte },
        coins: { type: 'integer', minimum: 2, maximum: 100_000 },
        // As many as a transaction of ours ever has.
        max_inputs: { type: 'integer', minimum: 2, maximum: 200 },
      },
    },
  },
} as const

const defaultFees = { targetBlocks: 3, floor: 2, ceiling: 500 }
const defaultConsolidation = { coins: 50, maxInputs: 100 }

/** What is wrong with one that has the right form: `"/<place> <what is wrong>"`. Shows no password. */
export function* bitcoinGateProblems(
  networks: readonly Network[],
  entry: BitcoinGateEntry,
): Iterable<string> {
  const { network, environment, chain } = entry
  const known = bitcoinNetworks(networks)
  const own = known.find(({ id }) => id === network)
  if (own === undefined)
    yield `/network cannot be of the kind bitcoin; these can: ${known.map(({ id }) => id).join(', ')}`
  else if (!Object.hasOwn(own.chains, chain))
    yield `/chain must be one of ${Object.keys(own.chains).join(', ')} for ${network}`
  else if (environment === 'live' && chain !== 'main')
    yield '/chain must be main in the live environment: coins of other chains are worth nothing'
  else if (environment === 'test' && chain === 'main')
    yield '/chain must not be main in the test environment: there real money would be paid out on trial'
  const { floor, ceiling } = feesOf(entry)
  if (floor > ceiling) yield `/fee_floor must not be above fee_ceiling, which is ${ceiling}`
  const { below_rate } = entry.consolidate ?? {}
  if (below_rate !== undefined && below_rate < floor)
    yield `/consolidate/below_rate must not be below fee_floor, which is ${floor}: no transaction pays less`
  if (below_rate !== undefined && below_rate >= ceiling)
    yield `/consolidate/below_rate must be below fee_ceiling, which is ${ceiling}: fees would always count as low`
  yield* urlProblems(entry)
}

function* urlProblems({ rpc_url, rpc_cookie_file }: BitcoinGateEntry): Iterable<string> {
  const url = URL.canParse(rpc_url) ? new URL(rpc_url) : null
  if (url === null || !['http:', 'https:'].includes(url.protocol))
    yield '/rpc_url must be like http://user:password@127.0.0.1:8332; write signs such as @ or / in a password as %40, %2F'
  else if (rpc_cookie_file === undefined && (url.username === '' || url.password === ''))
    yield '/rpc_url must name user and password, or rpc_cookie_file the file in which the node keeps them'
  else if (rpc_cookie_file !== undefined && url.username !== '')
    yield '/rpc_cookie_file cannot be set together with a user in rpc_url: name one of them'
}

/** One that has no problems, with its defaults. */
export function readBitcoinGate(networks: readonly Network[], entry: BitcoinGateEntry): BitcoinGateConfig {
  const { environment, rpc_url, rpc_cookie_file, chain, confirmations, confirmation_tiers } = entry
  const { targetBlocks, floor, ceiling } = feesOf(entry)
  const network = bitcoinNetworks(networks).find(({ id }) => id === entry.network)
  if (network === undefined) throw new Error(`${entry.network} is no network of Bitcoin's kind.`)
  return {
    kind: 'bitcoin',
    id: gateId(network.id, environment),
    network: network.id,
    environment,
    chain,
    rpcUrl: () => rpc_url,
    rpcCookieFile: rpc_cookie_file ?? null,
    confirmations: confirmations ?? null,
    confirmationTiers: confirmation_tiers === undefined ? null : readTiers(network, confirmation_tiers),
    fees: { targetBlocks, floor: BigInt(floor), ceiling: BigInt(ceiling) },
    consolidation: consolidationOf(entry),
  }
}

function consolidationOf({ consolidate }: BitcoinGateEntry): ConsolidationPolicy | null {
  if (consolidate === undefined) return null
  const {
    below_rate,
    coins = defaultConsolidation.coins,
    max_inputs = defaultConsolidation.maxInputs,
  } = consolidate
  return { belowRate: BigInt(below_rate), coins, maxInputs: max_inputs }
}

function feesOf({ fee_target_blocks, fee_floor, fee_ceiling }: BitcoinGateEntry): typeof defaultFees {
  return {
    targetBlocks: fee_target_blocks ?? defaultFees.targetBlocks,
    floor: fee_floor ?? defaultFees.floor,
    ceiling: fee_ceiling ?? defaultFees.ceiling,
  }
}
