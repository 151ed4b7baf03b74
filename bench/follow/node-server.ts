/** A node that only serves blocks from files: fetching and parsing them is the baseline. */
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

const blocks = process.argv.slice(2).map((file) => readFileSync(file))
const server = createServer((request, response) => {
  const body = blocks[Number(request.url?.slice(1))]
  response.writeHead(body === undefined ? 404 : 200, { 'Content-Type': 'application/json' }).end(body)
})
server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo
  console.log(JSON.stringify({ url: `http://127.0.0.1:${port}` }))
})
process.on('SIGTERM', () => {
  server.close()
  server.closeAllConnections()
})
