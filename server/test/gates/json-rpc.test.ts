import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { type AddressInfo, createServer as createTcpServer, type Server } from 'node:net'
import { afterEach, expect, it } from 'vitest'
import { GateOutageError } from '../../src/gates/gate.ts'
import { jsonRpc, type NodeRpc, type NodeRpcOptions, RpcRefusal } from '../../src/gates/json-rpc.ts'

const ends: (() => unknown)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end()
})

type Exchange = {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly id: number
  /** How many requests this connection has carried before. */
  readonly before: number
}

/** A node that answers as told, and counts the requests. */
async function startNode(answer: (exchange: Exchange) => void, host = '127.0.0.1') {
  const seen = { requests: 0, connections: 0 }
  const used = new WeakMap<object, number>()
  const server = createServer(async (request, response) => {
    const { socket } = request
    const before = used.get(socket) ?? 0
    used.set(socket, before + 1)
    seen.requests++
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    answer({ request, response, id: JSON.parse(Buffer.concat(chunks).toString()).id, before })
  })
  server.on('connection', () => seen.connections++)
  server.listen(0, host)
  await once(server, 'listening')
  ends.push(() => {
    server.closeAllConnections()
    server.close()
  })
  return { seen, port: portOf(server) }
}

function portOf(server: Server): number {
  return (server.address() as AddressInfo).port
}

function ask(url: string, options: Partial<NodeRpcOptions> = {}): NodeRpc {
  const rpc = jsonRpc({ version: '2.0', parse: JSON.parse, unready: [] }, { url, ...options })
  ends.push(() => rpc.close())
  return rpc
}

const result = ({ response, id }: Exchange, value: unknown = 'well') =>
  response.end(JSON.stringify({ jsonrpc: '2.0', id, result: value }))

it('connections are kept and reused', async () => {
  const { seen, port } = await startNode(result)
  const rpc = ask(`http://127.0.0.1:${port}`)
  for (let n = 0; n < 20; n++) expect(await rpc.call('x')).toBe('well')
  expect(seen.requests).toBe(20)
  expect(seen.connections).toBeLessThanOrEqual(2)
})

it.each(['reset', 'closed'])('a kept connection that the node has %s is not an outage', async (how) => {
  const { seen, port } = await startNode((exchange) => {
    const { socket } = exchange.request
    if (exchange.before === 0) result(exchange)
    else if (how === 'reset') socket.resetAndDestroy()
    else socket.end()
  })
  const rpc = ask(`http://127.0.0.1:${port}`)
  for (let n = 0; n < 10; n++) expect(await rpc.call('x')).toBe('well')
  // Each connection answers once, and some requests were retried.
  expect(seen.connections).toBe(10)
  expect(seen.requests).toBeGreaterThan(10)
})

it.each(['reset', 'closed'])(
  'a new connection that is %s is an outage, and nothing is sent twice',
  async (how) => {
    const { seen, port } = await startNode(({ request: { socket } }) => {
      if (how === 'reset') socket.resetAndDestroy()
      else socket.end()
    })
    await expect(ask(`http://127.0.0.1:${port}`).call('x')).rejects.toBeInstanceOf(GateOutageError)
    expect(seen.requests).toBe(1)
  },
)

it('an answer that breaks off is an outage, on a kept connection too, and nothing is sent twice', async () => {
  const { seen, port } = await startNode((exchange) => {
    if (exchange.before === 0) return result(exchange)
    exchange.response.writeHead(200, { 'Content-Length': 100 }).write('{"result":')
    setTimeout(() => exchange.request.socket.resetAndDestroy(), 50)
  })
  const rpc = ask(`http://127.0.0.1:${port}`)
  let calls = 0
  const untilItBreaks = async () => {
    for (calls = 1; calls <= 10; calls++) await rpc.call('x')
  }
  await expect(untilItBreaks()).rejects.toThrow('broke off its answer')
  expect(seen.requests).toBe(calls)
})

it('a timeout of the node fails every call, including those that wait for a connection', async () => {
  const { port } = await startNode(() => {})
  const rpc = ask(`http://127.0.0.1:${port}`, { timeoutMs: 500 })
  const before = performance.now()
  const calls = Array.from({ length: 30 }, () => rpc.call('x'))
  await Promise.all(calls.map((call) => expect(call).rejects.toThrow('did not answer within 500 ms')))
  expect(performance.now() - before).toBeLessThan(2_000)
})

it('a timeout also fails a call whose connection is still being made', async () => {
  // Accepts the connection and never answers the TLS handshake.
  const server = createTcpServer(() => {}).listen(0, '127.0.0.1')
  await once(server, 'listening')
  ends.push(() => server.close())
  const before = performance.now()
  await expect(ask(`https://127.0.0.1:${portOf(server)}`, { timeoutMs: 300 }).call('x')).rejects.toThrow(
    'did not answer within 300 ms',
  )
  expect(performance.now() - before).toBeLessThan(1_500)
})

it('no more is read than the limit', async () => {
  const { port } = await startNode((exchange) => result(exchange, 'x'.repeat(2_000)))
  await expect(ask(`http://127.0.0.1:${port}`, { maxAnswerBytes: 1_000 }).call('x')).rejects.toThrow(
    'answered with more than 1000 bytes',
  )
})

it('a redirect is not followed', async () => {
  const other = await startNode(result)
  const { port } = await startNode(({ response }) =>
    response.writeHead(307, { Location: `http://127.0.0.1:${other.port}/` }).end('elsewhere'),
  )
  await expect(ask(`http://127.0.0.1:${port}`).call('x')).rejects.toThrow(
    'answered with status 307 and no JSON: elsewhere',
  )
  expect(other.seen.requests).toBe(0)
})

it('the path, the query and the credentials of the URL are sent, over IPv6 too', async () => {
  const heard: unknown[] = []
  const node = await startNode((exchange) => {
    const { url, method, headers } = exchange.request
    heard.push([method, url, headers.host, headers.authorization, headers['content-type']])
    result(exchange)
  }, '::1')
  await ask(`http://us%40er:p%C3%A4ss@[::1]:${node.port}/v3/key?a=b`).call('x')
  expect(heard).toEqual([
    [
      'POST',
      '/v3/key?a=b',
      `[::1]:${node.port}`,
      `Basic ${Buffer.from('us@er:päss').toString('base64')}`,
      'application/json',
    ],
  ])
})

it('a call after close is an outage', async () => {
  const { port } = await startNode(() => {})
  const rpc = ask(`http://127.0.0.1:${port}`)
  const waiting = expect(rpc.call('x')).rejects.toBeInstanceOf(GateOutageError)
  rpc.close()
  await waiting
})

it('an error whose message has no text is refused, or an outage, like any other', async () => {
  const error = (code: number) => ({ code, message: { toString: null } })
  let code = -32_000
  const { port } = await startNode(({ response, id }) =>
    response.end(JSON.stringify({ jsonrpc: '2.0', id, error: error(code) })),
  )
  const isTooOften = (_: number, message: string) => message.includes('limit')
  const dialect = { version: '2.0', parse: JSON.parse, unready: [-28], isTooOften } as const
  const rpc = jsonRpc(dialect, { url: `http://127.0.0.1:${port}` })
  ends.push(() => rpc.close())
  await expect(rpc.call('x')).rejects.toThrow(RpcRefusal)
  code = -28
  await expect(rpc.call('x')).rejects.toThrow('is not ready yet: something else')
})
