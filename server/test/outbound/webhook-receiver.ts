import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import { createServer as createTlsServer, type TLSSocket } from 'node:tls'

/** One request as received, and how many its connection has carried, including this one. */
export type Received = { readonly head: string; readonly body: string; readonly nth: number }

export type Receiver = {
  readonly port: number
  readonly requests: Received[]
  /** Connections made and ended so far, and bytes received (after decryption). */
  connections: number
  closed: number
  bytes: number
  /** The local address at which each connection arrived, and the server name requested by TLS. */
  readonly arrivedAt: (string | undefined)[]
  servername: string | false | null
  /** What it sends before it gets a request. */
  greeting: string
  /** How the receiver answers a request. */
  answer: (socket: Socket, request: Received) => void
  close(): Promise<void>
}

export type Certificate = { readonly key: string; readonly cert: string }

/** A webhook receiver that can misbehave: it writes any bytes that a test wants. */
export async function startReceiver(host = '127.0.0.1', certificate?: Certificate): Promise<Receiver> {
  const sockets = new Set<Socket>()
  const accept = (socket: Socket) => {
    let pending = Buffer.alloc(0)
    let nth = 0
    socket.on('data', (chunk) => {
      receiver.bytes += chunk.length
      pending = Buffer.concat([pending, chunk])
      for (let whole = readRequest(pending); whole !== null; whole = readRequest(pending)) {
        pending = pending.subarray(whole.length)
        nth += 1
        const request = { head: whole.head, body: whole.body, nth }
        receiver.requests.push(request)
        receiver.answer(socket, request)
      }
    })
    socket.on('error', () => {})
  }
  const server: Server =
    certificate === undefined
      ? createServer(accept)
      : createTlsServer(certificate, (socket: TLSSocket) => {
          receiver.servername = socket.servername
          accept(socket)
        })
  server.on('connection', (socket: Socket) => {
    receiver.connections += 1
    receiver.arrivedAt.push(socket.localAddress)
    sockets.add(socket)
    if (receiver.greeting !== '') socket.write(receiver.greeting)
    socket.on('error', () => {})
    socket.once('close', () => {
      receiver.closed += 1
      sockets.delete(socket)
    })
  })
  server.listen(0, host)
  await once(server, 'listening')
  const receiver: Receiver = {
    port: (server.address() as AddressInfo).port,
    requests: [],
    connections: 0,
    closed: 0,
    bytes: 0,
    arrivedAt: [],
    servername: null,
    greeting: '',
    answer: (socket) => socket.write(answerOf(200, 'thanks')),
    async close() {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
  return receiver
}

/** A complete answer with the given status. */
export function answerOf(status: number, body = '', headers: Record<string, string | number> = {}): string {
  const lines = Object.entries({ 'content-length': Buffer.byteLength(body), ...headers })
  return `HTTP/1.1 ${status} X\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n${body}`
}

/** A self-signed certificate, valid for a day, for names such as `DNS:a.example` or `IP:127.0.0.1`. */
export function makeCertificate(subject: string): Certificate {
  const text = execFileSync(
    '/usr/bin/openssl',
    [
      'req',
      '-x509',
      '-newkey',
      'ec',
      '-pkeyopt',
      'ec_paramgen_curve:prime256v1',
      '-nodes',
      '-days',
      '1',
      '-subj',
      '/CN=sluice-test',
      '-addext',
      `subjectAltName=${subject}`,
      '-keyout',
      '-',
      '-out',
      '-',
    ],
    { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] },
  )
  const [key = ''] = /-----BEGIN PRIVATE KEY-----[\s\S]*?-----END PRIVATE KEY-----/.exec(text) ?? []
  const [cert = ''] = /-----BEGIN CERTIFICATE-----[\s\S]*?-----END CERTIFICATE-----/.exec(text) ?? []
  return { key, cert }
}

function readRequest(bytes: Buffer): { head: string; body: string; length: number } | null {
  const end = bytes.indexOf('\r\n\r\n')
  if (end < 0) return null
  const head = bytes.toString('utf8', 0, end)
  const length = end + 4 + Number(/^content-length: (\d+)$/im.exec(head)?.[1] ?? 0)
  return bytes.length < length ? null : { head, body: bytes.toString('utf8', end + 4, length), length }
}
