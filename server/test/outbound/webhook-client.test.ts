import { execFile } from 'node:child_process'
import { Socket } from 'node:net'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { gzipSync } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { nothingAllowed, readAllowList } from '../../src/outbound/webhooks/allow-list.ts'
import {
  createWebhookClient,
  type WebhookClient,
  type WebhookClientOptions,
} from '../../src/outbound/webhooks/webhook-client.ts'
import { answerOf, type Receiver, startReceiver } from './webhook-receiver.ts'

const { allow } = readAllowList(['127.0.0.0/8', '::1'])
const dayMs = 24 * 60 * 60 * 1000

/** Posts one webhook from a process of its own. */
const program = `
  const { readAllowList } = await import(process.env.SOURCES + 'allow-list.ts')
  const { createWebhookClient } = await import(process.env.SOURCES + 'webhook-client.ts')
  const client = createWebhookClient({ allow: readAllowList(['127.0.0.1']).allow })
  console.log(JSON.stringify(await client.post({ url: process.env.TARGET, headers: {}, body: '{}' })))
  client.close()
`

let receiver: Receiver
let client: WebhookClient
const others: { close(): unknown }[] = []

beforeEach(async () => {
  receiver = await startReceiver()
  client = createWebhookClient({ allow })
})
afterEach(async () => {
  client.close()
  for (const other of others.splice(0)) await other.close()
  await receiver.close()
})

function clientWith(options: Partial<WebhookClientOptions>): WebhookClient {
  const made = createWebhookClient({ allow, ...options })
  others.push(made)
  return made
}

async function anotherReceiver(host?: string): Promise<Receiver> {
  const made = await startReceiver(host)
  others.push(made)
  return made
}

const urlOf = ({ port }: Receiver) => `http://127.0.0.1:${port}/hook?shop=1`
const post = (by = client, signal?: AbortSignal, url = urlOf(receiver)) =>
  by.post({ url, headers: { 'webhook-id': 'evt_1' }, body: '{"ü":1}', ...(signal && { signal }) })
const allClosed = () => expect.poll(() => receiver.connections - receiver.closed).toBe(0)

describe('a webhook', () => {
  test('arrives as given, and asks for no compression', async () => {
    expect(await post()).toMatchObject({ kind: 'answered', status: 200, gone: false, retryAfterMs: null })
    const [{ head, body } = { head: '', body: '' }] = receiver.requests
    expect(body).toBe('{"ü":1}')
    expect(head.split('\r\n')[0]).toBe('POST /hook?shop=1 HTTP/1.1')
    expect(head).toMatch(/^webhook-id: evt_1$/m)
    expect(head).toMatch(/^content-type: application\/json$/m)
    expect(head).toMatch(/^content-length: 8$/m)
    expect(head).toMatch(/^accept-encoding: identity$/m)
    expect(head).toMatch(new RegExp(`^host: 127.0.0.1:${receiver.port}$`, 'm'))
  })

  test.each([200, 204, 299, 400, 404, 429, 500, 503])(
    'answered with %i is reported with that status',
    async (status) => {
      receiver.answer = (socket) => socket.write(answerOf(status))
      expect(await post()).toMatchObject({ kind: 'answered', status, gone: false })
    },
  )

  test('answered with 410 is no longer wanted', async () => {
    receiver.answer = (socket) => socket.write(answerOf(410))
    expect(await post()).toMatchObject({ status: 410, gone: true })
  })

  test('does not use a proxy named in the environment', async () => {
    const proxy = await anotherReceiver()
    const named = ['HTTP_PROXY', 'http_proxy', 'HTTPS_PROXY', 'https_proxy', 'ALL_PROXY', 'all_proxy']
    const sources = fileURLToPath(new URL('../../src/outbound/webhooks/', import.meta.url))
    // The runtime reads these variables when it starts.
    const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', program], {
      env: {
        SOURCES: sources,
        TARGET: urlOf(receiver),
        NODE_USE_ENV_PROXY: '1',
        ...Object.fromEntries(named.map((name) => [name, `http://127.0.0.1:${proxy.port}`])),
      },
    })
    expect(JSON.parse(stdout)).toMatchObject({ kind: 'answered', status: 200 })
    expect(receiver.requests).toHaveLength(1)
    expect(proxy.connections).toBe(0)
  })

  test('with an invalid header is our mistake, not the receiver’s', async () => {
    const sent = client.post({ url: urlOf(receiver), headers: { 'webhook-id': 'a\nb' }, body: '' })
    await expect(sent).rejects.toThrow(TypeError)
    expect(receiver.requests).toEqual([])
  })

  test('to an invalid URL fails', async () => {
    for (const url of ['', 'ftp://127.0.0.1/', 'nonsense']) {
      expect(await post(client, undefined, url)).toMatchObject({ kind: 'failed', reason: 'bad address' })
    }
  })
})

