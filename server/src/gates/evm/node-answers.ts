import type { BlockRef } from '../../domain/chain.ts'
import { unbelievable } from '../unbelievable.ts'

/**
 * Unchecked fields for a first selection: a block holds hundreds of transactions and logs, and hardly any are ours.
 * `readTransaction` and `readLog` check those that are.
 */
export type UnreadTransaction = {
  readonly to: string | null
  readonly value: unknown
  readonly hash: unknown
}
export type UnreadLog = {
  readonly contract: string
  readonly to: string
  readonly topics: readonly unknown[]
}

/** The fields we read of a transaction. Addresses are in lower case. */
export type NodeTransaction = {
  readonly hash: string
  readonly from: string
  /** Null when it creates a contract. */
  readonly to: string | null
  readonly value: string
  readonly input: string
  readonly nonce: string
}

export type NodeBlock = BlockRef & {
  readonly parentHash: string
  readonly minedAt: Date
  /** Null on chains without EIP-1559. */
  readonly baseFee: bigint | null
  readonly transactions: readonly UnreadTransaction[]
}

/** One `Transfer` event of an ERC-20 token. */
export type NodeLog = {
  readonly contract: string
  readonly from: string
  readonly to: string
  readonly units: bigint
  readonly txHash: string
  /** Its position among the logs of the whole block. */
  readonly index: bigint
}

export type NodeReceipt = {
  readonly txHash: string
  readonly block: BlockRef
  readonly succeeded: boolean
  /** The network fee, in the native currency. */
  readonly feeUnits: bigint
  /** The positions of its logs among those of the whole block, in order. */
  readonly logs: readonly bigint[]
}

/** Keccak-256 of `Transfer(address,address,uint256)`. */
export const transferTopic = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'
// ERC-721 has the same event with a fourth topic, but does not move amounts.
const transferTopics = 3
const quantityPattern = /^0x[0-9a-fA-F]{1,64}$/
const hashPattern = /^0x[0-9a-f]{64}$/
const addressPattern = /^0x[0-9a-fA-F]{40}$/
const wordPattern = /^0x[0-9a-fA-F]{64}$/
const addressTopicAt = 26
const addressTopicPattern = /^0x0{24}[0-9a-fA-F]{40}$/
// No chain will ever be longer, and a JavaScript number could not hold more.
const maxHeight = BigInt(Number.MAX_SAFE_INTEGER)
const latestSeconds = 8_640_000_000_000n

export function readHash(value: unknown): string {
  return typeof value === 'string' && hashPattern.test(value) ? value : unbelievable('it has no hash')
}

export function readQuantity(value: unknown, what = 'a number is invalid'): bigint {
  return typeof value === 'string' && quantityPattern.test(value) ? BigInt(value) : unbelievable(what)
}

export function readHeight(value: unknown): bigint {
  const height = readQuantity(value, 'it has no height')
  return height <= maxHeight ? height : unbelievable('its height is impossibly large')
}

/** A 32-byte word that a contract returned. An empty answer, as where there is no contract, counts as zero. */
export function readWord(value: unknown): bigint {
  if (value === '0x') return 0n
  return typeof value === 'string' && wordPattern.test(value)
    ? BigInt(value)
    : unbelievable('a contract returned no number')
}

function readAddress(value: unknown): string {
  return typeof value === 'string' && addressPattern.test(value)
    ? value.toLowerCase()
    : unbelievable('an address is invalid')
}

/** Reads a block with its transactions, or without any where only their hashes were requested. */
export function readBlock(answer: unknown, asked: { readonly height?: bigint } = {}): NodeBlock {
  const block = (answer ?? {}) as Record<string, unknown>
  const height = readHeight(block.number)
  if (asked.height !== undefined && height !== asked.height)
    unbelievable('it shows a different block from the requested one')
  const seconds = readQuantity(block.timestamp, 'a block has no valid time')
  if (seconds > latestSeconds) unbelievable('a block has no valid time')
  return {
    height,
    hash: readHash(block.hash),
    parentHash: readHash(block.parentHash),
    minedAt: new Date(Number(seconds) * 1000),
    baseFee: block.baseFeePerGas == null ? null : readQuantity(block.baseFeePerGas),
    transactions: transactionsOf(block),
  }
}

