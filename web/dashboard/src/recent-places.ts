import type { RouteName } from './routes.ts'

const keptPlaces = 'sluice.recent'
const mostKept = 30

/** A resource that the user looked at. */
export type RecentPlace = {
  readonly path: string
  readonly name: RouteName
  /** What people know it by. */
  readonly title: string
}

/** Remembers in this browser that the user looked at it just now. */
export function rememberPlace(userId: string, place: RecentPlace): void {
  const others = kept(userId).filter(({ path }) => path !== place.path)
  localStorage.setItem(keptPlaces, JSON.stringify({ userId, places: [place, ...others].slice(0, mostKept) }))
}

/** The resources below a path that the user looked at, the last first. */
export function recentPlaces(userId: string, below: string, most: number): RecentPlace[] {
  return kept(userId)
    .filter(({ path }) => path.startsWith(`${below}/`))
    .slice(0, most)
}

/** Forgets them all: someone else may use this browser. */
export function forgetPlaces(): void {
  localStorage.removeItem(keptPlaces)
}

function kept(userId: string): readonly RecentPlace[] {
  const stored = JSON.parse(localStorage.getItem(keptPlaces) ?? '{}') as {
    readonly userId?: string
    readonly places?: readonly RecentPlace[]
  }
  return stored.userId === userId ? (stored.places ?? []) : []
}
