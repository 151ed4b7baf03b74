import type { Desk } from './desk.svelte.ts'
import { matchRoute, pathTo } from './routes.ts'

/**
 * After signing in: back to the requested page, if it is ours. Before that, a printed
 * password has to be replaced, and users without a second factor are offered one.
 */
export async function comeIn(desk: Desk): Promise<void> {
  const back = desk.router.query.get('back')
  const session = await desk.recognise()
  const goal = back !== null && matchRoute(back.split('?')[0] ?? '') !== null ? back : desk.start
  const first = session?.must_change_password
    ? 'new_password'
    : session?.second_factors.length === 0
      ? 'welcome'
      : null
  if (first !== null)
    desk.router.go(`${pathTo(first, {})}?back=${encodeURIComponent(goal)}`, { replace: true })
  else desk.router.go(goal, { replace: true })
}
