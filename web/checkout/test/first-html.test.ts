import type { PageState } from '@sluice/web/checkout'
import { describe, expect, it } from 'vitest'
import { pageState, pages, phases, says } from './fixtures.ts'
import { builtRenderer } from './stand-in-service.ts'

const { render, languageFor } = await builtRenderer()

/** What a payer without script sees: the body without the state for the script. */
const shown = (state: PageState) => {
  const html = render(state, 'a-nonce')
  return html.slice(html.indexOf('<body>'), html.indexOf('<script type="application/json"'))
}

it('every phase of the contract has a page here', () => {
  const covered = new Set(Object.values(pages).map(({ checkout }) => checkout?.phase))
  expect(phases.filter((phase) => !covered.has(phase))).toEqual([])
})

describe.each(Object.entries(pages).map(([name, state]) => ({ name, state })))('$name', ({ name, state }) => {
  it('has the essentials before any script runs', () => {
    const text = shown(state)
      .replaceAll(/<[^>]*>/g, '')
      .replaceAll('&amp;', '&')
      .replaceAll('\u00a0', ' ')
      .replaceAll('\u2011', '-')
    for (const part of says[name as keyof typeof says]) expect(text).toContain(part)
  })

  it('obeys its content security policy: no style attribute, no inline script, no handler, no foreign URL', () => {
    const html = render(state, 'a-nonce')
    const markup = html
      .replace(/<style nonce="a-nonce">[^<]*<\/style>/g, '')
      .replace(/(id="state">)[^<]*/, '$1')
    expect(markup).not.toMatch(/<style|\sstyle=|\son[a-z]+=/)
    const scripts = markup.match(/<script[^>]*>/g)
    expect(scripts).toEqual([
      '<script type="application/json" id="state">',
      expect.stringMatching(/^<script type="module" src="\/checkout-assets\/main-[\w-]+\.js">$/),
    ])
    const addresses = [...markup.matchAll(/\s(?:src|href)="([^"]*)"/g)].map(([, address]) => address)
    const known =
      /^(\/checkout-assets\/|\/pay\/|data:,$|bitcoin:|ethereum:|solana:|xrpl:|https:\/\/(shop\.example|mempool\.space)\/)/
    expect(addresses.filter((address) => !known.test(address ?? ''))).toEqual([])
  })

  it('gives the script exactly the state that it was rendered from', () => {
    const json = /id="state">([^<]*)</.exec(render(state, 'a-nonce'))?.[1] ?? ''
    expect(JSON.parse(json)).toEqual(state)
  })
})

it('currencies and networks come in the order in which the service lists them', () => {
  const { offers } = pages.choose
  const listed = [...(offers ?? [])].reverse()
  const html = shown({ ...pages.choose, offers: listed })
  const values = [...html.matchAll(/name="asset" value="([^"]*)"/g)].map(([, value]) => value)
  const byCurrency = [...Map.groupBy(listed, ({ currency }) => currency).values()].flat()
  expect(values).toEqual(byCurrency.map(({ currency, network }) => `${currency}@${network}`))
})

it('a payment page shows amount, address, code and status before any script runs', () => {
  const html = shown(pages.pay_tag)
  expect(html).toContain('23.761905')
  expect(html.replaceAll(/<\/?span>/g, '')).toContain('rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh')
  expect(html).toContain(pages.pay_tag.checkout?.asset?.qr?.path)
  expect(html).toContain('Waiting for your payment')
  expect(html).toContain('Send XRP on XRP Ledger only')
  expect(html).toContain('3917204685')
  expect(html).toContain('14:32')
})

it('without script the page refreshes itself, but rarely while the payer chooses', () => {
  const refresh = (state: PageState) =>
    /<noscript>.*?http-equiv="refresh" content="(\d+)"/.exec(render(state, 'n'))?.[1]
  expect(refresh(pages.pay)).toBe('15')
  expect(refresh(pages.choose)).toBe('240')
  expect(refresh(pages.unknown)).toBeUndefined()
})

describe('foreign text is inert', () => {
  const evil = `</script><script>alert(1)</script><img src=x onerror="alert(1)">'"&`
  const html = render(
    pageState({
      description: evil,
      shop: { name: evil, logo: `/logo"onload="alert(1)`, colour: '#0f7a5a' },
      redirect_url: 'javascript:alert(1)',
      phase: 'expired',
    }),
    'a-nonce',
  )

  it('HTML in names and descriptions stays text', () => {
    expect(html).not.toContain('<img src=x')
    expect(html).not.toContain('<script>alert')
    expect(html).not.toContain('" onload') // An attribute cannot be left.
    expect(html).not.toMatch(/"onload="/)
    expect(html).toContain('&lt;img src=x')
  })

  it('a redirect that would run script is not shown as a link', () => {
    expect(html.slice(0, html.indexOf('id="state"'))).not.toContain('javascript:')
  })

  it('an invalid colour cannot break out of the style sheet', () => {
    const shop = { name: 'A', logo: null, colour: 'red}</style><script>alert(1)</script>' }
    expect(render(pageState({ shop }), 'n')).not.toContain('</style><script>')
  })
})

it('the built renderer returns the language of a request', () => {
  expect(languageFor(null, 'de-AT')).toBe('de')
})

it('the language of the page is the one that its switch shows', () => {
  expect(render({ ...pages.pay, language: 'pl' }, 'n')).toMatch(/<option value="pl"[^>]* selected/)
})

it('Arabic is written from right to left', () => {
  expect(render({ ...pages.pay, language: 'ar' }, 'n')).toContain('<html lang="ar" dir="rtl">')
})
