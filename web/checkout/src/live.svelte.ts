import type { CheckoutToken } from '@sluice/web/contract'
import { untrack } from 'svelte'
import { type CheckoutApi, checkoutApi } from './api.ts'
import { tellParent } from './embed.ts'
import { type Follower, follow } from './follow.ts'
import type { Session } from './session.svelte.ts'
import { pageTitle } from './status.ts'

const tickMs = 1_000
const offersEveryMs = 60_000
const reloadAgainAfterMs = 60_000

/** Starts the hydrated page: its clock, its connection, its title and its frame. */
export function live(session: Session, token: CheckoutToken | null): void {
  session.alive = true
  setInterval(() => {
    session.nowMs = Date.now()
  }, tickMs)
  $effect.root(() => {
    $effect(() => {
      document.title = pageTitle(session)
      document.documentElement.lang = session.language
      document.documentElement.dir = session.direction
    })
  })
  if (session.embedded) tellParent(session)
  if (token !== null && session.checkout !== null) connect(session, token)
}

function connect(session: Session, token: CheckoutToken): void {
  const serviceNowMs = () => Date.parse(session.heard.said) + (Date.now() - session.heard.heardAtMs)
  const api = checkoutApi(token, serviceNowMs)
  session.api = api
  const follower = follow(api, {
    streamed: session.streamed,
    asking: session.asking,
    connected(connected) {
      session.connected = connected
    },
    tokenLost() {
      if (!reloadOnce()) session.outdated = true
    },
  })
  refreshWhenSeen(follower)
  $effect.root(() => {
    // The service decides when the window ends; the page asks as soon as the time is up, once: every answer sets its clock anew.
    const isOver = $derived(session.secondsLeft === 0)
    $effect(() => {
      if (isOver) untrack(() => follower.refresh())
    })
  })
  setInterval(() => void refreshOffers(session, api), offersEveryMs)
}

function refreshWhenSeen(follower: Follower): void {
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'visible') follower.refresh()
  })
  addEventListener('online', () => follower.refresh())
  addEventListener('pageshow', (event) => {
    if (event.persisted) follower.refresh()
  })
}

/** Rates change while the payer decides. On failure the last estimates stay; the choice itself fixes the amount. */
async function refreshOffers(session: Session, api: CheckoutApi): Promise<void> {
  const isChoosing = () => session.checkout?.phase === 'choose' || session.changing
  if (!isChoosing() || session.busy || document.visibilityState !== 'visible') return
  const offers = await api.assets().catch(() => null)
  if (offers !== null && isChoosing()) session.offers = offers
}

/** A phone wakes up with an expired token; a reloaded page brings a new one. Never twice in a row. */
function reloadOnce(): boolean {
  const [navigation] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[]
  if (navigation?.type === 'reload' && performance.now() < reloadAgainAfterMs) return false
  location.reload()
  return true
}
