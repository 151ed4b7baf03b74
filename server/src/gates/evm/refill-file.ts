import type { SignedTransfer } from '../account-refill.ts'
import { hashOf } from './hex.ts'
import { decodeRlp } from './rlp.ts'
import { readTransfer } from './transaction.ts'

// Far more than a transfer takes in any form.
const maxFileBytes = 64 * 1024
// What tools call a signed transaction: eth_signTransaction, web3.js, ethers and others.
const signedNames = ['raw', 'rawTransaction', 'signedTransaction', 'serialized', 'signed'] as const
const hexPattern = /^(0x)?([0-9a-fA-F]{2})+$/
const textPattern = /^[\x20-\x7e\s]*$/
// An EIP-1559 transaction has three items more once it is signed: the signature. EIP-155 puts other items in their place.
const unsignedItems = 9
const feeMarketType = 0x02

const notSigned =
  'The transaction in the file is not signed yet. Sign it with the cold wallet, and hand in what its tool prints.'
const unknownForm =
  'The file holds no signed transaction: neither 0x… in hexadecimal, nor JSON with it in `raw` or `rawTransaction`.'

/** The signed transfer in a file, as text, JSON or bytes; or why there is none. */
export function readRefillFile(file: Uint8Array): SignedTransfer | { readonly refused: string } {
  if (file.length > maxFileBytes)
    return { refused: `The file has ${file.length} bytes, far more than a signed transfer takes.` }
  const bytes = bytesIn(file)
  if ('refused' in bytes) return bytes
  const found = readTransfer(bytes.found)
  if ('refused' in found) return { refused: isUnsigned(bytes.found) ? notSigned : found.refused }
  return { ...found.transfer, from: found.from, hash: hashOf(bytes.found), bytes: bytes.found }
}

type Found = { readonly found: Uint8Array } | { readonly refused: string }

function bytesIn(file: Uint8Array): Found {
  const text = Buffer.from(file).toString('latin1')
  if (!textPattern.test(text)) return { found: Uint8Array.from(file) }
  const trimmed = text.trim()
  return hexPattern.test(trimmed) ? inHex(trimmed) : inJson(trimmed)
}

function inHex(text: string): Found {
  return { found: Uint8Array.from(Buffer.from(text.replace(/^0x/, ''), 'hex')) }
}

function inJson(text: string): Found {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return { refused: unknownForm }
  }
  // A JSON-RPC answer has it in `result`.
  const answer = (fieldOf(value, 'result') ?? value) as unknown
  const signed =
    typeof answer === 'string' ? answer : signedNames.map((name) => fieldOf(answer, name)).find(isText)
  if (isText(signed) && hexPattern.test(signed)) return inHex(signed)
  return { refused: isText(fieldOf(value, 'unsigned')) ? notSigned : unknownForm }
}

function fieldOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? (value as Record<string, unknown>)[name]
    : undefined
}

const isText = (value: unknown): value is string => typeof value === 'string'

function isUnsigned(bytes: Uint8Array): boolean {
  return bytes[0] === feeMarketType && decodeRlp(bytes.subarray(1))?.length === unsignedItems
}
