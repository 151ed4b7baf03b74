/** What the signer has noted last of a keychain: nothing at or above `below` was ever given. */
export type NotedGrant = {
  readonly below: number
  readonly stamp: string
  /** Whether nothing could be given any more when it was noted, so that `below` is exactly how far it went. */
  readonly isClosed: boolean
  /** Whether a stamp is one that the signer has noted for this keychain, this one or an earlier one. */
  knows(stamp: string): boolean
}

/** How far a database says that a keychain's addresses are given. */
export type GivenAddresses = {
  readonly given: number
  readonly grant: { readonly first: number; readonly stamp: string; readonly isAlive: boolean } | null
}

/** Where a keychain stands by the database alone. */
export function reachedBy({ given, grant }: GivenAddresses): number {
  return Math.max(given, grant?.first ?? 0)
}

/**
 * The first position of a keychain that nobody was ever given, whatever the database has forgotten; null when the signer
 * cannot know. A database that goes on living knows best. One that may have been restored is believed only if nothing
 * could be given since the signer took its last grant back; otherwise everything that was granted may have been given.
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
