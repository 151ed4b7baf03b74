import type { Data, GetId } from '@sluice/web/ui/operation.ts'
import type { Call, PagedId, RowOf } from './api/calls.ts'
import type { Page } from './api/client.ts'
import { getDesk } from './desk.svelte.ts'
import { rowsPerPage } from './list-view.svelte.ts'
import { keepShown, shownBefore } from './shown-data.ts'

// A change made here may take the service a moment, for example to send a delivery or notice a payment.
const soonMs = [700, 2_000]

/** Data requested from the service: loading, loaded, or refused. */
export class Loaded<Data> {
  data = $state.raw<Data | null>(null)
  error = $state.raw<unknown>(null)
  /** There is nothing to show yet. */
  get waiting(): boolean {
    return this.data === null && this.error === null
  }
  /** Replaces it with newer data that the service has just returned. */
  show(data: Data): void {
    this.data = data
    this.error = null
  }
  again: () => void = () => {}
}

/**
 * Loads data, and loads it again when its inputs change, after a change made here and shortly after that, and
 * periodically while the window is visible. `key` identifies the data; null loads nothing. Call it while a component is
 * being created.
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
      loaded.data = shownBefore<Data>(name)
      loaded.error = null
    }
    const asking = new AbortController()
    ask(asking.signal).then(
      (data) => {
        if (asking.signal.aborted) return
        loaded.show(data)
        keepShown(name, data)
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

/** The data of a call; null loads nothing. */
export function loadOne<Id extends GetId>(call: () => Call<Id> | null, everyMs?: number): Loaded<Data<Id>> {
  const { api } = getDesk()
  return loadCall('one', call, api.make, everyMs)
}

/** The rows of a call. */
export function loadRows<Id extends GetId>(
  call: () => Call<Id> | null,
  everyMs?: number,
): Loaded<Page<RowOf<Id>>> {
  const { api } = getDesk()
  return loadCall('rows', call, api.list, everyMs)
}

/** One page of a list; the URL says which one. */
export function loadList<Id extends PagedId>(
  call: () => Call<Id> | null,
  everyMs?: number,
): Loaded<Page<RowOf<Id>>> {
  const { router } = getDesk()
  return loadRows(() => {
    const limit = rowsPerPage(router.query)
    const page = { limit, offset: (router.pageNumber - 1) * limit }
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
      // Without a call the key is null, and nothing is loaded.
      if (asked === null) throw new Error('Loading without a call.')
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
