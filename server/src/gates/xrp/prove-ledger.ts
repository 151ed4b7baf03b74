import { hex } from '@scure/base'
import type { Block } from '../../domain/chain.ts'
import type { NodeRpc } from '../json-rpc.ts'
import { Untestable, UntrueAnswer } from '../trial/untrue.ts'
import { encodeClassicAddress } from './address.ts'
import { type BinaryField, fieldOf, readBinaryObject, UnreadableObject } from './binary-object.ts'
import { ledgerHash, type TransactionBytes, transactionHash, transactionsHash } from './ledger-hash.ts'
import { readList, readObject } from './node-answers.ts'
import { askLedger, timeOf } from './node-ledgers.ts'
import { balanceChanges } from './node-transfers.ts'

// The ledger's header: number, all drops, parent, transactions, accounts, the parent's time, its own, resolution, flags.
const headerBytes = 118
const parentAt = 12
const transactionsAt = 44
const timeAt = 112
const hashBytes = 32
const accountBytes = 20
// Types and numbers of fields: https://xrpl.org/docs/references/protocol/binary-format
const affectedNodes = [15, 8] as const
const entryType = [1, 1] as const
const accountRoot = 0x61
const previousFields = [14, 6] as const
const finalFields = [14, 7] as const
const newFields = [14, 8] as const
const createdNode = 3
const balance = [6, 2] as const
const account = [8, 1] as const
const destination = [8, 3] as const
const destinationTag = [2, 14] as const
const dropsMask = 2n ** 62n - 1n

/** What the bytes of a transaction say, as far as it decides what is credited to whom. */
type Said = {
  readonly changes: ReadonlyMap<string, bigint>
  readonly destination: string | null
  readonly tag: number | null
}

/**
 * Recomputes a ledger from its bytes: the header has the hash and names the parent and the tree of transactions, which is that of
 * the transactions and what they did; and the balances, receivers and tags that the server shows are those of the bytes.
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
  const shown = readList(transactions ?? [], 'a ledger has no list of transactions').map(transactionIn)
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
    ? 'header, parent, every transaction, and every balance, receiver and tag'
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
    const name = String(transaction.hash)
    const bytes = left.get(name)
    if (bytes === undefined)
      throw new UntrueAnswer({ call, said: `that ${name} is in it`, truth: 'by its bytes it is not' })
    left.delete(name)
    const said = read(bytes)
    if (said === null) isWhole = false
    else compare(call, name, transaction, said)
  }
  const [hidden] = left.keys()
  if (hidden !== undefined)
    throw new UntrueAnswer({ call, said: `that ${hidden} is not in it`, truth: 'by its bytes it is' })
  return isWhole
}

function compare(call: string, name: string, transaction: Record<string, unknown>, said: Said): void {
  const byBytes = 'by its bytes, whose hash is right,'
  const shown = balanceChanges(readObject(transaction.metaData, 'a transaction has no metadata'))
  for (const address of new Set([...shown.keys(), ...said.changes.keys()])) {
    const [one, other] = [shown.get(address) ?? 0n, said.changes.get(address) ?? 0n]
    if (one !== other)
      throw new UntrueAnswer({
        call,
        said: `that ${name} changes the balance of ${address} by ${one} drops`,
        truth: `${byBytes} it is ${other}`,
      })
  }
  for (const [what, one, other] of [
    ['receiver', transaction.Destination ?? null, said.destination],
    ['destination tag', transaction.DestinationTag ?? null, said.tag],
  ] as const)
    if (one !== other)
      throw new UntrueAnswer({
        call,
        said: `that the ${what} of ${name} is ${String(one ?? 'none')}`,
        truth: `${byBytes} it is ${other ?? 'none'}`,
      })
}

/** Null where the bytes hold something that we cannot read yet, such as a type of field that is newer. */
function read({ blob, metadata }: TransactionBytes): Said | null {
  try {
    const transaction = readBinaryObject(blob)
    const entries = fieldOf(readBinaryObject(metadata), ...affectedNodes)?.inside ?? []
    const tag = fieldOf(transaction, ...destinationTag)
    return {
      changes: new Map(entries.flatMap((entry) => changeIn(entry) ?? [])),
      destination: addressIn(fieldOf(transaction, ...destination)),
      tag: tag === null ? null : viewOf(tag).getUint32(0),
    }
  } catch (error) {
    if (error instanceof UnreadableObject) return null
    throw error
  }
}

/** What an account had more afterwards; null where the entry is another one. */
function changeIn({ number, inside }: BinaryField): readonly [string, bigint][] | null {
  const type = fieldOf(inside, ...entryType)
  if (type === null || viewOf(type).getUint16(0) !== accountRoot) return null
  const now = (fieldOf(inside, ...finalFields) ?? fieldOf(inside, ...newFields))?.inside ?? []
  const address = addressIn(fieldOf(now, ...account))
  const after = dropsIn(fieldOf(now, ...balance))
  if (address === null || after === null) return null
  if (number === createdNode) return [[address, after]]
  const before = dropsIn(fieldOf(fieldOf(inside, ...previousFields)?.inside ?? [], ...balance))
  return before === null ? null : [[address, after - before]]
}

function dropsIn(field: BinaryField | null): bigint | null {
  return field === null ? null : viewOf(field).getBigUint64(0) & dropsMask
}

function addressIn(field: BinaryField | null): string | null {
  if (field === null) return null
  if (field.content.length !== accountBytes) throw new UnreadableObject('It has an account of another size.')
  return encodeClassicAddress(field.content)
}

function viewOf({ content }: BinaryField): DataView {
  return new DataView(content.buffer, content.byteOffset, content.byteLength)
}

function repeatedIn(names: readonly string[]): string | null {
  return names.find((name, at) => names.indexOf(name) !== at) ?? null
}

function transactionIn(value: unknown): TransactionBytes {
  const { tx_blob, meta, meta_blob } = readObject(value, 'a transaction is none')
  const [blob, metadata] = [bytesOf(tx_blob), bytesOf(meta ?? meta_blob)]
  if (blob !== null && metadata !== null) return { blob, metadata }
  throw new Untestable('It does not show the bytes of transactions, so their hash cannot be recomputed.')
}

function hashIn(header: Uint8Array, at: number): string {
  return hex.encode(header.subarray(at, at + hashBytes)).toUpperCase()
}

const hexPattern = /^(?:[0-9A-F]{2})+$/

function bytesOf(text: unknown): Uint8Array | null {
  return typeof text === 'string' && hexPattern.test(text) ? hex.decode(text.toLowerCase()) : null
}
