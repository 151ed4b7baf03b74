import { randomBytes } from 'node:crypto'
import type { Block } from '../../server/src/domain/chain.ts'
import { parseDecimal } from '../../server/src/domain/money.ts'

const decimals = 8

type Transaction = {
  readonly txid: string
  readonly vout: readonly {
    readonly n: number
    readonly value: string
    readonly scriptPubKey: { readonly address?: string }
  }[]
}

type NodeBlock = {
  readonly hash: string
  readonly previousblockhash: string
  readonly height: number
  readonly time: number
  readonly tx: readonly Transaction[]
}

/** A block as Bitcoin Core's `getblock` returns it with verbosity 2, one output per transaction. */
export function blockText(
  block: { hash: string; parentHash: string; height: number },
  addresses: readonly string[],
): string {
  const tx = addresses.map((address) => {
    const hex = (bytes: number) => randomBytes(bytes).toString('hex')
    const txid = hex(32)
    const witness = `["${hex(71)}","${hex(33)}"]`
    const script = `{"asm":"0 ${hex(20)}","desc":"addr(${address})#${hex(4)}","hex":"0014${hex(20)}","address":"${address}","type":"witness_v0_keyhash"}`
    const input = `{"txid":"${hex(32)}","vout":1,"scriptSig":{"asm":"","hex":""},"txinwitness":${witness},"sequence":4294967293}`
    return `{"txid":"${txid}","hash":"${hex(32)}","version":2,"size":191,"vsize":110,"weight":437,"locktime":0,"vin":[${input}],"vout":[{"value":0.00150000,"n":0,"scriptPubKey":${script}}],"fee":0.00001410,"hex":"${hex(191)}"}`
  })
  const time = Math.floor(Date.now() / 1000)
  return `{"result":{"hash":"${block.hash}","confirmations":1,"height":${block.height},"version":536870912,"merkleroot":"${randomBytes(32).toString('hex')}","time":${time},"mediantime":${time},"nonce":1,"bits":"1d00ffff","difficulty":1,"chainwork":"00","nTx":${tx.length},"previousblockhash":"${block.parentHash}","tx":[${tx.join(',')}]},"error":null,"id":1}`
}

/** Reads such a block. Amounts stay text until they are units: a float would lose digits. */
export function parseBlock(text: string): Block {
  const exact = text.replaceAll(/"value":\s*([0-9.eE+-]+)/g, '"value":"$1"')
  const { result } = JSON.parse(exact) as { result: NodeBlock }
  return {
    height: BigInt(result.height),
    hash: result.hash,
    parentHash: result.previousblockhash,
    minedAt: new Date(result.time * 1000),
    transfers: result.tx.flatMap(({ txid, vout }) =>
      vout.flatMap(({ n, value, scriptPubKey: { address } }) => {
        const units = parseDecimal(value, decimals)
        if (units === null) throw new Error(`Not an amount: ${value}`)
        if (address === undefined) return []
        return [{ txHash: txid, outputIndex: n, currency: 'BTC', address, tag: null, units }]
      }),
    ),
  }
}
