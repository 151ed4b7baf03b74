import { createHash } from 'node:crypto'
import { hex } from '@scure/base'

// https://xrpl.org/docs/references/protocol/data-types/basic-data-types#hash-prefixes
const prefixes = { header: 'LWR\0', inner: 'MIN\0', leaf: 'SND\0', transaction: 'TXN\0' } as const
const halfBytes = 32
const branches = 16
const nothing = new Uint8Array(halfBytes)
const shortLength = 192
const middleLength = 12_480
/** The longest content whose length the ledger can write, in bytes. */
export const maxContentBytes = 918_744

/** The bytes of a transaction, and of what it did. */
export type TransactionBytes = { readonly blob: Uint8Array; readonly metadata: Uint8Array }

/** The first half of SHA-512, which names everything on the XRP Ledger. */
function half(prefix: keyof typeof prefixes, ...parts: readonly Uint8Array[]): Uint8Array {
  const digest = createHash('sha512').update(prefixes[prefix])
  for (const part of parts) digest.update(part)
  return Uint8Array.from(digest.digest().subarray(0, halfBytes))
}

/** The hash of a ledger, from the bytes of its header. */
export function ledgerHash(header: Uint8Array): string {
  return hex.encode(half('header', header)).toUpperCase()
}

/** The hash of a transaction, from its signed bytes. */
export function transactionHash(blob: Uint8Array): string {
  return hex.encode(half('transaction', blob)).toUpperCase()
}

/**
 * The root of the tree of a ledger's transactions and what they did. The order in which they are given makes no difference. Throws a
 * `RangeError` if one is longer than `maxContentBytes`.
 */
export function transactionsHash(transactions: readonly TransactionBytes[]): string {
  const leaves = transactions.map(({ blob, metadata }) => {
    const name = half('transaction', blob)
    return { name, hash: half('leaf', lengthOf(blob), blob, lengthOf(metadata), metadata, name) }
  })
  return hex.encode(leaves.length === 0 ? nothing : innerHash(leaves, 0)).toUpperCase()
}

type Leaf = { readonly name: Uint8Array; readonly hash: Uint8Array }

/** The sixteen branches of an inner node, by the next half byte of the names below it. */
function innerHash(leaves: readonly Leaf[], depth: number): Uint8Array {
  if (depth === 2 * halfBytes) throw new RangeError('Two transactions of a ledger have the same name.')
  const parts = Array.from({ length: branches }, (_, branch) => {
    const below = leaves.filter(({ name }) => nibble(name, depth) === branch)
    const [only, ...more] = below
    if (only === undefined) return nothing
    return more.length === 0 ? only.hash : innerHash(below, depth + 1)
  })
  return half('inner', ...parts)
}

function nibble(name: Uint8Array, depth: number): number {
  const byte = name[depth >> 1] as number
  return depth % 2 === 0 ? byte >> 4 : byte & 15
}

/** https://xrpl.org/docs/references/protocol/binary-format#length-prefixing */
function lengthOf({ length }: Uint8Array): Uint8Array {
  if (length > maxContentBytes) throw new RangeError(`The ledger holds nothing of ${length} bytes.`)
  if (length <= shortLength) return Uint8Array.of(length)
  if (length <= middleLength) {
    const rest = length - shortLength - 1
    return Uint8Array.of(193 + (rest >> 8), rest & 255)
  }
  const rest = length - middleLength - 1
  return Uint8Array.of(241 + (rest >> 16), (rest >> 8) & 255, rest & 255)
}
