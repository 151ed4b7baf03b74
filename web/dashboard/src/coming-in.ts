import type { Desk } from './desk.svelte.ts'
import { matchRoute, pathTo } from './routes.ts'

/** After signing in: back to the requested page, if it is ours. Users without a second factor are first offered one. */
export async function comeIn(desk: Desk): Promise<void> {
  const back = desk.router.query.get('back')
  const session = await desk.recognise()
  const goal = back !== null && matchRoute(back.split('?')[0] ?? '') !== null ? back : desk.start
  if (session !== null && session.second_factors.length === 0)
    desk.router.go(`${pathTo('welcome', {})}?back=${encodeURIComponent(goal)}`, { replace: true })
  else desk.router.go(goal, { replace: true })
}
