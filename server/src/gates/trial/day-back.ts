import type { Block } from '../../domain/chain.ts'

const secondsInDay = 86_400

/** How many blocks about a day has, by the times of these; `assumed` seconds between two where the times do not tell. */
export function dayBack(
  headers: readonly Pick<Block, 'minedAt'>[],
  { least, most, assumed }: { readonly least: number; readonly most: number; readonly assumed: number },
): { blocks: bigint; inWords: string } {
  const [first, last] = [headers[0], headers.at(-1)]
  const seconds =
    first === undefined || last === undefined || first === last
      ? assumed
      : (last.minedAt.getTime() - first.minedAt.getTime()) / 1000 / (headers.length - 1)
  const blocks = Math.ceil(secondsInDay / Math.min(most, Math.max(least, seconds)))
  return { blocks: BigInt(blocks), inWords: 'about a day' }
}
