import { type Part, search } from './search.ts'

/**
 * Lets a reader search all guides in the browser, without a request for each word. The field and its results are in the
 * page; without script the field stays hidden, and the list of guides is all there is.
 */
export function attachSearch(page: Document): void {
  const form = page.querySelector<HTMLFormElement>('#search')
  const field = form?.querySelector('input')
  const results = page.querySelector<HTMLUListElement>('#results')
  const status = page.querySelector<HTMLElement>('#search-status')
  if (!form || !field || !results || !status) return
  form.hidden = false

  let loading: Promise<Part[]> | null = null
  const load = () => {
    loading ??= fetch(form.dataset.index ?? '').then(async (response) => {
      if (!response.ok) throw new Error(`The index answered ${response.status}.`)
      return (await response.json()) as Part[]
    })
    loading.catch(() => {
      loading = null
    })
    return loading
  }

  const show = async () => {
    const query = field.value.trim()
    if (query === '') {
      results.replaceChildren()
      results.hidden = true
      status.textContent = ''
      return
    }
    try {
      const found = search(await load(), query)
      // What was typed meanwhile has a search of its own.
      if (field.value.trim() !== query) return
      results.replaceChildren(...found.map(({ part, excerpt }) => itemOf(page, part, excerpt)))
      results.hidden = found.length === 0
      status.textContent = found.length === 0 ? `Nothing about “${query}”.` : countOf(found.length)
    } catch {
      status.textContent = 'The search index did not load. Type again to retry.'
    }
  }

  field.addEventListener('focus', () => void load().catch(() => {}))
  field.addEventListener('input', () => void show())
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    results.querySelector('a')?.click()
  })
  page.addEventListener('keydown', (event) => {
    const isTyping = event.target instanceof HTMLInputElement
    if (event.key === '/' && !isTyping && !event.ctrlKey && !event.metaKey && !event.altKey) {
      event.preventDefault()
      field.focus()
    } else if (event.key === 'Escape' && field.value !== '') {
      field.value = ''
      field.focus()
      void show()
    }
  })
}

function countOf(count: number): string {
  return count === 1 ? '1 result' : `${count} results`
}

function itemOf(page: Document, { href, guide, heading }: Part, excerpt: string): HTMLLIElement {
  const item = page.createElement('li')
  const link = page.createElement('a')
  link.href = href
  const name = page.createElement('strong')
  name.textContent = heading === '' ? guide : `${guide}: ${heading}`
  const about = page.createElement('span')
  about.textContent = excerpt
  link.append(name, about)
  item.append(link)
  return item
}
