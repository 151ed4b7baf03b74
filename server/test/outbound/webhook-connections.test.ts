import { Resolver } from 'node:dns/promises'
import { connect, type Socket, type TcpNetConnectOpts } from 'node:net'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { nothingAllowed, readAllowList } from '../../src/outbound/webhooks/allow-list.ts'
import { checkTarget } from '../../src/outbound/webhooks/check-target.ts'
import { createLookup } from '../../src/outbound/webhooks/lookup.ts'
import {
  createWebhookClient,
  type WebhookClient,
  type WebhookClientOptions,
} from '../../src/outbound/webhooks/webhook-client.ts'
import { type DnsAnswerer, startDnsAnswerer } from '../support/servers/dns-answerer.ts'
import {
  answerOf,
  type Certificate,
  makeCertificate,
  type Receiver,
  startReceiver,
} from './webhook-receiver.ts'

const publicIp = '93.184.215.14'
const loopback = readAllowList(['127.0.0.1']).allow
const certificate = makeCertificate('DNS:hooks.example,IP:127.0.0.1')

const open: { close(): unknown }[] = []
afterEach(async () => {
  vi.unstubAllEnvs()
  for (const thing of open.splice(0)) await thing.close()
})

function clientWith(options: Partial<WebhookClientOptions>): WebhookClient {
  const client = createWebhookClient({ allow: nothingAllowed, ...options })
  open.push(client)
  return client
}

async function receiverAt(host?: string, trusted?: Certificate): Promise<Receiver> {
  const receiver = await startReceiver(host, trusted)
  open.push(receiver)
  return receiver
}

const post = (client: WebhookClient, url: string) => client.post({ url, headers: {}, body: '{"secret":1}' })
const toLoopback = async () => ['127.0.0.1']

describe('a name', () => {
  let dns: DnsAnswerer
  beforeEach(async () => {
    dns = await startDnsAnswerer()
    open.push(dns)
  })

  const lookup = (host: string) => {
    const resolver = new Resolver()
    resolver.setServers([dns.server])
    return resolver.resolve4(host)
  }

  test('that resolves to us only after the check is not connected to', async () => {
    const receiver = await receiverAt()
    dns.names.set('rebind.example', [[publicIp], ['127.0.0.1']])
    const url = `https://rebind.example:${receiver.port}/`
    expect(await checkTarget(url, { environment: 'live', allow: nothingAllowed, lookup })).toBeNull()
    expect(await post(clientWith({ lookup }), url)).toMatchObject({ reason: 'forbidden address' })
    expect(dns.asked).toEqual(['rebind.example', 'rebind.example'])
    expect(receiver.connections).toBe(0)
  })

  test('is looked up once per connection, and the address that was checked is the one connected to', async () => {
    const receiver = await receiverAt()
    const dialled: unknown[] = []
    dns.names.set('rebind.example', [[publicIp], ['127.0.0.1']])
    const client = clientWith({
      lookup,
      timeoutMs: 2_000,
      connect: (options: TcpNetConnectOpts) => {
        options.lookup?.('rebind.example', { all: true }, (_error, found) => dialled.push(found))
        // No public host is reached from a test.
        return connect({ ...options, lookup: () => {} })
      },
    })
    const outcome = await post(client, `https://rebind.example:${receiver.port}/`)
    expect(outcome).toMatchObject({ kind: 'failed', reason: 'timed out' })
    expect(dialled).toEqual([[{ address: publicIp, family: 4 }]])
    expect(dns.asked).toEqual(['rebind.example'])
    expect(receiver.connections).toBe(0)
  })

  test('with forbidden and permitted addresses is connected to only at the permitted one', async () => {
    const receiver = await receiverAt('0.0.0.0')
    dns.names.set('mixed.example', [['127.0.0.1', '127.0.0.2', '127.0.0.3']])
    const { allow } = readAllowList(['127.0.0.2'])
    const outcome = await post(clientWith({ allow, lookup }), `http://mixed.example:${receiver.port}/`)
    expect(outcome).toMatchObject({ kind: 'answered', status: 200 })
    expect(receiver.arrivedAt).toEqual(['127.0.0.2'])
  })

  test('is resolved by DNS directly, and failures differ for a missing name and a silent server', async () => {
    const receiver = await receiverAt()
    const direct = createLookup(nothingAllowed, [dns.server])
    dns.names.set('hooks.example', [['127.0.0.1']])
    dns.names.set('empty.example', [[]])
    dns.names.set('silent.example', ['silent'])
    const patient = clientWith({ allow: loopback, lookup: direct })
    const outcomeOf = (name: string, client = patient) => post(client, `http://${name}:${receiver.port}/`)
    expect(await outcomeOf('hooks.example')).toMatchObject({ status: 200 })
    expect(await outcomeOf('missing.example')).toMatchObject({ reason: 'name not found', code: 'ENOTFOUND' })
    expect(await outcomeOf('empty.example')).toMatchObject({ reason: 'name not found', code: 'ENODATA' })
    const hasty = clientWith({ allow: loopback, lookup: direct, timeoutMs: 300 })
    expect(await outcomeOf('silent.example', hasty)).toMatchObject({ reason: 'timed out' })
    expect(await outcomeOf('silent.example')).toMatchObject({
      reason: 'name lookup failed',
      code: 'ETIMEOUT',
    })
  })
})

