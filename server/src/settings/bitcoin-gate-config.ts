import type { ConsolidationPolicy } from '../domain/coin-consolidation.ts'
import type { ConfirmationTier } from '../domain/confirmations.ts'
import { type Environment, environments } from '../domain/environment.ts'
import { bitcoinNetworks, type GateId, gateId, type Network } from '../domain/networks/network.ts'
import { readTiers, type TierEntry, tiersSchema } from './tier-config.ts'

/** A gate on a Bitcoin-like node, as the operator writes it in the configuration. */
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

/** The same gate, checked and with defaults filled in. */
export type BitcoinGateConfig = {
  readonly kind: 'bitcoin'
  readonly id: GateId
  readonly network: string
  readonly environment: Environment
  /** Holds the password. A function, so that no log or serializer prints it. */
  readonly rpcUrl: () => string
  readonly rpcCookieFile: string | null
  readonly chain: string
  /** Null: the network's default. */
  readonly confirmations: number | null
  readonly confirmationTiers: readonly ConfirmationTier[] | null
  /** Within how many blocks a transaction should be mined, and the least and most it pays per virtual byte, in units. */
  readonly fees: { readonly targetBlocks: number; readonly floor: bigint; readonly ceiling: bigint }
  /** When small coins are consolidated; null means never. */
  readonly consolidation: ConsolidationPolicy | null
}

const mostPerByte = 100_000

/** The JSON Schema of such a gate. */
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
        // No transaction of ours ever has more inputs.
        max_inputs: { type: 'integer', minimum: 2, maximum: 200 },
      },
    },
  },
} as const

const defaultFees = { targetBlocks: 3, floor: 2, ceiling: 500 }
const defaultConsolidation = { coins: 50, maxInputs: 100 }

/** The problems of a gate that matches the schema, each as `"/<place> <what is wrong>"`. Never shows a password. */
export function* bitcoinGateProblems(
  networks: readonly Network[],
  entry: BitcoinGateEntry,
): Iterable<string> {
  const { network, environment, chain } = entry
  const known = bitcoinNetworks(networks)
  const own = known.find(({ id }) => id === network)
  if (own === undefined)
    yield `/network must be a network of kind bitcoin: ${known.map(({ id }) => id).join(', ')}`
  else if (!Object.hasOwn(own.chains, chain))
    yield `/chain must be one of ${Object.keys(own.chains).join(', ')} for ${network}`
  else if (environment === 'live' && chain !== 'main')
    yield '/chain must be main in the live environment: funds on other chains are worthless'
  else if (environment === 'test' && chain === 'main')
    yield '/chain must not be main in the test environment: tests would pay out real money'
  const { floor, ceiling } = feesOf(entry)
  if (floor > ceiling) yield `/fee_floor must not be above fee_ceiling, which is ${ceiling}`
  const { below_rate } = entry.consolidate ?? {}
  if (below_rate !== undefined && below_rate < floor)
    yield `/consolidate/below_rate must not be below fee_floor, which is ${floor}: no transaction pays less`
  if (below_rate !== undefined && below_rate >= ceiling)
    yield `/consolidate/below_rate must be below fee_ceiling, which is ${ceiling}: otherwise fees would always count as low`
  yield* urlProblems(entry)
}

function* urlProblems({ rpc_url, rpc_cookie_file }: BitcoinGateEntry): Iterable<string> {
  const url = URL.canParse(rpc_url) ? new URL(rpc_url) : null
  if (url === null || !['http:', 'https:'].includes(url.protocol))
    yield '/rpc_url must be like http://user:password@127.0.0.1:8332; percent-encode characters such as @ and / in a password (%40, %2F)'
  else if (rpc_cookie_file === undefined && (url.username === '' || url.password === ''))
    yield '/rpc_url must contain a user and a password, or rpc_cookie_file must name the cookie file of the node'
  else if (rpc_cookie_file !== undefined && url.username !== '')
    yield '/rpc_cookie_file cannot be combined with a user in rpc_url: use one of them'
}

/** The complete configuration of a gate that has no problems. */
export function readBitcoinGate(networks: readonly Network[], entry: BitcoinGateEntry): BitcoinGateConfig {
  const { environment, rpc_url, rpc_cookie_file, chain, confirmations, confirmation_tiers } = entry
  const { targetBlocks, floor, ceiling } = feesOf(entry)
  const network = bitcoinNetworks(networks).find(({ id }) => id === entry.network)
  if (network === undefined) throw new Error(`${entry.network} is not a Bitcoin-like network.`)
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
