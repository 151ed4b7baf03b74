import {
  count,
  integer,
  keyPath,
  list,
  matching,
  maxIndex,
  members,
  orNull,
  uuid,
  word,
} from './json-members.ts'
import type { AccountPlan, Coin, CoinPlan, SolanaPlan, SpendPlan, TransferPlan } from './spends.ts'

const integers: ReadonlySet<string> = new Set([
  'units',
  'feeUnits',
  'nonce',
  'gasLimit',
  'gasPrice',
  'dataFeeUnits',
  'rentUnits',
  'computeLimit',
  'computePrice',
  'lastValidHeight',
])

/** The stored form of a plan. Integers are decimal text, because JSON numbers lose digits. */
export function planToJson(plan: SpendPlan): string {
  return JSON.stringify(plan, (_, value) => (typeof value === 'bigint' ? value.toString() : value))
}

/**
 * A plan from its stored form, unchecked: the worker relies on its own rows, and the journal has checksums. The signer reads
 * what it is asked to sign with `readPlan`, since others may have written it.
 */
export function planFromJson(text: string): SpendPlan {
  return JSON.parse(text, (name, value) => (integers.has(name) ? BigInt(value) : value))
}

/** The longest text of a plan that is read. Two hundred inputs and a hundred outputs take less than half of it. */
export const maxPlanBytes = 100_000

const hashPattern = /^[0-9a-f]{64}$/
const maxInputs = 1_000
const maxOutputs = 1_000
const maxSources = 64
const maxMemoLength = 1_000
const maxDecimals = 255
const maxOutputIndex = 2 ** 32 - 1

/**
 * A plan from its stored form, where anyone may have written it: exactly the members of its kind, each of its type and
 * within bounds, and no negative amount. Null when it is anything else.
 */
export function readPlan(text: string): SpendPlan | null {
  if (text.length > maxPlanBytes) return null
  try {
    const found: unknown = JSON.parse(text)
    const { kind } = found as { kind?: unknown }
    if (kind === 'coins') return coinPlan(found)
    if (kind === 'account') return accountPlan(found)
    if (kind === 'solana') return solanaPlan(found)
    return null
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof TypeError) return null
    throw error
  }
}

function coinPlan(value: unknown): CoinPlan {
  const { inputs, outputs, change, cold, feeUnits } = members(
    value,
    ['kind', 'inputs', 'outputs', 'change', 'feeUnits'],
    ['cold'],
  )
  return {
    kind: 'coins',
    inputs: list(inputs, 1, maxInputs).map(coin),
    outputs: list(outputs, 1, maxOutputs).map((output) => {
      const { address, units, payoutId } = members(output, ['address', 'units', 'payoutId'])
      return { address: word(address), units: integer(units), payoutId: orNull(payoutId, uuid) }
    }),
    change: orNull(change, (given) => {
      const { outputIndex, index } = members(given, ['outputIndex', 'index'])
      return { outputIndex: count(outputIndex, maxOutputs), index: count(index, maxIndex) }
    }),
    ...(cold !== undefined && { cold: coldOutput(cold) }),
    feeUnits: integer(feeUnits),
  }
}

function coldOutput(value: unknown): NonNullable<CoinPlan['cold']> {
  const { outputIndex, index } = members(value, ['outputIndex', 'index'])
  return {
    outputIndex: count(outputIndex, maxOutputs),
    index: orNull(index, (given) => count(given, maxIndex)),
  }
}

function coin(value: unknown): Coin {
  const { txHash, outputIndex, units, key } = members(value, ['txHash', 'outputIndex', 'units', 'key'])
  return {
    txHash: matching(hashPattern, txHash),
    outputIndex: count(outputIndex, maxOutputIndex),
    units: integer(units),
    key: keyPath(key),
  }
}

const ofTransfer = ['kind', 'from', 'to', 'currency', 'contractAddress', 'units', 'payoutId'] as const

function accountPlan(value: unknown): AccountPlan {
  const given = members(value, [...ofTransfer, 'nonce', 'gasLimit', 'gasPrice'], ['dataFeeUnits'])
  return {
    kind: 'account',
    ...transfer(given, word),
    nonce: integer(given.nonce),
    gasLimit: integer(given.gasLimit),
    gasPrice: integer(given.gasPrice),
    ...(given.dataFeeUnits !== undefined && { dataFeeUnits: integer(given.dataFeeUnits) }),
  }
}

function transfer(given: Record<string, unknown>, readTag: (value: unknown) => string): TransferPlan {
  const from = members(given.from, ['address', 'key'])
  const to = members(given.to, ['address', 'tag'])
  return {
    from: { address: word(from.address), key: keyPath(from.key) },
    to: { address: word(to.address), tag: orNull(to.tag, readTag) },
    currency: word(given.currency),
    contractAddress: orNull(given.contractAddress, word),
    units: integer(given.units),
    payoutId: orNull(given.payoutId, uuid),
  }
}

function solanaPlan(value: unknown): SolanaPlan {
  const given = members(
    value,
    [...ofTransfer, 'lifetime', 'token', 'rentUnits', 'computeLimit', 'computePrice'],
    ['sources'],
  )
  return {
    kind: 'solana',
    ...transfer(given, memo),
    lifetime: lifetime(given.lifetime),
    token: orNull(given.token, (token) => {
      const { program, decimals } = members(token, ['program', 'decimals'])
      if (program !== 'token' && program !== 'token-2022') throw new TypeError('not a token program')
      return { program, decimals: count(decimals, maxDecimals) }
    }),
    ...(given.sources !== undefined && {
      sources: list(given.sources, 1, maxSources).map((source) => {
        const { address, key, units } = members(source, ['address', 'key', 'units'])
        return { address: word(address), key: keyPath(key), units: integer(units) }
      }),
    }),
    rentUnits: integer(given.rentUnits),
    computeLimit: integer(given.computeLimit),
    computePrice: integer(given.computePrice),
  }
}

/** A memo: any text. How long it may be, the network's family says. */
function memo(value: unknown): string {
  if (
    typeof value !== 'string' ||
    value.length === 0 ||
    value.length > maxMemoLength ||
    !value.isWellFormed()
  )
    throw new TypeError('not a memo')
  return value
}

function lifetime(value: unknown): SolanaPlan['lifetime'] {
  const { kind } = value as { kind?: unknown }
  if (kind === 'nonce') {
    const given = members(value, ['kind', 'index', 'value'])
    return { kind, index: count(given.index, maxIndex), value: word(given.value) }
  }
  if (kind !== 'creation') throw new TypeError('not a lifetime')
  const given = members(value, ['kind', 'index', 'blockhash', 'lastValidHeight'])
  return {
    kind,
    index: count(given.index, maxIndex),
    blockhash: word(given.blockhash),
    lastValidHeight: integer(given.lastValidHeight),
  }
}
