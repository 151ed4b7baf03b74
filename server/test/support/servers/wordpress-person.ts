export type WordpressPage = {
  readonly status: number
  readonly location: string | null
  readonly html: string
}

/** A browser at a WordPress: it keeps cookies and sends forms as they stand in a page. It follows no redirect. */
export class WordpressPerson {
  readonly #url: string
  readonly #cookies = new Map<string, string>()

  constructor(url: string) {
    this.#url = url
  }

  async signIn(name: string, password: string): Promise<void> {
    await this.open('/wp-login.php')
    const { status, html } = await this.post('/wp-login.php', { log: name, pwd: password, testcookie: '1' })
    if (status !== 302) throw new Error(`${name} could not sign in: ${textOf(html)}`)
  }

  open(address: string): Promise<WordpressPage> {
    return this.#ask(address, {})
  }

  post(address: string, form: Record<string, string> | FormData): Promise<WordpressPage> {
    return this.#ask(address, {
      method: 'POST',
      body: form instanceof FormData ? form : new URLSearchParams(form),
    })
  }

  async #ask(address: string, init: RequestInit): Promise<WordpressPage> {
    const cookie = [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const answer = await fetch(new URL(address, `${this.#url}/wp-admin/`), {
      redirect: 'manual',
      headers: { cookie },
      ...init,
    })
    for (const line of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      if (/expires=Thu, 01 Jan 1970|Max-Age=0/i.test(line)) this.#cookies.delete(name)
      else this.#cookies.set(name, value)
    }
    return {
      status: answer.status,
      location: answer.headers.get('location'),
      html: bodyOf(await answer.text()),
    }
  }
}

/** Of a page of the admin, what is below WordPress's own menus. */
function bodyOf(html: string): string {
  const at = html.indexOf('<div id="wpbody"')
  return at < 0 ? html : html.slice(at)
}

/** The fields of the form with this id that have a value, as a browser would send them. */
export function fieldsOf({ html }: WordpressPage, id: string): Record<string, string> {
  const form = new RegExp(`<form[^>]*\\bid="${id}"[^>]*>(.*?)</form>`, 's').exec(html)?.[1]
  if (form === undefined) throw new Error(`The page has no form ${id}: ${textOf(html)}`)
  return Object.fromEntries(
    [...form.matchAll(/<input\b[^>]*>/g)]
      .map(([tag]) => [attribute(tag, 'name'), attribute(tag, 'value')] as const)
      .filter(([name]) => name !== ''),
  )
}

/** Where the link with these words in its address leads. */
export function linkIn({ html }: WordpressPage, ...words: string[]): string {
  const links = [...html.matchAll(/<a\b[^>]*>/g)].map(([tag]) => attribute(tag, 'href'))
  const found = links.find((link) => words.every((word) => link.includes(word)))
  if (found === undefined) throw new Error(`The page has no link with ${words.join(' and ')}.`)
  return found
}

function textOf(html: string): string {
  return html.replaceAll(/<(script|style)\b.*?<\/\1>|<[^>]*>/gs, ' ').replaceAll(/\s+/g, ' ')
}

const entities: Record<string, string> = {
  '&amp;': '&',
  '&#038;': '&',
  '&quot;': '"',
  '&#039;': "'",
  '&lt;': '<',
  '&gt;': '>',
}

function attribute(tag: string, name: string): string {
  const value = new RegExp(`\\s${name}=(?:"([^"]*)"|'([^']*)')`).exec(tag)
  return (value?.[1] ?? value?.[2] ?? '').replaceAll(/&[#\w]+;/g, (entity) => entities[entity] ?? entity)
}
