import type { JoinPolicy } from './coin-joining.ts'
import type { ConfirmationTier } from './confirmations.ts'
import { type Environment, environments } from './environment.ts'
import { type GateId, gateId, networkOf, networks } from './networks.ts'
import { readTiers, type TierEntry, tierProblems, tiersSchema } from './tier-config.ts'

/** A gate on a real node, as the operator writes it down. */
export type GateEntry = {
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
export type GateConfig = {
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
  readonly joining: JoinPolicy | null
}

/** By network, the chains that a gate of the kind `bitcoin` can be on, as their nodes call them. */
export const chainNames = {
  bitcoin: ['main', 'test', 'testnet4', 'signet', 'regtest'],
  litecoin: ['main', 'test', 'regtest'],
} as const satisfies Record<string, readonly string[]>

const mostPerByte = 100_000

/** JSON Schema of `gates` in the operator's file. */
export const gatesSchema = {
  type: 'array',
  maxItems: 100,
  items: {
    type: 'object',
    additionalProperties: false,
    required: ['network', 'environment', 'kind', 'rpc_url', 'chain'],
    properties: {
      network: { enum: networks.map(({ id }) => id) },
      environment: { enum: environments },
      kind: { enum: ['bitcoin'] },
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
  },
} as const

const defaultFees = { targetBlocks: 3, floor: 2, ceiling: 500 }
const defaultJoining = { coins: 50, maxInputs: 100 }

/**
 * What is wrong with gates that have the right form, one line each: `"<place> <what is wrong>"`. Shows no password. `depths`
 * are those of networks whose gates name none.
 */
export function gateProblems(
  entries: readonly GateEntry[],
  depths: Readonly<Record<string, number>> = {},
): string[] {
  const seen = new Set<string>()
  return entries.flatMap((entry, at) => {
    const id = gateId(entry.network, entry.environment)
    const plain = entry.confirmations ?? depths[entry.network] ?? networkOf(entry.network).confirmations
    const tiers = tierProblems(entry.network, plain, entry.confirmation_tiers ?? [])
    const problems = [...ownProblems(entry), ...tiers.map((each) => `/confirmation_tiers${each}`)]
    if (seen.has(id)) problems.push(`is a second gate for ${id}: a network has one in each environment`)
    seen.add(id)
    return problems.map((problem) => `/gates/${at}${problem.startsWith('/') ? '' : ' '}${problem}`)
  })
}

function* ownProblems(entry: GateEntry): Iterable<string> {
  const { network, environment, chain } = entry
  const names: readonly string[] | undefined = (chainNames as Record<string, readonly string[]>)[network]
  if (names === undefined)
    yield `/network cannot be of the kind bitcoin; these can: ${Object.keys(chainNames).join(', ')}`
  else if (!names.includes(chain)) yield `/chain must be one of ${names.join(', ')} for ${network}`
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

function* urlProblems({ rpc_url, rpc_cookie_file }: GateEntry): Iterable<string> {
  const url = URL.canParse(rpc_url) ? new URL(rpc_url) : null
  if (url === null || !['http:', 'https:'].includes(url.protocol))
    yield '/rpc_url must be like http://user:password@127.0.0.1:8332; write signs such as @ or / in a password as %40, %2F'
  else if (rpc_cookie_file === undefined && (url.username === '' || url.password === ''))
    yield '/rpc_url must name user and password, or rpc_cookie_file the file in which the node keeps them'
  else if (rpc_cookie_file !== undefined && url.username !== '')
    yield '/rpc_cookie_file cannot be set together with a user in rpc_url: name one of them'
}

/** Gates that have no problems, with their defaults. */
export function readGates(entries: readonly GateEntry[]): GateConfig[] {
  return entries.map((entry) => {
    const { network, environment, rpc_url, rpc_cookie_file, chain, confirmations, confirmation_tiers } = entry
    const { targetBlocks, floor, ceiling } = feesOf(entry)
    return {
      id: gateId(network, environment),
      ...{ network, environment, chain },
      rpcUrl: () => rpc_url,
      rpcCookieFile: rpc_cookie_file ?? null,
      confirmations: confirmations ?? null,
      confirmationTiers: confirmation_tiers === undefined ? null : readTiers(network, confirmation_tiers),
      fees: { targetBlocks, floor: BigInt(floor), ceiling: BigInt(ceiling) },
      joining: joiningOf(entry),
    }
  })
}

function joiningOf({ consolidate }: GateEntry): JoinPolicy | null {
  if (consolidate === undefined) return null
  const { below_rate, coins = defaultJoining.coins, max_inputs = defaultJoining.maxInputs } = consolidate
  return { belowRate: BigInt(below_rate), coins, maxInputs: max_inputs }
}

function feesOf({ fee_target_blocks, fee_floor, fee_ceiling }: GateEntry): typeof defaultFees {
  return {
    targetBlocks: fee_target_blocks ?? defaultFees.targetBlocks,
    floor: fee_floor ?? defaultFees.floor,
    ceiling: fee_ceiling ?? defaultFees.ceiling,
  }
}
