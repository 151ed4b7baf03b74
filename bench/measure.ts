/** One measured figure of ours with the baseline of the same run. */
export type Ratio = {
  readonly ours: number
  readonly baseline: number
  readonly ratio: number
  /** Of both figures; default `/s`. */
  readonly unit?: string
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN
}

/**
 * Measures both in turn, several times, and takes the median ratio: these machines are noisy, and a disturbance slows
 * both sides of a round.
 */
export async function interleave(
  rounds: number,
  baseline: () => Promise<number>,
  ours: () => Promise<number>,
  unit = '/s',
): Promise<Ratio> {
  const measured: Ratio[] = []
  for (let round = 1; round <= rounds; round++) {
    const base = await baseline()
    const own = await ours()
    measured.push({ ours: own, baseline: base, ratio: own / base, unit })
    console.log(
      `  round ${round} of ${rounds}: ${shown(own, unit)} against ${shown(base, unit)}, ${(own / base).toFixed(2)}`,
    )
  }
  const middle = measured.sort((a, b) => a.ratio - b.ratio)[Math.floor(rounds / 2)]
  if (middle === undefined) throw new Error('no rounds')
  return middle
}

export function shown(value: number, unit: string): string {
  return `${value.toFixed(value < 100 ? 2 : 0)}${unit === '/s' ? unit : ` ${unit}`}`
}