/** The transactions of a block, which may still lack hash and number; none where only their hashes were requested. */
export function transactionsOf(block: { readonly transactions?: unknown }): UnreadTransaction[] {
  if (!Array.isArray(block.transactions)) return unbelievable('a block has no transactions')
  return block.transactions.filter((each): each is UnreadTransaction => {
    if (typeof each === 'string') return false
    const isOne = typeof each?.hash === 'string' && typeof each.to !== 'undefined'
    return isOne || unbelievable('a block contains something that is not a transaction')
  })
}

export function readTransaction(answer: unknown): NodeTransaction {
  const { hash, from, to, value, input, nonce } = (answer ?? {}) as Record<string, unknown>
  if (typeof value !== 'string' || typeof input !== 'string' || typeof nonce !== 'string')
    return unbelievable('a block contains something that is not a transaction')
  return {
    hash: readHash(hash),
    from: readAddress(from),
    to: to == null ? null : readAddress(to),
    value,
    input,
    nonce,
  }
}

/** Transfers of listed tokens in one block. Events of the same name in another form are skipped. */
export function readLogs(answer: unknown, blockHash: string, listed: ReadonlySet<string>): UnreadLog[] {
  if (!Array.isArray(answer)) return unbelievable('logs are not a list')
  return answer.flatMap((log): UnreadLog[] => {
    const contract = typeof log?.address === 'string' ? log.address.toLowerCase() : ''
    const topics = Array.isArray(log?.topics) ? log.topics : []
    const isAskedFor =
      log?.blockHash === blockHash &&
      log.removed !== true &&
      listed.has(contract) &&
      topics[0] === transferTopic
    if (!isAskedFor) return unbelievable('it shows logs that were not requested')
    if (topics.length !== transferTopics) return []
    const to = typeof topics[2] === 'string' ? `0x${topics[2].slice(addressTopicAt).toLowerCase()}` : ''
    return [{ ...log, contract, to, topics }]
  })
}

/** Reads a transfer that involves us; null when it has another form, such as one without an amount. */
export function readLog(log: UnreadLog): NodeLog | null {
  const { contract, topics, data, transactionHash, logIndex } = log as UnreadLog & Record<string, unknown>
  if (typeof data !== 'string' || !wordPattern.test(data)) return null
  return {
    contract,
    from: addressIn(topics[1]),
    to: addressIn(topics[2]),
    units: BigInt(data),
    txHash: readHash(transactionHash),
    index: readQuantity(logIndex, 'a log has no index'),
  }
}

function addressIn(topic: unknown): string {
  return typeof topic === 'string' && addressTopicPattern.test(topic)
    ? `0x${topic.slice(-40).toLowerCase()}`
    : unbelievable('a log has no address')
}

/** Reads a receipt; null when the node has none. */
export function readReceipt(answer: unknown, txHash: string): NodeReceipt | null {
  if (answer === null) return null
  const receipt = answer as Record<string, unknown>
  if (receipt.transactionHash !== txHash) return unbelievable('it shows the receipt of another transaction')
  const status = readQuantity(receipt.status, 'a receipt does not say whether it succeeded')
  if (status > 1n) return unbelievable('a receipt does not say whether it succeeded')
  if (!Array.isArray(receipt.logs)) return unbelievable('a receipt has no logs')
  const gas = readQuantity(receipt.gasUsed) * readQuantity(receipt.effectiveGasPrice)
  return {
    txHash,
    block: { height: readHeight(receipt.blockNumber), hash: readHash(receipt.blockHash) },
    succeeded: status === 1n,
    // Chains that settle on another one charge for that too (the OP stack's `l1Fee`).
    feeUnits: gas + (receipt.l1Fee == null ? 0n : readQuantity(receipt.l1Fee)),
    logs: receipt.logs.map((log) => readQuantity(log?.logIndex, 'a log has no index')),
  }
}
