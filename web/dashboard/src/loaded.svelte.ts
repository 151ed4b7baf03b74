import type { Data, GetId } from '@sluice/web/ui/operation.ts'
import type { Call, PagedId, RowOf } from './api/calls.ts'
import type { Page } from './api/client.ts'
import { getDesk } from './desk.svelte.ts'

// What was changed from here takes the service a moment: a delivery, a payment that is noticed.
const soonMs = [700, 2_000]

// What was shown last is shown again at once when somebody comes back, while the newest is on its way.
const kept = new Map<string, unknown>()
const mostKept = 60

/** Forgets everything that was shown: somebody else may sit down here. */
export function forgetShown(): void {
  kept.clear()
}

/** Something the service was asked for: on its way, here, or refused. */
export class Loaded<Data> {
  data = $state.raw<Data | null>(null)
  error = $state.raw<unknown>(null)
  /** Nothing to show yet. */
  get waiting(): boolean {
    return this.data === null && this.error === null
  }
  /** Puts something newer in its place that the service has just answered with. */
  show(data: Data): void {
    this.data = data
    this.error = null
  }
  again: () => void = () => {}
}

/**
 * Asks, and asks again when what it depends on changes, when something was changed from here, soon after that, and every so
 * often while the window is looked at. `key` names what is asked for; null asks nothing. To be called while a component is made.
 */
export function load<Data>(
  key: () => string | null,
  ask: (signal: AbortSignal) => Promise<Data>,
  everyMs?: number,
): Loaded<Data> {
  const desk = getDesk()
  const loaded = new Loaded<Data>()
  let asked = $state(0)
  loaded.again = () => {
    asked++
  }
  let shownKey: string | null = null
  $effect(() => {
    const name = key()
    void [desk.changes, asked]
    if (name === null) return
    if (name !== shownKey) {
      shownKey = name
      loaded.data = (kept.get(name) as Data | undefined) ?? null
      loaded.error = null
    }
    const asking = new AbortController()
    ask(asking.signal).then(
      (data) => {
        if (asking.signal.aborted) return
        loaded.show(data)
        kept.delete(name)
        kept.set(name, data)
        const [oldest] = kept.keys()
        if (kept.size > mostKept && oldest !== undefined) kept.delete(oldest)
      },
      (error: unknown) => {
        if (!asking.signal.aborted) loaded.error = error
      },
    )
    return () => asking.abort()
  })
  if (everyMs !== undefined) {
    const before = desk.changes
    $effect(() => {
      if (desk.changes === before) return
      const timers = soonMs.map((ms) => setTimeout(loaded.again, ms))
      return () => timers.forEach(clearTimeout)
    })
    $effect(() => {
      const timer = setInterval(() => {
        if (document.visibilityState === 'visible') asked++
      }, everyMs)
      return () => clearInterval(timer)
    })
  }
  return loaded
}

/** What a call answers with; null asks nothing. */
export function loadOne<Id extends GetId>(call: () => Call<Id> | null, everyMs?: number): Loaded<Data<Id>> {
  const { api } = getDesk()
  return loadCall('one', call, api.make, everyMs)
}

/** The rows that a call lists. */
export function loadRows<Id extends GetId>(
  call: () => Call<Id> | null,
  everyMs?: number,
): Loaded<Page<RowOf<Id>>> {
  const { api } = getDesk()
  return loadCall('rows', call, api.list, everyMs)
}

/** How many rows a page of a table shows. */
const rowsPerPage = 25

/** One page of a list: which one, says the address. */
export function loadList<Id extends PagedId>(
  call: () => Call<Id> | null,
  everyMs?: number,
): Loaded<Page<RowOf<Id>>> {
  const { router } = getDesk()
  return loadRows(() => {
    const page = { limit: rowsPerPage, offset: (router.pageNumber - 1) * rowsPerPage }
    return withAsked(call(), ({ query }) => ({ query: { ...query, ...page } }))
  }, everyMs)
}

function loadCall<Id extends GetId, Answer>(
  kind: string,
  call: () => Call<Id> | null,
  make: (call: Call<Id>) => Promise<Answer>,
  everyMs?: number,
): Loaded<Answer> {
  const { api } = getDesk()
  return load(
    () => {
      const asked = call()
      return asked && `${kind} ${api.address(asked)}`
    },
    (signal) => {
      const asked = withAsked(call(), () => ({ signal }))
      // Nothing is asked while there is no call: the key is null then.
      if (asked === null) throw new Error('Asked for nothing.')
      return make(asked)
    },
    everyMs,
  )
}

function withAsked<Id extends GetId>(
  call: Call<Id> | null,
  more: (asked: Call['asked']) => Call['asked'],
): Call<Id> | null {
  return call && { ...call, asked: { ...call.asked, ...more(call.asked) } }
}
