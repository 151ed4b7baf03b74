/** A node that serves a chain generated at its start: blocks, logs, receipts and balances in the form of real ones. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type MadeBlock, makeBlock, paidUnits, token } from './chain.ts'

const blockCount = Number(process.argv[2])
const ownCount = Number(process.argv[3])
const blocks = Array.from({ length: blockCount + 1 }, (_, height) => makeBlock(height, ownCount))
const heights = new Map(blocks.map(({ hash }, height) => [hash, height]))
const receipts = new Map(blocks.flatMap((block) => [...block.receipts]))
// By asset and recipient, the heights of their payments.
const payments = new Map<string, number[]>()
for (const [height, { paid }] of blocks.entries())
  for (const { address, isToken } of paid) {
    const name = `${isToken} ${address.slice(2).toLowerCase()}`
    payments.set(name, [...(payments.get(name) ?? []), height])
  }
const calls = new Map<string, number>()
let tip = 0

const programDigits = 80
const addressDigits = 40
const word = (value: bigint) => value.toString(16).padStart(64, '0')

function balance(isToken: boolean, digits: string, height: number): bigint {
  return BigInt((payments.get(`${isToken} ${digits}`) ?? []).filter((at) => at <= height).length) * paidUnits
}

function run({ to, data }: { to?: string; data: string }, height: number): string {
  if (to?.toLowerCase() === token.toLowerCase())
    return `"0x${word(balance(true, data.slice(-addressDigits), height))}"`
  const packed = data.slice(2 + programDigits)
  let words = '00'
  for (let at = 0; at < packed.length; at += addressDigits)
    words += word(balance(false, packed.slice(at, at + addressDigits), height))
  return `"0x${words}"`
}

// biome-ignore lint/suspicious/noExplicitAny: whatever a node may be asked
function answer(method: string, params: any[]): string {
  calls.set(method, (calls.get(method) ?? 0) + 1)
  switch (method) {
    case 'bench_tip':
      tip = params[0]
      return 'true'
    case 'bench_calls': {
      const counted = JSON.stringify(Object.fromEntries(calls))
      calls.clear()
      return counted
    }
    case 'eth_chainId':
      return '"0x7a69"'
    case 'eth_getBlockByNumber': {
      const [tag, isFull] = params
      const height = tag === 'latest' ? tip : Number(tag)
      if (!(height <= tip)) return 'null'
      const { full, header } = blocks[height] as MadeBlock
      return isFull ? full : header
    }
    case 'eth_getLogs':
      return blocks[heights.get(params[0].blockHash) ?? -1]?.logs ?? '[]'
    case 'eth_getTransactionReceipt':
      return receipts.get(params[0]) ?? 'null'
    case 'eth_call':
      return run(params[0], heights.get(params[1].blockHash) ?? 0)
    case 'eth_getTransactionCount':
      return '"0x0"'
    default:
      return 'false'
  }
}

const server = createServer(async (request, response) => {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  const body = JSON.parse(Buffer.concat(chunks).toString('utf8'))
  const one = ({ id, method, params }: { id: number; method: string; params: unknown[] }) =>
    `{"jsonrpc":"2.0","id":${id},"result":${answer(method, params)}}`
  response
    .writeHead(200, { 'Content-Type': 'application/json' })
    .end(Array.isArray(body) ? `[${body.map(one).join(',')}]` : one(body))
})
server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo
  console.log(JSON.stringify({ url: `http://127.0.0.1:${port}` }))
})
process.on('SIGTERM', () => {
  server.close()
  server.closeAllConnections()
})
