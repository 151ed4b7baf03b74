import { hex } from '@scure/base'
import type { Block } from '../../domain/chain.ts'
import type { NodeRpc } from '../json-rpc.ts'
import { Untestable, UntrueAnswer } from '../trial/untrue.ts'
import { unbelievable } from '../unbelievable.ts'
import { proveDecisive } from './decisive.ts'
import {
  ledgerHash,
  maxContentBytes,
  type TransactionBytes,
  transactionHash,
  transactionsHash,
} from './ledger-hash.ts'
import { readHash, readObject } from './node-answers.ts'
import { askLedger, listOf, timeOf } from './node-ledgers.ts'

// The ledger's header: number, all drops, parent, transactions, accounts, the parent's time, its own, resolution, flags.
const headerBytes = 118
const parentAt = 12
const transactionsAt = 44
const timeAt = 112
const hashBytes = 32

/**
 * Recomputes a ledger from its bytes: the header has the hash and names the parent and the tree of transactions, which is that of
 * the transactions and what they did; and the parts that decide what the gate credits are shown as they are in the bytes.
 */
export async function proveLedger(rpc: NodeRpc, block: Block): Promise<string> {
  const { hash, height } = block
  const call = `ledger ${height} (binary)`
  const params = { ledger_index: Number(height), transactions: true, expand: true, binary: true }
  const { ledger } = readObject(await rpc.call('ledger', params), 'it shows no ledger')
  const { ledger_data: text, transactions } = readObject(ledger, 'it shows no ledger')
  const header = bytesOf(text)
  if (header?.length !== headerBytes)
    throw new Untestable('It does not show the bytes of ledgers, so their hash cannot be recomputed.')
  const recomputed = ledgerHash(header)
  if (recomputed !== hash)
    throw new UntrueAnswer({
      call,
      said: String(text),
      truth: `the hash of these ${headerBytes} bytes is ${recomputed}, and not ${hash}`,
    })
  proveHeader(header, block)
  const shown = listOf(transactions ?? []).map(transactionIn)
  const twice = repeatedIn(shown.map(({ blob }) => transactionHash(blob)))
  if (twice !== null)
    throw new UntrueAnswer({ call, said: `that ${twice} is in it twice`, truth: 'a ledger executes it once' })
  const root = transactionsHash(shown)
  const named = hashIn(header, transactionsAt)
  if (root !== named)
    throw new UntrueAnswer({
      call,
      said: `that these are its ${shown.length} transactions, whose tree has the hash ${root}`,
      truth: `the header, whose hash is right, says that it is ${named}`,
    })
  return (await proveShown(rpc, height, shown))
    ? 'header, parent, every transaction, and all of it that decides what Sluice credits'
    : 'header, parent and every transaction'
}

function proveHeader(header: Uint8Array, { hash, height, parentHash, minedAt }: Block): void {
  const view = new DataView(header.buffer, header.byteOffset)
  const time = timeOf(view.getUint32(timeAt))
  for (const [what, shown, inBytes] of [
    ['its number', String(height), String(view.getUint32(0))],
    ['its parent', parentHash, hashIn(header, parentAt)],
    ['its time', minedAt.toISOString(), time.toISOString()],
  ] as const)
    if (shown !== inBytes)
      throw new UntrueAnswer({
        call: `ledger ${height} (${hash})`,
        said: `that ${what} is ${shown}`,
        truth: `the header, whose hash is right, says that it is ${inBytes}`,
      })
}

/** Compares what the server shows in words with the bytes. False where some of the bytes cannot be read. */
async function proveShown(
  rpc: NodeRpc,
  height: bigint,
  proved: readonly TransactionBytes[],
): Promise<boolean> {
  const call = `ledger ${height}`
  const found = await askLedger(rpc, height, 'transactions')
  const left = new Map(proved.map((each) => [transactionHash(each.blob), each]))
  let isWhole = true
  for (const each of found?.transactions ?? []) {
    const transaction = readObject(each, 'a transaction is none')
    const name = readHash(transaction.hash)
    const bytes = left.get(name)
    if (bytes === undefined)
      throw new UntrueAnswer({ call, said: `that ${name} is in it`, truth: 'by its bytes it is not' })
    left.delete(name)
    isWhole = proveDecisive(call, name, transaction, bytes) && isWhole
  }
  const [hidden] = left.keys()
  if (hidden !== undefined)
    throw new UntrueAnswer({ call, said: `that ${hidden} is not in it`, truth: 'by its bytes it is' })
  return isWhole
}

function repeatedIn(names: readonly string[]): string | null {
  const seen = new Set<string>()
  for (const name of names) {
    if (seen.has(name)) return name
    seen.add(name)
  }
  return null
}

function transactionIn(value: unknown): TransactionBytes {
  const { tx_blob, meta, meta_blob } = readObject(value, 'a transaction is none')
  const [blob, metadata] = [bytesOf(tx_blob), bytesOf(meta ?? meta_blob)]
  if (blob === null || metadata === null)
    throw new Untestable('It does not show the bytes of transactions, so their hash cannot be recomputed.')
  const longest = Math.max(blob.length, metadata.length)
  return longest <= maxContentBytes ? { blob, metadata } : unbelievable(`a transaction has ${longest} bytes`)
}

function hashIn(header: Uint8Array, at: number): string {
  return hex.encode(header.subarray(at, at + hashBytes)).toUpperCase()
}

const hexPattern = /^(?:[0-9A-F]{2})+$/

function bytesOf(text: unknown): Uint8Array | null {
  return typeof text === 'string' && hexPattern.test(text) ? hex.decode(text.toLowerCase()) : null
}
