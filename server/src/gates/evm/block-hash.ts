import { bytesOf, hashOf } from './hex.ts'
import { encodeRlp, numberBytes, type RlpItem } from './rlp.ts'

type Field = readonly [name: string, kind: 'bytes' | 'number']

// The yellow paper's header (section 4.3), with what forks have added: EIP-1559, EIP-4895, EIP-4844, EIP-4788 and EIP-7685.
const fields: readonly Field[] = [
  ['parentHash', 'bytes'],
  ['sha3Uncles', 'bytes'],
  ['miner', 'bytes'],
  ['stateRoot', 'bytes'],
  ['transactionsRoot', 'bytes'],
  ['receiptsRoot', 'bytes'],
  ['logsBloom', 'bytes'],
  ['difficulty', 'number'],
  ['number', 'number'],
  ['gasLimit', 'number'],
  ['gasUsed', 'number'],
  ['timestamp', 'number'],
  ['extraData', 'bytes'],
  ['mixHash', 'bytes'],
  ['nonce', 'bytes'],
]
const laterFields: readonly Field[] = [
  ['baseFeePerGas', 'number'],
  ['withdrawalsRoot', 'bytes'],
  ['blobGasUsed', 'number'],
  ['excessBlobGas', 'number'],
  ['parentBeaconBlockRoot', 'bytes'],
  ['requestsHash', 'bytes'],
]
// EIP-1559 and EIP-2930, in the order of their envelopes; the access list and the signature follow.
const envelopes: Readonly<Record<string, readonly Field[]>> = {
  '0x1': [
    ['chainId', 'number'],
    ['nonce', 'number'],
    ['gasPrice', 'number'],
  ],
  '0x2': [
    ['chainId', 'number'],
    ['nonce', 'number'],
    ['maxPriorityFeePerGas', 'number'],
    ['maxFeePerGas', 'number'],
  ],
}
const body: readonly Field[] = [
  ['gas', 'number'],
  ['to', 'bytes'],
  ['value', 'number'],
  ['input', 'bytes'],
]
const legacy: readonly Field[] = [
  ['nonce', 'number'],
  ['gasPrice', 'number'],
]
const hexPattern = /^0x(?:[0-9a-f]{2})*$/i
const quantityPattern = /^0x[0-9a-f]{1,64}$/i

type Answer = Readonly<Record<string, unknown>>

/** The hash that a block's header has as the node shows it; null when its form is not Ethereum's. */
export function headerHash(block: Answer): string | null {
  const later = laterFields.filter(([name]) => block[name] != null)
  // Forks come one after the other.
  if (later.some((field, at) => field !== laterFields[at])) return null
  const items = itemsOf(block, [...fields, ...later])
  return items === null ? null : hashOf(encodeRlp(items))
}

/** The hash that a transaction has as the node shows it; null when it is of a kind that we do not write. */
export function transactionHash(transaction: Answer): string | null {
  const type = transaction.type ?? '0x0'
  if (type === '0x0') {
    const items = itemsOf(transaction, [
      ...legacy,
      ...body,
      ['v', 'number'],
      ['r', 'number'],
      ['s', 'number'],
    ])
    return items === null ? null : hashOf(encodeRlp(items))
  }
  const envelope = typeof type === 'string' ? envelopes[type] : undefined
  const { accessList } = transaction
  if (envelope === undefined || !Array.isArray(accessList) || accessList.length > 0) return null
  const before = itemsOf(transaction, [...envelope, ...body])
  const parity: Field = [transaction.yParity == null ? 'v' : 'yParity', 'number']
  const signature = itemsOf(transaction, [parity, ['r', 'number'], ['s', 'number']])
  if (before === null || signature === null) return null
  return hashOf(Uint8Array.of(Number(type), ...encodeRlp([...before, [], ...signature])))
}

function itemsOf(answer: Answer, wanted: readonly Field[]): RlpItem[] | null {
  const items: RlpItem[] = []
  for (const [name, kind] of wanted) {
    // What creates a contract has no receiver.
    const value = name === 'to' && answer[name] == null ? '0x' : answer[name]
    if (typeof value !== 'string' || !(kind === 'bytes' ? hexPattern : quantityPattern).test(value))
      return null
    items.push(kind === 'bytes' ? bytesOf(value.toLowerCase() as `0x${string}`) : numberBytes(BigInt(value)))
  }
  return items
}
