/** The signer's latest record of a keychain: no address at or above `below` was ever given out. */
export type NotedGrant = {
  readonly below: number
  readonly stamp: string
  /** Whether no more addresses could be given out when it was recorded: then `below` is exactly where they ended. */
  readonly isClosed: boolean
  /** Whether the signer has recorded this stamp for the keychain, now or earlier. */
  knows(stamp: string): boolean
}

/** How far a keychain's addresses are given out, according to a database. */
export type GivenAddresses = {
  readonly given: number
  readonly grant: { readonly first: number; readonly stamp: string; readonly isAlive: boolean } | null
}

/** How far a keychain's addresses are given out, judging by the database alone. */
export function reachedBy({ given, grant }: GivenAddresses): number {
  return Math.max(given, grant?.first ?? 0)
}

/**
 * The first position of a keychain that was never given out, even if the database has forgotten some; null when the
 * signer cannot know. A database whose grant is still alive knows best. A database that may have been restored is
 * trusted only if the signer had withdrawn its last grant, so that nothing could be given out since. Otherwise every
 * granted address may have been given out.
 */
export function firstToGive(database: GivenAddresses, noted: NotedGrant | null): number | null {
  const { grant } = database
  const reached = reachedBy(database)
  if (grant?.isAlive) return reached
  if (noted === null) return grant === null ? reached : null
  if (grant?.stamp === noted.stamp && noted.isClosed) return reached
  if (grant !== null && !noted.knows(grant.stamp)) return null
  return Math.max(reached, noted.below)
}
