import { tick } from 'svelte'
import { matchRoute, type Route } from './routes.ts'

type Kept = { readonly scroll?: number }

/** The parts of the browser's window that the router uses. */
export type RouterWindow = Pick<
  Window,
  'location' | 'history' | 'addEventListener' | 'removeEventListener' | 'scrollTo' | 'scrollY'
>

/** The current page, determined by the URL alone: every state worth returning to is in it. */
export class Router {
  url: URL
  #window: RouterWindow
  #guards: readonly (() => Promise<boolean>)[] = []
  /** Another page was requested: its title gets the focus as soon as it is rendered. */
  arriving = false

  constructor(over: RouterWindow) {
    this.#window = over
    this.url = $state.raw(new URL(over.location.href))
    over.history.scrollRestoration = 'manual'
  }

  /** Asks before unsaved changes are lost; null if there are none. True: leave. */
  get leaving(): (() => Promise<boolean>) | null {
    return this.#guards.at(-1) ?? null
  }

  /** Lets this ask before the page is left, until the function it returns is called. Of several, the last one asks for all. */
  guard(ask: () => Promise<boolean>): () => void {
    this.#guards = [...this.#guards, ask]
    return () => {
      this.#guards = this.#guards.filter((each) => each !== ask)
    }
  }

  /** Nothing asks any more before this page is left. */
  unguard(): void {
    this.#guards = []
  }

  get route(): Route | null {
    return matchRoute(this.url.pathname)
  }

  get query(): URLSearchParams {
    return this.url.searchParams
  }

  /** The list page in the URL, from 1. */
  get pageNumber(): number {
    const asked = Number(this.query.get('page') ?? 1)
    return Number.isSafeInteger(asked) && asked >= 1 ? asked : 1
  }

  /** Goes to another URL of the dashboard. If unsaved changes would be lost, asks first. */
  go(href: string, { replace = false }: { replace?: boolean } = {}): void {
    const url = new URL(href, this.url)
    if (replace || this.leaving === null || url.pathname === this.url.pathname) {
      this.#go(url, replace)
      return
    }
    void this.#mayLeave().then((yes) => {
      if (yes) this.#go(url, replace)
    })
  }

  /** Whether this page may be left. Once it may, it does not ask again. */
  async #mayLeave(): Promise<boolean> {
    if (this.leaving === null) return true
    const yes = await this.leaving()
    if (yes) this.unguard()
    return yes
  }

  #go(url: URL, replace: boolean): void {
    const samePage = url.pathname === this.url.pathname
    const { history } = this.#window
    if (replace) history.replaceState({}, '', url)
    else {
      history.replaceState({ scroll: this.#window.scrollY } satisfies Kept, '')
      history.pushState({}, '', url)
    }
    this.url = url
    if (samePage) return
    this.#window.scrollTo(0, 0)
    this.arriving = true
  }

  /** Changes parts of the query; null removes one. A new filter starts at the first page. */
  ask(changes: Readonly<Record<string, string | null>>): void {
    const url = new URL(this.url)
    if (!('page' in changes)) url.searchParams.delete('page')
    for (const [name, value] of Object.entries(changes)) {
      if (value === null || value === '') url.searchParams.delete(name)
      else url.searchParams.set(name, value)
    }
    this.go(url.href)
  }

  /** Handles the back button and ordinary clicks on dashboard links. Returns the function that stops it. */
  start(links: Pick<Document, 'addEventListener' | 'removeEventListener'>): () => void {
    const moved = (event: PopStateEvent) => {
      const before = this.url.pathname
      if (this.leaving !== null && this.#window.location.pathname !== before) {
        // The browser has gone back already: this page takes its place again until its user has answered.
        this.#window.history.pushState({}, '', this.url)
        void this.#mayLeave().then((yes) => {
          if (yes) this.#window.history.back()
        })
        return
      }
      this.url = new URL(this.#window.location.href)
      if (before !== this.url.pathname) this.arriving = true
      const { scroll = 0 } = (event.state ?? {}) as Kept
      void tick().then(() => this.#window.scrollTo(0, scroll))
    }
    const clicked = (event: Event) => {
      const href = followed(event as MouseEvent, this.url)
      if (href === null) return
      event.preventDefault()
      this.go(href)
    }
    this.#window.addEventListener('popstate', moved)
    links.addEventListener('click', clicked)
    return () => {
      this.#window.removeEventListener('popstate', moved)
      links.removeEventListener('click', clicked)
    }
  }
}

/** The dashboard URL of a click, or null if the browser should handle it: another tab, site or download. */
function followed(event: MouseEvent, here: URL): string | null {
  if (event.defaultPrevented || event.button !== 0) return null
  if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return null
  const link = (event.target as Element | null)?.closest('a')
  if (link?.target !== '' || link.hasAttribute('download')) return null
  const url = new URL(link.href, here)
  const within = url.pathname === '/dashboard' || url.pathname.startsWith('/dashboard/')
  return url.origin === here.origin && within && url.hash === '' ? url.href : null
}
