const rangePattern = /^(\d{1,10})(?:-(\d{1,10}))?$/

/** Whether a server has all ledgers from one number to another, by its own word (`complete_ledgers`: `1-5,8`). */
export function holdsAll(held: string, first: bigint, last: bigint): boolean {
  return held.split(',').some((range) => {
    const [, from, to = from] = rangePattern.exec(range.trim()) ?? []
    return from !== undefined && to !== undefined && BigInt(from) <= first && last <= BigInt(to)
  })
}
