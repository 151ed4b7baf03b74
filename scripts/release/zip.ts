import { crc32, deflateRawSync } from 'node:zlib'

// The earliest time that a ZIP archive can hold. Any fixed one does.
const writtenAt = { date: (1 << 5) | 1, time: 0 }
const deflated = 8
/** UTF-8 names (general purpose bit 11). */
const flags = 0x0800
const needs = 20
const madeOnUnix = (3 << 8) | needs
const plainFile = 0o100644 * 2 ** 16

export type ZipEntry = { readonly name: string; readonly contents: Buffer }

/** A ZIP archive (PKWARE's APPNOTE 6.3). The same files make the same bytes on every machine and every day. */
export function zipped(entries: readonly ZipEntry[]): Buffer {
  const bodies: Buffer[] = []
  const directory: Buffer[] = []
  let offset = 0
  for (const { name, contents } of [...entries].sort((one, other) => (one.name < other.name ? -1 : 1))) {
    const path = Buffer.from(name)
    const body = deflateRawSync(contents, { level: 9 })
    const shared = Buffer.alloc(26)
    shared.writeUInt16LE(needs, 0)
    shared.writeUInt16LE(flags, 2)
    shared.writeUInt16LE(deflated, 4)
    shared.writeUInt16LE(writtenAt.time, 6)
    shared.writeUInt16LE(writtenAt.date, 8)
    shared.writeUInt32LE(crc32(contents), 10)
    shared.writeUInt32LE(body.length, 14)
    shared.writeUInt32LE(contents.length, 18)
    shared.writeUInt16LE(path.length, 22)
    const rest = Buffer.alloc(14)
    rest.writeUInt32LE(plainFile, 6)
    rest.writeUInt32LE(offset, 10)
    bodies.push(Buffer.from('PK\x03\x04'), shared, path, body)
    directory.push(Buffer.from('PK\x01\x02'), uint16(madeOnUnix), shared, rest, path)
    offset += 30 + path.length + body.length
  }
  const index = Buffer.concat(directory)
  const end = Buffer.alloc(22)
  end.write('PK\x05\x06', 0, 'latin1')
  end.writeUInt16LE(entries.length, 8)
  end.writeUInt16LE(entries.length, 10)
  end.writeUInt32LE(index.length, 12)
  end.writeUInt32LE(offset, 16)
  return Buffer.concat([...bodies, index, end])
}

function uint16(value: number): Buffer {
  const bytes = Buffer.alloc(2)
  bytes.writeUInt16LE(value)
  return bytes
}
