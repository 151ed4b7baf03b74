import { createSocket } from 'node:dgram'
import { once } from 'node:events'

const typeA = 1
const headerBytes = 12

export type DnsAnswerer = {
  /** For `setServers` of a resolver. */
  readonly server: string
  /** The addresses of each name, one list per answer; the last one is repeated. `silent` never answers. */
  readonly names: Map<string, (string[] | 'silent')[]>
  /** The names whose IPv4 addresses were asked for. */
  readonly asked: string[]
  close(): Promise<void>
}

/** A small DNS server on loopback (RFC 1035) that can change its answer between two queries. */
export async function startDnsAnswerer(): Promise<DnsAnswerer> {
  const names: DnsAnswerer['names'] = new Map()
  const asked: string[] = []
  const socket = createSocket('udp4')
  socket.on('message', (query, from) => {
    const { name, type, end } = readQuestion(query)
    const answers = names.get(name)
    const answer =
      type === typeA && answers !== undefined && answers.length > 1 ? answers.shift() : answers?.[0]
    if (type === typeA) asked.push(name)
    if (answer === 'silent') return
    const addresses = type === typeA ? (answer ?? []) : []
    const header = Buffer.from(query.subarray(0, headerBytes))
    header.writeUInt16BE(answers === undefined ? 0x8183 : 0x8180, 2)
    header.writeUInt16BE(addresses.length, 6)
    header.writeUInt32BE(0, 8)
    const records = addresses.map((address) =>
      // The name as a reference to the question, type A, class IN, TTL 0, four bytes.
      Buffer.from([0xc0, headerBytes, 0, typeA, 0, 1, 0, 0, 0, 0, 0, 4, ...address.split('.').map(Number)]),
    )
    socket.send(
      Buffer.concat([header, query.subarray(headerBytes, end), ...records]),
      from.port,
      from.address,
    )
  })
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  return {
    server: `127.0.0.1:${socket.address().port}`,
    names,
    asked,
    close: () => new Promise((resolve) => socket.close(() => resolve())),
  }
}

function readQuestion(query: Buffer): { name: string; type: number; end: number } {
  const labels: string[] = []
  let at = headerBytes
  for (let length = query.readUInt8(at); length > 0; length = query.readUInt8(at)) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length))
    at += 1 + length
  }
  return { name: labels.join('.').toLowerCase(), type: query.readUInt16BE(at + 1), end: at + 5 }
}