describe('a redirect', () => {
  test.each([301, 302, 303, 307, 308])('%i is an answer and is not followed', async (status) => {
    const other = await anotherReceiver()
    receiver.answer = (socket) => socket.write(answerOf(status, '', { location: urlOf(other) }))
    expect(await post()).toMatchObject({ kind: 'answered', status })
    expect(other.connections).toBe(0)
  })
})

describe('Retry-After', () => {
  test.each([
    ['120', 120_000],
    ['0', 0],
    ['99999999999999999999', dayMs],
    ['Fri, 31 Dec 2100 23:59:59 GMT', dayMs],
    ['Fri, 31 Dec 1999 23:59:59 GMT', 0],
    ['soon', null],
    ['-5', null],
    ['1e3', null],
  ])('%s', async (text, retryAfterMs) => {
    receiver.answer = (socket) => socket.write(answerOf(429, '', { 'retry-after': text }))
    expect(await post()).toMatchObject({ status: 429, retryAfterMs })
  })
})

describe('a connection', () => {
  test('is reused', async () => {
    for (let round = 0; round < 5; round++) expect(await post()).toMatchObject({ status: 200 })
    expect(receiver.requests.map(({ nth }) => nth)).toEqual([1, 2, 3, 4, 5])
    expect(receiver.connections).toBe(1)
  })

  test('is closed after a while without use', async () => {
    await post(clientWith({ idleMs: 50 }))
    await allClosed()
  })

  test('that the receiver has closed meanwhile is replaced by a fresh one, and the webhook arrives', async () => {
    await post()
    receiver.answer = (socket, { nth }) => {
      if (nth === 2) socket.resetAndDestroy()
      else socket.write(answerOf(201))
    }
    expect(await post()).toMatchObject({ kind: 'answered', status: 201 })
    expect(receiver.connections).toBe(2)
  })

  test('that is fresh and closed at once is not retried', async () => {
    receiver.answer = (socket) => socket.resetAndDestroy()
    expect(await post()).toMatchObject({ kind: 'failed', reason: 'connection broken', code: 'ECONNRESET' })
    expect(receiver.requests).toHaveLength(1)
  })

  test('closed twice in a row fails, because there is only one retry', async () => {
    await post()
    receiver.answer = (socket) => socket.resetAndDestroy()
    expect(await post()).toMatchObject({ kind: 'failed', reason: 'connection broken' })
    expect(receiver.requests).toHaveLength(3)
  })

  test('that is refused has a reason of its own', async () => {
    const gone = await startReceiver()
    await gone.close()
    const outcome = await post(client, undefined, urlOf(gone))
    expect(outcome).toMatchObject({ kind: 'failed', reason: 'connection refused', code: 'ECONNREFUSED' })
  })

  test('that is never established is given up and leaves nothing open', async () => {
    const socket = new Socket()
    const outcome = await post(clientWith({ timeoutMs: 100, connect: () => socket }))
    expect(outcome).toMatchObject({ kind: 'failed', reason: 'timed out' })
    expect(socket.destroyed).toBe(true)
  })
})

