import { promisify } from 'node:util'
import { constants, zstdCompress, zstdDecompress } from 'node:zlib'
import { type Identity, open, seal } from './age.ts'
import { BackupError } from './error.ts'
import { maxObjectBytes, readSummed, stemOf, type Target, writeSummed } from './target.ts'

/** The bytes `from` (inclusive) to `to` (exclusive) of something that only grows. */
export type Piece = { readonly name: string; readonly from: number; readonly to: number }

const compress = promisify(zstdCompress)
const decompress = promisify(zstdDecompress)
const ending = '.zst.age'
const span = /^(\d{12})-(\d{12})$/

/** Compresses bytes, seals them to the recipients and writes them under a name with their checksum. */
export async function writeSealed(
  target: Target,
  stem: string,
  plain: Buffer,
  recipients: readonly Buffer[],
): Promise<{ readonly name: string; readonly bytes: number }> {
  const packed = await compress(plain, { params: { [constants.ZSTD_c_compressionLevel]: 3 } })
  const sealed = seal(packed, recipients)
  return { name: await writeSummed(target, stem, ending, sealed), bytes: sealed.length }
}

/** Reads what `writeSealed` wrote. Throws with the name if it is damaged or sealed to another key. */
export async function readSealed(target: Target, name: string, identity: Identity): Promise<Buffer> {
  const sealed = await readSummed(target, name)
  let packed: Buffer
  try {
    packed = open(sealed, identity)
  } catch (error) {
    if (!(error instanceof BackupError)) throw error
    throw new BackupError(`${name} in ${target.shown} cannot be opened: ${error.message}.`, { cause: error })
  }
  return decompress(packed, { maxOutputLength: 4 * maxObjectBytes })
}

/** Writes a piece of the series in the folder `series`. */
export async function writePiece(
  target: Target,
  series: string,
  from: number,
  plain: Buffer,
  recipients: readonly Buffer[],
): Promise<void> {
  const place = [from, from + plain.length].map((offset) => String(offset).padStart(12, '0')).join('-')
  await writeSealed(target, `${series}/${place}`, plain, recipients)
}

/** The pieces among `names` that belong to a series. */
export function piecesOf(names: readonly string[], series: string): Piece[] {
  return names.flatMap((name) => {
    const stem = name.startsWith(`${series}/`) ? stemOf(name.slice(series.length + 1)) : null
    const found = span.exec(stem ?? '')
    return found === null ? [] : [{ name, from: Number(found[1]), to: Number(found[2]) }]
  })
}

/** The fewest pieces that hold everything from the start as far as it is known without a gap. */
export function coverOf(pieces: readonly Piece[]): Piece[] {
  const cover: Piece[] = []
  for (let end = 0; ; ) {
    const next = pieces
      .filter(({ from, to }) => from <= end && to > end)
      .reduce<Piece | null>((best, piece) => (best === null || piece.to > best.to ? piece : best), null)
    if (next === null) return cover
    cover.push(next)
    end = next.to
  }
}

/** Reads what the pieces of a cover hold together. */
export async function readCover(
  target: Target,
  cover: readonly Piece[],
  identity: Identity,
): Promise<Buffer[]> {
  const parts: Buffer[] = []
  let end = 0
  for (const { name, from, to } of cover) {
    const plain = await readSealed(target, name, identity)
    if (plain.length !== to - from) throw new BackupError(`${name} in ${target.shown} has another length.`)
    parts.push(plain.subarray(end - from))
    end = to
  }
  return parts
}