describe('a target that is not permitted', () => {
  const disguises = [
    '127.0.0.1',
    '2130706433',
    '0x7f.1',
    '0177.0.0.1',
    '127.1',
    '127.0.0.1.',
    '%31%32%37.0.0.1',
    '0',
    '[::ffff:127.0.0.1]',
    '[::ffff:7f00:1]',
    '[::ffff:0.0.0.0]',
    '１２７.0.0.1',
    'good.example@127.0.0.1',
    'localhost',
    'localhost.',
    'LOCALHOST',
    '127.0.0.2',
    '[::1]',
  ]

  test.each(disguises)('%s is not connected to', async (host) => {
    const receiver = await receiverAt('0.0.0.0')
    const client = clientWith({})
    for (const scheme of ['http', 'https']) {
      const outcome = await post(client, `${scheme}://${host}:${receiver.port}/`)
      expect(outcome).toMatchObject({ kind: 'failed', reason: 'forbidden address' })
    }
    expect(receiver.connections).toBe(0)
  })

  test('includes every public host without TLS', async () => {
    const dialled: string[] = []
    const dial = (options: TcpNetConnectOpts): Socket => {
      dialled.push(String(options.host))
      return connect(options)
    }
    const client = clientWith({ allow: loopback, connect: dial, lookup: async () => [publicIp] })
    for (const url of ['http://a.example/', `http://${publicIp}/`]) {
      expect(await post(client, url)).toMatchObject({ reason: 'forbidden address' })
    }
    expect(dialled).toEqual([])
  })

  test('is disconnected before a byte is sent if a connection arrives there anyway', async () => {
    const receiver = await receiverAt()
    const astray = () => connect({ host: '127.0.0.1', port: receiver.port })
    const outcome = await post(clientWith({ connect: astray }), `https://${publicIp}/`)
    expect(outcome).toMatchObject({ kind: 'failed', reason: 'forbidden address' })
    await expect.poll(() => receiver.closed).toBe(1)
    expect(receiver.bytes).toBe(0)
  })
})

