import { tick } from 'svelte'
import { matchRoute, type Route } from './routes.ts'

type Kept = { readonly scroll?: number }

/** What of the browser's window the router works with. */
export type RouterWindow = Pick<
  Window,
  'location' | 'history' | 'addEventListener' | 'removeEventListener' | 'scrollTo' | 'scrollY'
>

/** Which page is shown, by the browser's address alone: every state worth coming back to is in there. */
export class Router {
  url: URL
  #window: RouterWindow
  /** Another page was asked for: its title takes the focus as soon as it is there. */
  arriving = false

  constructor(over: RouterWindow) {
    this.#window = over
    this.url = $state.raw(new URL(over.location.href))
    over.history.scrollRestoration = 'manual'
  }

  get route(): Route | null {
    return matchRoute(this.url.pathname)
  }

  get query(): URLSearchParams {
    return this.url.searchParams
  }

  /** The page of a list that the address names, from 1. */
  get pageNumber(): number {
    const asked = Number(this.query.get('page') ?? 1)
    return Number.isSafeInteger(asked) && asked >= 1 ? asked : 1
  }

  /** Goes to another address of the dashboard. */
  go(href: string, { replace = false }: { replace?: boolean } = {}): void {
    const url = new URL(href, this.url)
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

  /** Changes parts of the query: null takes one out. Another filter begins at the first page again. */
  ask(changes: Readonly<Record<string, string | null>>): void {
    const url = new URL(this.url)
    if (!('page' in changes)) url.searchParams.delete('page')
    for (const [name, value] of Object.entries(changes)) {
      if (value === null || value === '') url.searchParams.delete(name)
      else url.searchParams.set(name, value)
    }
    this.go(url.href)
  }

  /** Follows the back button and every ordinary click on a link to the dashboard. Returns how to stop. */
  start(links: Pick<Document, 'addEventListener' | 'removeEventListener'>): () => void {
    const moved = (event: PopStateEvent) => {
      const before = this.url.pathname
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

/** Where a click leads within the dashboard, or null when it is the browser's to follow: another tab, site or download. */
function followed(event: MouseEvent, here: URL): string | null {
  if (event.defaultPrevented || event.button !== 0) return null
  if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return null
  const link = (event.target as Element | null)?.closest('a')
  if (link?.target !== '' || link.hasAttribute('download')) return null
  const url = new URL(link.href, here)
  const within = url.pathname === '/dashboard' || url.pathname.startsWith('/dashboard/')
  return url.origin === here.origin && within && url.hash === '' ? url.href : null
}
