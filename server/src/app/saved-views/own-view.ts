import { ServiceError } from '../../domain/errors.ts'
import type { Person } from '../../domain/people.ts'
import { powersOf, type Role } from '../../domain/roles.ts'
import { listsOpenTo, readViewName, readViewQuery, type SavedViewList } from '../../domain/saved-views.ts'
import type { SavedView, Viewer } from '../../store/people/saved-views.ts'
import type { Store } from '../../store/store.ts'

/** How many views the members of a merchant can share. */
const maxShared = 100

/** What a member sees in this role. */
export function viewerOf(merchantId: string, userId: string, role: Role): Viewer {
  return { merchantId, userId, lists: listsOpenTo(role) }
}

/**
 * Lets no one else change views of the merchant until the transaction ends, and returns the person's role as it is now: they may have
 * left, or got another one, since the request arrived.
 */
export async function holdViews(tx: Store, person: Person, merchantId: string): Promise<Role> {
  await tx.savedViews.hold(merchantId)
  const standing = await tx.members.standing(merchantId, person.userId)
  if (standing === null)
    throw new ServiceError('not_found', 'There is no such merchant, or you are not a member.')
  return standing.role
}

/** A view that the person may change: their own, or a shared one if they may change the team. Call `holdViews` first. */
export async function findOwnView(
  tx: Store,
  person: Person,
  role: Role,
  at: { readonly merchantId: string; readonly id: string },
): Promise<SavedView> {
  const view = await tx.savedViews.find(viewerOf(at.merchantId, person.userId, role), at.id)
  if (view === null) throw new ServiceError('not_found', 'There is no such saved view.')
  if (!mayChange(view, person.userId, role))
    throw new ServiceError(
      'forbidden',
      'Only its owner, or someone who may change the team, may change this view. Save one of your own.',
    )
  return view
}

export function mayChange(view: Pick<SavedView, 'userId'>, userId: string, role: Role): boolean {
  return view.userId === userId || powersOf[role].has('team:write')
}

/** The query as it is stored. Throws if it names anything but parameters of the list. */
export function viewQuery(list: SavedViewList, text: string): string {
  const read = readViewQuery(list, text)
  if ('query' in read) return read.query
  throw invalid(`/query: ${read.problem}`)
}

/** The name as it is stored. Throws if it has characters that cannot be seen. */
export function viewName(text: string): string {
  const read = readViewName(text)
  if ('name' in read) return read.name
  throw invalid(`/name: ${read.problem}`)
}

function invalid(problem: string): ServiceError {
  return new ServiceError(
    'validation_error',
    'The request is not valid. Correct the problems listed in details.',
    [problem],
  )
}

/** Throws if the team shares as many views as it can. */
export function demandRoom({ shared }: { readonly shared: number }): void {
  if (shared >= maxShared)
    throw new ServiceError(
      'conflict',
      `A team can share at most ${maxShared} views. Delete one, or stop sharing it, first.`,
    )
}

export function nameTaken(name: string): ServiceError {
  return new ServiceError(
    'conflict',
    `There is already a view of this list by the name “${name}”. Choose another name.`,
    ['/name: is the name of another view of this list'],
  )
}
