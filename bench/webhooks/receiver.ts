/** A webhook receiver in its own process: accepts everything, and reports what arrived when. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

let arrivals: [id: string, at: number][] = []

const server = createServer((request, response) => {
  if (request.method === 'GET') {
    response.end(JSON.stringify(arrivals))
    if (request.url === '/forget') arrivals = []
    return
  }
  request.resume()
  request.once('end', () => {
    arrivals.push([String(request.headers['webhook-id']), performance.timeOrigin + performance.now()])
    response.end()
  })
})
server.keepAliveTimeout = 60_000
server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo
  console.log(JSON.stringify({ url: `http://127.0.0.1:${port}` }))
})
process.once('SIGTERM', () => process.exit())
