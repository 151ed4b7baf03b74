import { createHash } from 'node:crypto'
import { canonicalAddress } from '../../server/src/gates/evm/address.ts'
import { transferTopic } from '../../server/src/gates/evm/node-answers.ts'
import { transferCall } from '../../server/src/gates/evm/transfer-call.ts'

export const token = addressOf('token')
export const paidUnits = 1_000_000n

const transfersPerBlock = 200
const hex = (value: number | bigint) => `0x${value.toString(16)}`
const word = (digits: string) => `0x${digits.padStart(64, '0')}`

/** How many of each block's transfers are to us, half of them native, half in tokens. */
export const toUsPerBlock = 4

/** Our made-up deposit address number `index`. */
export function ownAddress(index: number): string {
  return addressOf(`ours ${index}`)
}

function addressOf(name: string): string {
  return canonicalAddress(`0x${hashOf(name).slice(2, 42)}`) as string
}

export function hashOf(name: string): string {
  return `0x${createHash('sha256').update(name).digest('hex')}`
}

export type MadeBlock = {
  readonly hash: string
  /** In a node's JSON. */
  readonly full: string
  readonly header: string
  readonly logs: string
  readonly receipts: ReadonlyMap<string, string>
  /** Our addresses that it pays, and whether in tokens. */
  readonly paid: readonly { readonly address: string; readonly isToken: boolean }[]
}

/** A block as full as Ethereum's often are: a hundred native payments, a hundred in a token, some of them to us. */
export function makeBlock(height: number, ownCount: number): MadeBlock {
  const hash = hashOf(`block ${height}`)
  const blockNumber = hex(height)
  const receipts = new Map<string, string>()
  const paid: { address: string; isToken: boolean }[] = []
  const transactions: object[] = []
  const logs: object[] = []
  for (let at = 0; at < (height === 0 ? 0 : transfersPerBlock); at++) {
    const isToken = at % 2 === 1
    const isOurs = at < toUsPerBlock
    const to = isOurs ? ownAddress((height * 7 + at) % ownCount) : addressOf(`stranger ${height} ${at}`)
    const txHash = hashOf(`transaction ${height} ${at}`)
    const from = addressOf(`payer ${height} ${at}`).toLowerCase()
    const place = { blockHash: hash, blockNumber, transactionHash: txHash, transactionIndex: hex(at) }
    transactions.push({
      blockHash: hash,
      blockNumber,
      from,
      gas: '0xea60',
      gasPrice: '0x2540be400',
      hash: txHash,
      maxFeePerGas: '0x4a817c800',
      maxPriorityFeePerGas: '0x3b9aca00',
      nonce: hex(at + height),
      input: isToken ? transferCall(to, paidUnits) : '0x',
      to: (isToken ? token : to).toLowerCase(),
      transactionIndex: hex(at),
      value: isToken ? '0x0' : hex(paidUnits),
      type: '0x2',
      accessList: [],
      chainId: '0x7a69',
      v: '0x1',
      r: txHash,
      s: hash,
      yParity: '0x1',
    })
    const own: object[] = []
    if (isToken) {
      const topics = [transferTopic, word(from.slice(2)), word(to.slice(2).toLowerCase())]
      const data = word(paidUnits.toString(16))
      const log = {
        address: token.toLowerCase(),
        topics,
        data,
        ...place,
        logIndex: hex(logs.length),
        removed: false,
      }
      own.push(log)
      logs.push(log)
    }
    if (!isOurs) continue
    paid.push({ address: to, isToken })
    const receipt = { ...place, from, status: '0x1', gasUsed: '0x5208', effectiveGasPrice: '0x1', logs: own }
    receipts.set(txHash, JSON.stringify(receipt))
  }
  const header = {
    hash,
    number: blockNumber,
    parentHash: hashOf(`block ${height - 1}`),
    timestamp: hex(1_700_000_000 + height),
    baseFeePerGas: '0x7',
    gasLimit: '0x1c9c380',
    gasUsed: '0x1000000',
    logsBloom: `0x${'00'.repeat(256)}`,
  }
  return {
    hash,
    receipts,
    paid,
    full: JSON.stringify({ ...header, transactions }),
    header: JSON.stringify({ ...header, transactions: [] }),
    logs: JSON.stringify(logs),
  }
}
