/** A position in the log of a PostgreSQL server: `16/B374D848` is 0x16B374D848. */
export function readLsn(text: string): bigint {
  const [high = '', low = ''] = text.split('/')
  return (BigInt(`0x${high}`) << 32n) | BigInt(`0x${low}`)
}

export function lsnText(lsn: bigint): string {
  return `${(lsn >> 32n).toString(16).toUpperCase()}/${(lsn & 0xffffffffn).toString(16).toUpperCase()}`
}

/** The name of the segment file that holds a position. */
export function segmentName(timeline: number, lsn: bigint, segmentBytes: number): string {
  const number = lsn / BigInt(segmentBytes)
  const perFile = 0x100000000n / BigInt(segmentBytes)
  return [BigInt(timeline), number / perFile, number % perFile]
    .map((part) => part.toString(16).toUpperCase().padStart(8, '0'))
    .join('')
}

/** The position at which a segment file starts. */
export function segmentStart(name: string, segmentBytes: number): bigint {
  const [high, low] = [name.slice(8, 16), name.slice(16, 24)].map((part) => BigInt(`0x${part}`))
  return ((high ?? 0n) << 32n) + (low ?? 0n) * BigInt(segmentBytes)
}
