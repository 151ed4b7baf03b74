import { connect, type Socket } from 'node:net'

/**
 * Connections that each send one request after the other, as bytes, and read only enough of the answer to find its end:
 * the load generator must not use more of the machine than the service.
 */
export async function openConnections(url: string, count: number): Promise<Connection[]> {
  const { hostname, port } = new URL(url)
  return Promise.all(Array.from({ length: count }, () => open(hostname, Number(port))))
}

export type Connection = {
  /** Sends and waits for the whole answer; throws when its status differs. */
  send(request: string, status: number): Promise<string>
  close(): void
}

export function requestText(
  method: 'GET' | 'POST',
  url: string,
  options: { key?: string; cookie?: string; body?: string } = {},
): string {
  const { host, pathname, search } = new URL(url)
  const { key, cookie, body } = options
  const lines = [`${method} ${pathname}${search} HTTP/1.1`, `Host: ${host}`]
  if (key !== undefined) lines.push(`X-API-Key: ${key}`)
  if (cookie !== undefined) lines.push(`Cookie: ${cookie}`)
  if (body !== undefined)
    lines.push('Content-Type: application/json', `Content-Length: ${Buffer.byteLength(body)}`)
  return `${lines.join('\r\n')}\r\n\r\n${body ?? ''}`
}

/** Answers per second over all connections for this long, each sending what `next` returns. */
export async function answersPerSecond(
  connections: readonly Connection[],
  next: () => string,
  status: number,
  seconds: number,
): Promise<number> {
  const startedAt = performance.now()
  const endsAt = startedAt + seconds * 1000
  let answers = 0
  await Promise.all(
    connections.map(async (connection) => {
      while (performance.now() < endsAt) {
        await connection.send(next(), status)
        answers++
      }
    }),
  )
  return answers / ((performance.now() - startedAt) / 1000)
}

async function open(host: string, port: number): Promise<Connection> {
  const socket: Socket = connect({ host, port, noDelay: true })
  socket.setEncoding('latin1')
  let received = ''
  let settle: { resolve: (answer: string) => void; reject: (error: Error) => void } | null = null
  socket.on('data', (chunk: string) => {
    received += chunk
    const headEnd = received.indexOf('\r\n\r\n')
    if (headEnd < 0) return
    const length = /content-length: (\d+)/i.exec(received.slice(0, headEnd))?.[1]
    if (length === undefined || received.length < headEnd + 4 + Number(length)) return
    const answer = received
    received = ''
    settle?.resolve(answer)
  })
  socket.on('error', (error) => settle?.reject(error))
  socket.on('close', () => settle?.reject(new Error('The connection was closed.')))
  await new Promise<void>((resolve, reject) => socket.once('connect', resolve).once('error', reject))
  return {
    async send(request, status) {
      const answer = await new Promise<string>((resolve, reject) => {
        settle = { resolve, reject }
        socket.write(request)
      })
      if (!answer.startsWith(`HTTP/1.1 ${status} `)) throw new Error(`Not a ${status}: ${answer}`)
      return answer
    },
    close: () => socket.destroy(),
  }
}
