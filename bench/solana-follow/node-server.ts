/** A node that serves a chain generated at its start: full blocks in the form of real ones, every tenth slot empty. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { blockText, genesis } from './chain.ts'

const blockCount = Number(process.argv[2])
const ownCount = Number(process.argv[3])
const mint = String(process.argv[4])
const slots = Array.from({ length: blockCount + 1 }, (_, height) => height + Math.floor(height / 9))
const heights = new Map(slots.map((slot, height) => [slot, height]))
const blocks = slots.map((_, height) =>
  blockText(height, slots[Math.max(0, height - 1)] ?? 0, ownCount, mint),
)
const headers = blocks.map((text) => {
  const { transactions: _, ...header } = JSON.parse(text)
  return JSON.stringify(header)
})
const calls = new Map<string, number>()
let tip = 0

// biome-ignore lint/suspicious/noExplicitAny: whatever a node may be asked
function answer(method: string, params: any[]): string {
  calls.set(method, (calls.get(method) ?? 0) + 1)
  switch (method) {
    case 'bench_tip':
      tip = params[0]
      return String(slots[tip])
    case 'bench_slot':
      return String(slots[params[0]])
    case 'bench_calls': {
      const counted = JSON.stringify(Object.fromEntries(calls))
      calls.clear()
      return counted
    }
    case 'getGenesisHash':
      return JSON.stringify(genesis)
    case 'getHealth':
      return '"ok"'
    case 'getSlot':
      return String(slots[tip])
    case 'getBlocks':
      return JSON.stringify(
        slots.filter((slot, height) => height <= tip && slot >= params[0] && slot <= params[1]),
      )
    case 'getBlock': {
      const height = heights.get(params[0])
      const from = params[1].transactionDetails === 'none' ? headers : blocks
      return height === undefined || height > tip ? 'null' : (from[height] as string)
    }
    default:
      return 'null'
  }
}

const server = createServer(async (request, response) => {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  const { id, method, params } = JSON.parse(Buffer.concat(chunks).toString('utf8'))
  response
    .writeHead(200, { 'Content-Type': 'application/json' })
    .end(`{"jsonrpc":"2.0","id":${id},"result":${answer(method, params)}}`)
})
server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo
  console.log(JSON.stringify({ url: `http://127.0.0.1:${port}`, blockBytes: blocks.at(-1)?.length }))
})
process.on('SIGTERM', () => {
  server.close()
  server.closeAllConnections()
})
