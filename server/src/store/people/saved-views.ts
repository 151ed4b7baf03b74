import type { SavedViewList } from '../../domain/saved-views.ts'
import { type Db, sql } from '../sql.ts'

/** A view of one of the dashboard's lists, saved by a member of a merchant. */
export type SavedView = {
  readonly id: string
  readonly merchantId: string
  readonly userId: string
  readonly ownerName: string
  readonly list: SavedViewList
  readonly name: string
  readonly query: string
  readonly isShared: boolean
}

/** The member who looks, and the lists that their role may see. */
export type Viewer = {
  readonly merchantId: string
  readonly userId: string
  readonly lists: readonly SavedViewList[]
}

const columns = sql`
  view.id, view.merchant_id as "merchantId", view.user_id as "userId", users.name as "ownerName", view.list, view.name,
  view.query, view.is_shared as "isShared"`

export function savedViewsOn(db: Db) {
  const seenBy = ({ merchantId, userId, lists }: Viewer) => sql`
    view.merchant_id = ${merchantId} and (view.user_id = ${userId} or view.is_shared) and view.list = any(${[...lists]}::text[])`

  return {
    /** The member's own, and those that are shared with them. As many as members may save and share. */
    async list(viewer: Viewer): Promise<SavedView[]> {
      return sql<SavedView>`
        select ${columns} from saved_views as view join users on users.id = view.user_id
        where ${seenBy(viewer)} order by view.list, view.name_key, view.id`.rows(db)
    },

    /** Null where the member does not see it. */
    async find(viewer: Viewer, id: string): Promise<SavedView | null> {
      return sql<SavedView>`
        select ${columns} from saved_views as view join users on users.id = view.user_id
        where ${seenBy(viewer)} and view.id = ${id}`.maybeOne(db)
    },

    /** Lets one transaction at a time change views of a merchant, so that limits and names hold, and its members stay. */
    async hold(merchantId: string): Promise<void> {
      await sql`select from merchants where id = ${merchantId} for no key update`.run(db)
    },

    /** How many a member has saved, and how many the merchant's members share. */
    async count(merchantId: string, userId: string): Promise<{ own: number; shared: number }> {
      return sql<{ own: number; shared: number }>`
        select (select count(*)::int from saved_views where merchant_id = ${merchantId} and user_id = ${userId}) as own,
          (select count(*)::int from saved_views where merchant_id = ${merchantId} and is_shared) as shared`.one(
        db,
      )
    },

    /** False if the owner has another view of this list by this name. */
    async insert(view: Omit<SavedView, 'ownerName'>): Promise<boolean> {
      const { id, merchantId, userId, list, name, query, isShared } = view
      const added = await sql`
        insert into saved_views (id, merchant_id, user_id, list, name, query, is_shared)
        values (${id}, ${merchantId}, ${userId}, ${list}, ${name}, ${query}, ${isShared})
        on conflict (user_id, merchant_id, list, name_key) do nothing returning id`.run(db)
      return added > 0
    },

    /** Stores name, query and sharing of a view that is held. False if its owner has another one by this name. */
    async change({ id, merchantId, userId, list, name, query, isShared }: SavedView): Promise<boolean> {
      const changed = await sql`
        update saved_views set name = ${name}, query = ${query}, is_shared = ${isShared}
        where id = ${id} and merchant_id = ${merchantId} and not exists (
          select from saved_views as other where other.merchant_id = ${merchantId} and other.user_id = ${userId}
            and other.list = ${list} and other.name_key = lower(${name}::text) and other.id <> ${id})
        returning id`.run(db)
      return changed > 0
    },

    async remove({ id, merchantId }: Pick<SavedView, 'id' | 'merchantId'>): Promise<void> {
      await sql`delete from saved_views where id = ${id} and merchant_id = ${merchantId}`.run(db)
    },
  }
}