describe('a hostile answer', () => {
  const trickle = (socket: Socket, head: string) => {
    socket.write(head)
    const timer = setInterval(() => socket.write('x'), 10)
    socket.once('close', () => clearInterval(timer))
  }
  const flood = (socket: Socket, piece: Buffer) => {
    const pour = () => {
      while (socket.writable && socket.write(piece));
    }
    socket.on('drain', pour)
    pour()
  }

  test.each([
    ['none at all', () => {}],
    ['dripping headers', (socket: Socket) => trickle(socket, 'HTTP/1.1 200 OK\r\nx: ')],
    [
      'a body that trickles',
      (socket: Socket) => trickle(socket, 'HTTP/1.1 200 OK\r\ncontent-length: 9999\r\n\r\n'),
    ],
  ])('%s ends at the time limit', async (_name, answer) => {
    receiver.answer = answer
    expect(await post(clientWith({ timeoutMs: 200 }))).toMatchObject({ kind: 'failed', reason: 'timed out' })
    await allClosed()
  })

  test('without end is cut off, and its status counts', async () => {
    receiver.answer = (socket) => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n')
      flood(socket, Buffer.alloc(65_536, 'x'))
    }
    expect(await post()).toMatchObject({ kind: 'answered', status: 200 })
    await allClosed()
  })

  test('that is compressed a thousandfold stays compressed', async () => {
    const bomb = gzipSync(Buffer.alloc(32 * 1024 * 1024))
    receiver.answer = (socket) => {
      socket.write(`HTTP/1.1 500 X\r\ncontent-encoding: gzip\r\ncontent-length: ${bomb.length}\r\n\r\n`)
      socket.write(bomb)
    }
    expect(await post()).toMatchObject({ kind: 'answered', status: 500 })
    await allClosed()
  })

  test.each([
    ['huge headers', `HTTP/1.1 200 OK\r\nx: ${'x'.repeat(20_000)}\r\n\r\n`],
    ['very many headers', `HTTP/1.1 200 OK\r\n${'x: y\r\n'.repeat(20_000)}\r\n`],
    ['no HTTP', 'SSH-2.0-OpenSSH_9.2p1\r\n'],
    ['two lengths', 'HTTP/1.1 200 OK\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\nxx'],
    ['another protocol', 'HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n'],
    ['interim answers without end', 'HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(100)],
    ['a bad chunk', 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n'],
  ])('of %s is a bad answer', async (_name, bytes) => {
    receiver.answer = (socket) => socket.write(bytes)
    expect(await post()).toMatchObject({ kind: 'failed', reason: 'bad answer' })
    await allClosed()
  })

  test.each([
    [
      'reset',
      (socket: Socket) =>
        socket.write(answerOf(200, 'x', { 'content-length': 9 }), () => socket.resetAndDestroy()),
    ],
    ['ended', (socket: Socket) => socket.end(answerOf(200, 'x', { 'content-length': 9 }))],
    ['ended before it began', (socket: Socket) => socket.end()],
  ])('%s halfway is a broken connection', async (_name, answer) => {
    receiver.answer = answer
    expect(await post()).toMatchObject({ kind: 'failed', reason: 'connection broken' })
    await allClosed()
  })
})

describe('many webhooks at once', () => {
  test('share a bounded number of connections to one host, and all arrive', async () => {
    let most = 0
    let open = 0
    receiver.answer = (socket) => {
      most = Math.max(most, ++open)
      setImmediate(() => {
        open -= 1
        socket.write(answerOf(200))
      })
    }
    const bounded = clientWith({ perHost: 3 })
    const outcomes = await Promise.all(Array.from({ length: 30 }, () => post(bounded)))
    expect(outcomes.every((outcome) => outcome.kind === 'answered')).toBe(true)
    expect(most).toBeLessThanOrEqual(3)
    expect(receiver.connections).toBeLessThanOrEqual(3)
  })

  test('to a host that does not answer leave room for others, and those beyond the limit fail on our side', async () => {
    receiver.answer = () => {}
    const other = await anotherReceiver('127.0.0.2')
    const bounded = clientWith({ perHost: 1, inAll: 2, waitMs: 50, timeoutMs: 5000 })
    const stop = new AbortController()
    const stuck = post(bounded, stop.signal)
    expect(await post(bounded)).toMatchObject({ kind: 'failed', reason: 'busy' })
    expect(await post(bounded, undefined, `http://127.0.0.2:${other.port}/`)).toMatchObject({ status: 200 })
    stop.abort(new Error('enough'))
    await expect(stuck).rejects.toThrow('enough')
  })
})

describe('the caller’s signal', () => {
  test('stops an exchange with the caller’s own error', async () => {
    const stop = new AbortController()
    receiver.answer = () => stop.abort(new Error('shutting down'))
    await expect(post(client, stop.signal)).rejects.toThrow('shutting down')
    await allClosed()
  })

  test('aborted before the start sends nothing', async () => {
    await expect(post(client, AbortSignal.abort(new Error('too late')))).rejects.toThrow('too late')
    expect(receiver.connections).toBe(0)
  })

  test('stops the wait for a connection', async () => {
    const bounded = clientWith({ perHost: 1 })
    const first = new AbortController()
    const second = new AbortController()
    receiver.answer = () => second.abort(new Error('second'))
    const sent = post(bounded, first.signal)
    await expect(post(bounded, second.signal)).rejects.toThrow('second')
    first.abort(new Error('first'))
    await expect(sent).rejects.toThrow('first')
  })
})

test('closing the client closes its connections', async () => {
  await post()
  client.close()
  await allClosed()
})

test('a client without an allow list cannot reach the loopback interface', async () => {
  const strict = clientWith({ allow: nothingAllowed })
  expect(await post(strict)).toMatchObject({ kind: 'failed', reason: 'forbidden address' })
  expect(receiver.connections).toBe(0)
})
