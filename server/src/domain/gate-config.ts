import { type Environment, environments } from './environment.ts'
import { type GateId, gateId, networks } from './networks.ts'

/** A gate on a real node, as the operator writes it down. */
export type GateEntry = {
  readonly network: string
  readonly environment: Environment
  readonly kind: 'bitcoin'
  readonly rpc_url: string
  readonly rpc_cookie_file?: string
  readonly chain: string
  readonly confirmations?: number
  readonly fee_target_blocks?: number
  readonly fee_floor?: number
  readonly fee_ceiling?: number
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
  /** In how many blocks a transaction should be mined, and the least and most it pays, in units a virtual byte. */
  readonly fees: { readonly targetBlocks: number; readonly floor: bigint; readonly ceiling: bigint }
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
      fee_target_blocks: { type: 'integer', minimum: 1, maximum: 1008 },
      fee_floor: { type: 'integer', minimum: 1, maximum: mostPerByte },
      fee_ceiling: { type: 'integer', minimum: 1, maximum: mostPerByte },
    },
  },
} as const

const defaultFees = { targetBlocks: 3, floor: 2, ceiling: 500 }

/** What is wrong with gates that have the right form, one line each: `"<place> <what is wrong>"`. Shows no password. */
export function gateProblems(entries: readonly GateEntry[]): string[] {
  const seen = new Set<string>()
  return entries.flatMap((entry, at) => {
    const id = gateId(entry.network, entry.environment)
    const problems = [...ownProblems(entry)]
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
    const { network, environment, rpc_url, rpc_cookie_file, chain, confirmations } = entry
    const { targetBlocks, floor, ceiling } = feesOf(entry)
    return {
      id: gateId(network, environment),
      ...{ network, environment, chain },
      rpcUrl: () => rpc_url,
      rpcCookieFile: rpc_cookie_file ?? null,
      confirmations: confirmations ?? null,
      fees: { targetBlocks, floor: BigInt(floor), ceiling: BigInt(ceiling) },
    }
  })
}

function feesOf({ fee_target_blocks, fee_floor, fee_ceiling }: GateEntry): typeof defaultFees {
  return {
    targetBlocks: fee_target_blocks ?? defaultFees.targetBlocks,
    floor: fee_floor ?? defaultFees.floor,
    ceiling: fee_ceiling ?? defaultFees.ceiling,
  }
}
