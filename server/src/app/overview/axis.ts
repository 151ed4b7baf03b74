/** The most steps between zero and the farther end of the values, so that a chart's lines stay apart. */
const mostSteps = 4n

/**
 * The values at which a chart draws lines, in ascending order: round numbers at equal distances, with zero among them, that
 * enclose all values. Empty if every value is zero. Whole numbers of the smallest unit, so nothing is rounded.
 */
export function axisFor(values: readonly bigint[]): bigint[] {
  const low = values.reduce((least, value) => (value < least ? value : least), 0n)
  const high = values.reduce((most, value) => (value > most ? value : most), 0n)
  if (low === high) return []
  const step = roundStep(high > -low ? high : -low)
  const [first, last] = [-awayFromZero(-low, step), awayFromZero(high, step)]
  const lines: bigint[] = []
  for (let at = first; at <= last; at++) lines.push(at * step)
  return lines
}

/** The least of 1, 2, 5, 10, 20, 50 … that reaches the value in as many steps as are allowed. */
function roundStep(farthest: bigint): bigint {
  for (let magnitude = 1n; ; magnitude *= 10n)
    for (const digit of [1n, 2n, 5n]) if (digit * magnitude * mostSteps >= farthest) return digit * magnitude
}

/** How many steps reach a value that is not negative. */
function awayFromZero(value: bigint, step: bigint): bigint {
  return (value + step - 1n) / step
}
