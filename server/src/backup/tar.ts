import { BackupError } from './error.ts'

/** A file, a folder or a link of an archive. `content` must be read before the next entry. */
export type TarEntry = {
  readonly path: string
  readonly mode: number
  readonly kind: 'file' | 'folder' | 'link'
  readonly bytes: number
  readonly content: AsyncGenerator<Buffer>
}

const blockBytes = 512

/** The entries of a tar archive (POSIX ustar), as PostgreSQL and `writeTar` write it. */
export async function* readTar(source: AsyncIterable<Buffer> | Iterable<Buffer>): AsyncGenerator<TarEntry> {
  const input = parts()
  async function* parts(): AsyncGenerator<Buffer> {
    yield* source
  }
  let held: Buffer = Buffer.alloc(0)
  // Between 1 and `most` bytes, or null at the end.
  const take = async (most: number): Promise<Buffer | null> => {
    while (held.length === 0) {
      const { value, done } = await input.next()
      if (done === true) return null
      held = value
    }
    const taken = held.subarray(0, most)
    held = held.subarray(taken.length)
    return taken
  }
  async function* exactly(bytes: number): AsyncGenerator<Buffer> {
    for (let left = bytes; left > 0; ) {
      const part = await take(left)
      if (part === null) throw new BackupError('The archive ends in the middle of a file.')
      left -= part.length
      yield part
    }
  }
  for (;;) {
    const header = await gather(exactly(blockBytes))
    if (header.every((byte) => byte === 0)) return
    const bytes = numberIn(header, 124, 12)
    checkSum(header)
    const type = String.fromCharCode(header[156] ?? 0)
    const prefix = textIn(header, 345, 155)
    const content = exactly(type === '0' || type === '\0' ? bytes : 0)
    yield {
      path: `${prefix === '' ? '' : `${prefix}/`}${textIn(header, 0, 100)}`,
      mode: numberIn(header, 100, 8) & 0o777,
      kind: type === '5' ? 'folder' : type === '2' ? 'link' : 'file',
      bytes,
      content,
    }
    for await (const _ of content);
    const padding = type === '0' || type === '\0' ? (blockBytes - (bytes % blockBytes)) % blockBytes : 0
    for await (const _ of exactly(padding));
  }
}

/** The whole content of an entry. */
export async function gather(parts: AsyncIterable<Buffer>): Promise<Buffer> {
  const all: Buffer[] = []
  for await (const part of parts) all.push(part)
  return Buffer.concat(all)
}

/** A tar archive of small files. */
export function writeTar(
  files: readonly { readonly path: string; readonly mode: number; readonly content: Buffer }[],
): Buffer {
  const blocks = files.flatMap(({ path, mode, content }) => {
    const header = Buffer.alloc(blockBytes)
    if (Buffer.byteLength(path) >= 100) throw new BackupError(`${path} has too long a name for a backup.`)
    header.write(path, 0)
    for (const [at, value] of [
      [100, mode],
      [108, 0],
      [116, 0],
    ] as const)
      header.write(`${value.toString(8).padStart(7, '0')}\0`, at)
    for (const [at, value] of [
      [124, content.length],
      [136, 0],
    ] as const)
      header.write(`${value.toString(8).padStart(11, '0')}\0`, at)
    header.write('0', 156)
    header.write('ustar\x0000', 257)
    header.write(`${sumOf(header).toString(8).padStart(6, '0')}\0 `, 148)
    return [header, content, Buffer.alloc((blockBytes - (content.length % blockBytes)) % blockBytes)]
  })
  return Buffer.concat([...blocks, Buffer.alloc(2 * blockBytes)])
}

function sumOf(header: Buffer): number {
  // The checksum's own field counts as spaces.
  return header.reduce((sum, byte, at) => sum + (at >= 148 && at < 156 ? 32 : byte), 0)
}

function checkSum(header: Buffer): void {
  if (sumOf(header) !== numberIn(header, 148, 8)) throw new BackupError('The archive is damaged.')
}

function textIn(header: Buffer, at: number, length: number): string {
  const field = header.subarray(at, at + length)
  const end = field.indexOf(0)
  return field.toString('utf8', 0, end === -1 ? length : end)
}

/** Octal digits; or, for large files, the first bit set and a binary number. */
function numberIn(header: Buffer, at: number, length: number): number {
  if (((header[at] ?? 0) & 0x80) !== 0) return header.readUIntBE(at + length - 6, 6)
  const text = textIn(header, at, length).trim()
  if (!/^[0-7]*$/.test(text)) throw new BackupError('The archive is damaged.')
  return text === '' ? 0 : Number.parseInt(text, 8)
}
