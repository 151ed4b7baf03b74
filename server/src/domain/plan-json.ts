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
import type { AccountPlan, Coin, CoinPlan, SpendPlan } from './spends.ts'

const integers: ReadonlySet<string> = new Set([
  'units',
  'feeUnits',
  'nonce',
  'gasLimit',
  'gasPrice',
  'dataFeeUnits',
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

function accountPlan(value: unknown): AccountPlan {
  const given = members(
    value,
    [
      ...['kind', 'from', 'nonce', 'to', 'currency', 'contractAddress', 'units', 'gasLimit', 'gasPrice'],
      'payoutId',
    ],
    ['dataFeeUnits'],
  )
  const from = members(given.from, ['address', 'key'])
  const to = members(given.to, ['address', 'tag'])
  return {
    kind: 'account',
    from: { address: word(from.address), key: keyPath(from.key) },
    nonce: integer(given.nonce),
    to: { address: word(to.address), tag: orNull(to.tag, word) },
    currency: word(given.currency),
    contractAddress: orNull(given.contractAddress, word),
    units: integer(given.units),
    gasLimit: integer(given.gasLimit),
    gasPrice: integer(given.gasPrice),
    ...(given.dataFeeUnits !== undefined && { dataFeeUnits: integer(given.dataFeeUnits) }),
    payoutId: orNull(given.payoutId, uuid),
  }
}
