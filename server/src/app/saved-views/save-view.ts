import { ServiceError } from '../../domain/errors.ts'
import { uuidv7 } from '../../domain/ids.ts'
import { actorIn, type Person } from '../../domain/people.ts'
import { listsOpenTo, type SavedViewList } from '../../domain/saved-views.ts'
import type { SavedView } from '../../store/people/saved-views.ts'
import type { App } from '../app.ts'
import { noteAct } from '../audit/note-act.ts'
import { demandRoom, holdViews, nameTaken, viewName, viewQuery } from './own-view.ts'

/** How many views a user can save at a merchant. */
const maxOwn = 100

export type NewView = {
  readonly list: SavedViewList
  readonly name: string
  readonly query: string
  readonly isShared: boolean
}

/** Saves a view of a list under a name. */
export async function saveView(
  app: App,
  person: Person,
  merchantId: string,
  { list, name, query, isShared }: NewView,
): Promise<SavedView> {
  return app.transaction(async (tx) => {
    const role = await holdViews(tx, person, merchantId)
    if (!listsOpenTo(role).includes(list))
      throw new ServiceError(
        'forbidden',
        'Your role may not do this. Ask an owner or administrator of the merchant.',
      )
    const count = await tx.savedViews.count(merchantId, person.userId)
    if (count.own >= maxOwn)
      throw new ServiceError('conflict', `A user can save at most ${maxOwn} views. Delete one first.`)
    if (isShared) demandRoom(count)
    const view: SavedView = {
      id: uuidv7(app.now()),
      merchantId,
      userId: person.userId,
      ownerName: person.name,
      list,
      name: viewName(name),
      query: viewQuery(list, query),
      isShared,
    }
    if (!(await tx.savedViews.insert(view))) throw nameTaken(view.name)
    await noteAct(tx, actorIn(person), merchantId, {
      environment: null,
      action: 'view.saved',
      subject: view.id,
      details: { list, name: view.name, is_shared: isShared },
    })
    return view
  })
}
