const keptEnds = 'sluice.set-up-ended'
const mostKept = 50

/** Whether the user has yet to be told, in this browser, that a merchant's set-up is done. */
export function isEndUntold(userId: string, merchantId: string): boolean {
  return !kept().includes(named(userId, merchantId))
}

/** Remembers in this browser that the user was told. */
export function noteEndTold(userId: string, merchantId: string): void {
  const name = named(userId, merchantId)
  const others = kept().filter((each) => each !== name)
  localStorage.setItem(keptEnds, JSON.stringify([name, ...others].slice(0, mostKept)))
}

function named(userId: string, merchantId: string): string {
  return `${userId} ${merchantId}`
}

function kept(): readonly string[] {
  return JSON.parse(localStorage.getItem(keptEnds) ?? '[]') as readonly string[]
}