describe('TLS', () => {
  const trusting = { allow: loopback, ca: certificate.cert, lookup: toLoopback }

  test('verifies the certificate for the host’s name, sends that name to the server, and keeps the connection for the next webhook', async () => {
    const receiver = await receiverAt(undefined, certificate)
    const client = clientWith(trusting)
    for (const name of ['hooks.example', 'HOOKS.example', 'hooks.example.']) {
      expect(await post(client, `https://${name}:${receiver.port}/`)).toMatchObject({ status: 200 })
      expect(receiver.servername).toBe('hooks.example')
    }
    expect(receiver.connections).toBe(1)
    expect(await post(client, `https://127.0.0.1:${receiver.port}/`)).toMatchObject({ status: 200 })
    expect(receiver.connections).toBe(2)
  })

  test('refuses a certificate that is untrusted or for another name, whatever the environment says', async () => {
    vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0')
    const receiver = await receiverAt(undefined, certificate)
    const untrusting = clientWith({ allow: loopback, lookup: toLoopback })
    expect(await post(untrusting, `https://hooks.example:${receiver.port}/`)).toMatchObject({
      kind: 'failed',
      reason: 'TLS failed',
      code: 'DEPTH_ZERO_SELF_SIGNED_CERT',
    })
    expect(await post(clientWith(trusting), `https://other.example:${receiver.port}/`)).toMatchObject({
      kind: 'failed',
      reason: 'TLS failed',
      code: 'ERR_TLS_CERT_ALTNAME_INVALID',
    })
    expect(receiver.bytes).toBe(0)
  })

  test('that is not established fails, and leaves nothing open', async () => {
    const receiver = await receiverAt()
    const url = `https://hooks.example:${receiver.port}/`
    expect(await post(clientWith({ ...trusting, timeoutMs: 200 }), url)).toMatchObject({
      reason: 'timed out',
    })
    await expect.poll(() => receiver.closed).toBe(1)
    // A server that speaks plain HTTP on a TLS port.
    receiver.greeting = answerOf(400)
    expect(await post(clientWith(trusting), url)).toMatchObject({ kind: 'failed', reason: 'TLS failed' })
  })
})

describe('the beginning of an answer', () => {
  /** Connects to our own receiver, but appears to have reached a public host. */
  const seeminglyPublic = (receiver: Receiver) => () => {
    const socket = connect({ host: '127.0.0.1', port: receiver.port })
    Object.defineProperty(socket, 'remoteAddress', { value: publicIp })
    return socket
  }
  const shownBy = async (body: string | Buffer) => {
    const receiver = await receiverAt(undefined, certificate)
    receiver.answer = (socket) => {
      socket.write(answerOf(200, '', { 'content-length': Buffer.byteLength(body) }))
      socket.write(body)
    }
    const client = clientWith({
      ca: certificate.cert,
      lookup: async () => [publicIp],
      connect: seeminglyPublic(receiver),
    })
    const outcome = await post(client, 'https://hooks.example/')
    return outcome.kind === 'answered' ? outcome.head : outcome.reason
  }

  test('from a public host is shown, 1 KiB at most, as text that a database can store', async () => {
    expect(await shownBy('thanks, ü')).toBe('thanks, ü')
    expect(await shownBy('x'.repeat(5000))).toBe('x'.repeat(1024))
    expect(await shownBy(`x${'ü'.repeat(5000)}`)).toBe(`x${'ü'.repeat(511)}`)
    expect(await shownBy(Buffer.from([65, 0, 255, 66]))).toBe('A\ufffd\ufffdB')
  })

  test('from a host that only the allow list permits is never shown', async () => {
    const receiver = await receiverAt()
    receiver.answer = (socket) => socket.write(answerOf(500, 'secret of the house'))
    const outcome = await post(clientWith({ allow: loopback }), `http://127.0.0.1:${receiver.port}/`)
    expect(outcome).toMatchObject({ kind: 'answered', status: 500, head: '' })
  })

  test('from a public host that the allow list names is not shown either', async () => {
    const receiver = await receiverAt(undefined, certificate)
    const client = clientWith({
      allow: readAllowList(['hooks.example']).allow,
      ca: certificate.cert,
      lookup: async () => [publicIp],
      connect: seeminglyPublic(receiver),
    })
    expect(await post(client, 'https://hooks.example/')).toMatchObject({ status: 200, head: '' })
  })
})
