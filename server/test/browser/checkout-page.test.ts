import { languages } from '@sluice/web/checkout'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { pageState, pages, says } from '../../../web/checkout/test/fixtures.ts'
import { type StandIn, startStandIn } from '../../../web/checkout/test/stand-in-service.ts'
import { axeViolations } from '../support/browser/axe.ts'
import { openBrowser } from '../support/browser/browser.ts'
import { watchColours } from '../support/browser/colours.ts'

const phone = { width: 390, height: 844 }
const desktop = { width: 1280, height: 900 }
const looks = [
  [phone, 'light'],
  [desktop, 'dark'],
] as const
type Name = keyof typeof pages

let service: StandIn
let browser: Browser
const windows = new Map<string, { page: Page; complaints: string[] }>()
beforeAll(async () => {
  service = await startStandIn(pages.pay)
  browser = await openBrowser()
})
afterAll(async () => {
  await browser.close()
  await service.close()
})

/** Opens a page and returns its complaints. Pages with the same options follow each other in one window. */
async function open(
  name: Name,
  options: BrowserContextOptions,
  query = '',
): Promise<{ page: Page; complaints: string[] }> {
  service.show(pages[name])
  service.asked.length = 0
  const kind = JSON.stringify(options)
  const window = windows.get(kind) ?? (await openWindow(options))
  windows.set(kind, window)
  window.complaints.length = 0
  await window.page.goto(`${service.url}/pay/q8Zr0bJ2mK4n${query}`)
  return window
}

async function openWindow(options: BrowserContextOptions): Promise<{ page: Page; complaints: string[] }> {
  const context = await browser.newContext(options)
  const page = await context.newPage()
  const complaints: string[] = []
  page.on('console', (message) => message.type() !== 'debug' && complaints.push(message.text()))
  page.on('pageerror', (error) => complaints.push(error.message))
  page.on('request', (request) => {
    if (!/^(data:|http:\/\/127\.0\.0\.1:)/.test(request.url())) complaints.push(`asked ${request.url()}`)
  })
  return { page, complaints }
}

async function spoken(page: Page): Promise<string> {
  const text = await page.locator('body').innerText()
  return text.replaceAll('\u00a0', ' ').replaceAll('\u2011', '-')
}

const overflow = (page: Page) =>
  page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth')

/** Controls that a thumb could miss. A radio button is as large as the row around it. */
const smallTargets = (page: Page) =>
  page.evaluate(`[...document.querySelectorAll('button, a, select, summary, label.offer, .ways label, input[type=search]')]
    .filter((each) => each.checkVisibility() && each.getBoundingClientRect().height < 44)
    .map((each) => each.outerHTML)`)

/** How often the script of a page asked to follow its invoice since the page was opened. */
const follows = () => service.asked.filter(({ call }) => call === 'GET invoice/stream').length

/** Shows another state in a page that follows its invoice. Its shop has the state's name, so that the page cannot be an older one. */
async function change(page: Page, name: Name): Promise<void> {
  const { checkout } = pages[name]
  if (checkout === null) throw new Error(`${name} has nothing to follow.`)
  const shop = { ...checkout.shop, name: `The shop of ${name}` }
  service.show({ ...pages[name], checkout: { ...checkout, shop } })
  await page.getByText(shop.name, { exact: true }).first().waitFor()
}

const cases = (Object.keys(pages) as Name[]).map((name) => ({ name }))

describe.each(cases)('$name', ({ name }) => {
  it('shows the essentials on a phone and a desktop, fits, and logs no complaint', async () => {
    const { page, complaints } = await open(name, { viewport: phone })
    if (pages[name].token !== null) await expect.poll(follows).toBe(1)
    for (const viewport of [phone, desktop]) {
      await page.setViewportSize(viewport)
      const text = await spoken(page)
      for (const part of says[name]) expect(text).toContain(part)
      expect(await overflow(page)).toBe(0)
      expect(await smallTargets(page)).toEqual([])
    }
    expect(complaints).toEqual([])
    await page.setViewportSize(phone)
  })
})

// That the first HTML of every page has its texts is tested without a browser. Here they are visible, too: on one page of each form.
const forms = [
  'choose',
  'choose_refused',
  'change',
  'pay_tag',
  'pay_request',
  'pay_test',
  'underpaid',
  'paid',
  'expired_late',
  'busy',
] as const

it.each(forms)('%s shows the same without script, and offers nothing that needs one', async (name) => {
  const { page, complaints } = await open(name, { viewport: phone, javaScriptEnabled: false })
  const text = await spoken(page)
  for (const part of says[name]) expect(text).toContain(part)
  expect(await page.getByRole('button', { name: 'Copy' }).count()).toBe(0)
  expect(await page.getByRole('searchbox').count()).toBe(0)
  expect(complaints).toEqual([])
})

describe('axe finds nothing on a phone in light and a desktop in dark colours', () => {
  // Colours come from the components that states share; these states together have all of them. The soak looks at every state.
  const coloured = new Set<Name>([
    'choose',
    'choose_refused',
    'pay_request',
    'pay_tag',
    'pay_test',
    'pay_offline',
    'detected_partly',
    'confirming',
    'underpaid',
    'overpaid',
    'expired_late',
    'busy',
  ])
  const colours = watchColours()
  const complains = async (page: Page, name: Name) => {
    const hasColours = process.env.SLUICE_EVERY_LOOK !== undefined || coloured.has(name)
    await colours.look(page, name, hasColours)
    expect(await axeViolations(page, hasColours ? 'all' : 'all but colours'), name).toEqual([])
    await page.setViewportSize(desktop)
    await page.emulateMedia({ colorScheme: 'dark' })
    await colours.look(page, name, hasColours)
    // It is the same page in other colours.
    if (hasColours) expect(await axeViolations(page, 'colours'), name).toEqual([])
    await page.emulateMedia({ colorScheme: 'light' })
    await page.setViewportSize(phone)
  }
  const looking = { viewport: phone, colorScheme: 'light', reducedMotion: 'reduce' } as const
  // Only the service's first answer has them, and nothing follows.
  const loaded = cases.filter(({ name }) => pages[name].token === null || pages[name].notice !== null)

  it.each(loaded)('on the page $name', async ({ name }) => {
    await complains((await open(name, looking)).page, name)
  })

  // In one document: axe is half a megabyte, and takes longer to load than to run.
  it('on a page that goes through every other state', async () => {
    const { page } = await open('choose', looking)
    await expect.poll(follows).toBe(1)
    for (const { name } of cases) {
      if (loaded.some((each) => each.name === name)) continue
      await change(page, name)
      await complains(page, name)
    }
    await page.evaluate('document.body.append(new Image(9, 9))')
    expect((await axeViolations(page)).map(({ id }) => id)).toContain('image-alt')
  })

  it('where the search finds nothing', async () => {
    const { page } = await open('choose', looking)
    await page.getByRole('searchbox').fill('doubloons')
    await page.getByText('Nothing found for “doubloons”').waitFor()
    await complains(page, 'choose')
  })

  it('where a choice is refused', async () => {
    const { page } = await open('choose', looking)
    await page.getByRole('radio', { name: 'LTC' }).check()
    service.refuse = { status: 503, code: 'gate_offline', only: 'asset' }
    try {
      await page.getByRole('button', { name: 'Continue with LTC' }).click()
      await page.getByText('That network cannot be reached right now').waitFor()
      await complains(page, 'choose')
    } finally {
      service.refuse = null
    }
  })

  it('and every colour of a text that any state has was measured in some state', () => {
    expect(colours.unmeasured()).toEqual([])
  })
})

it.each([true, false])(
  'marks the lowest network fee where it stands out, script or not (%s)',
  async (javaScriptEnabled) => {
    const { page } = await open('choose', { viewport: phone, javaScriptEnabled })
    const marked = page.locator('.lowest')
    // Ether on Base: in the line of the currency, and once that is opened on the network.
    expect(await marked.locator('visible=true').allInnerTexts()).toEqual(['Lowest network fee: about $0.01'])
    await page.locator('summary', { has: marked }).click()
    expect(await marked.locator('visible=true').count()).toBe(2)
    expect(await page.locator('.offer', { has: marked }).innerText()).toContain('Base')
    if (!javaScriptEnabled) return
    // What is searched for changes what is shown, not what is lowest.
    await page.getByRole('searchbox').fill('tether')
    await expect.poll(() => page.locator('.offer').count()).toBe(4)
    expect(await marked.count()).toBe(0)
  },
)

describe('a payer on Solana', () => {
  const request = pages.pay_request.checkout?.asset?.transaction_request
  const transfer = pages.pay_request.checkout?.asset?.payment_uri
  const address = (page: Page) => page.getByText('Address', { exact: true })
  const link = (page: Page) => page.getByRole('link', { name: 'Open in wallet app' })
  const code = (page: Page, name: string) => page.getByRole('img', { name })

  it.each([true, false])(
    'chooses by keyboard between address and wallet, script or not (%s)',
    async (javaScriptEnabled) => {
      const { page, complaints } = await open('pay_request', { viewport: phone, javaScriptEnabled })
      const ways = page.getByRole('group', { name: 'How do you want to send it?' })
      const [toAddress, withWallet] = ['To an address', 'With a Solana wallet'].map((name) =>
        ways.getByRole('radio', { name }),
      )
      expect(await toAddress?.isChecked()).toBe(true)
      expect([await address(page).isVisible(), await link(page).getAttribute('href')]).toEqual([
        true,
        transfer,
      ])
      expect(await code(page, 'QR code with the address and the amount').count()).toBe(1)
      expect(await code(page, 'QR code for Solana wallets').count()).toBe(0)

      await toAddress?.focus()
      await page.keyboard.press('ArrowDown')
      expect(await withWallet?.isChecked()).toBe(true)
      expect([await address(page).isVisible(), await link(page).getAttribute('href')]).toEqual([
        false,
        request?.uri,
      ])
      expect(await code(page, 'QR code with the address and the amount').count()).toBe(0)
      expect(await code(page, 'QR code for Solana wallets').locator('path').last().getAttribute('d')).toBe(
        request?.qr?.path,
      )
      expect(await page.getByText('you enter neither an address nor an amount').isVisible()).toBe(true)
      expect(await page.getByText('49.9', { exact: true }).isVisible()).toBe(true)
      await page.keyboard.press('Tab')
      expect(await page.evaluate('document.activeElement.matches("[name=way]")')).toBe(false)
      expect(complaints).toEqual([])
    },
  )

  it('keeps the choice when the page is updated, in every colour and size, and loses it when there is none left', async () => {
    const { page } = await open('pay_request', { viewport: phone, colorScheme: 'light' })
    await expect.poll(follows).toBe(1)
    await page.getByRole('radio', { name: 'With a Solana wallet' }).check()
    const { asset } = pages.pay_request.checkout ?? {}
    service.show(pageState({ asset: { ...(asset as NonNullable<typeof asset>), amount_missing: '9.9' } }))
    await page.getByText('9.9', { exact: true }).waitFor()
    expect(await link(page).getAttribute('href')).toBe(request?.uri)
    for (const [viewport, colorScheme] of looks) {
      await page.setViewportSize(viewport)
      await page.emulateMedia({ colorScheme })
      expect(await axeViolations(page)).toEqual([])
      expect(await overflow(page)).toBe(0)
      expect(await smallTargets(page)).toEqual([])
    }
    service.show(pages.pay)
    await page.getByText('Send BTC on Bitcoin only').waitFor()
    expect([await page.getByRole('radio').count(), await address(page).isVisible()]).toEqual([0, true])
  })
})

it('every language fits the narrowest phone on the pages with the most text', async () => {
  for (const language of ['de', 'fr', 'pl', 'tr', 'ja', 'ar']) {
    const { page } = await open('choose', { viewport: { width: 320, height: 640 } }, `?lang=${language}`)
    await expect.poll(follows).toBe(1)
    for (const name of ['choose', 'pay_tag', 'pay_request', 'underpaid', 'paid'] as const) {
      await change(page, name)
      expect(await overflow(page), `${name} in ${language}`).toBe(0)
    }
  }
})

it('the longest name of a shop takes two lines above the page, and fits everywhere below', async () => {
  const names = ['Donaudampfschifffahrtsgesellschaft'.repeat(7), 'Söhne & Töchter '.repeat(15)]
  for (const name of names)
    for (const viewport of [{ width: 320, height: 640 }, desktop])
      for (const state of ['choose', 'pay', 'confirming', 'overpaid', 'expired_late'] as const) {
        const { checkout } = pages[state]
        if (checkout === null) throw new Error(`${state} has no shop.`)
        const shown = { ...pages[state], checkout: { ...checkout, shop: { ...checkout.shop, name } } }
        const { page } = await open('unknown', { viewport })
        service.show(shown)
        await page.goto(`${service.url}/pay/q8Zr0bJ2mK4n`)
        expect(await overflow(page), state).toBe(0)
        expect((await page.locator('header').boundingBox())?.height).toBeLessThanOrEqual(80)
        const end = 'document.querySelector(".language").getBoundingClientRect().right'
        expect(await page.evaluate(`innerWidth - ${end}`)).toBeGreaterThanOrEqual(0)
      }
})

it('shows neither an empty card nor an empty column when nothing is left to do', async () => {
  for (const name of ['closing', 'expired_unchosen'] as const) {
    const { page } = await open(name, { viewport: desktop }, '?lang=en')
    expect(await page.locator('.card').count(), name).toBe(0)
    const { x = 0, width = 0 } = (await page.locator('.summary').boundingBox()) ?? {}
    expect(x + width / 2, name).toBeCloseTo(desktop.width / 2, 0)
  }
})

it('a receipt breaks no word of its labels', async () => {
  for (const language of languages) {
    const { page } = await open('paid', { viewport: phone }, `?lang=${language}`)
    const broken = await page.evaluate(`[...document.querySelectorAll('dt')].filter((each) => {
      const range = document.createRange()
      range.selectNodeContents(each)
      return !each.textContent.includes(' ') && range.getClientRects().length > 1
    }).map((each) => each.textContent)`)
    expect(broken, language).toEqual([])
  }
})

it('dates a receipt by the payer’s own clock and names its zone; without script by UTC', async () => {
  const options = { viewport: phone, timezoneId: 'America/New_York' }
  const { page } = await open('paid', options, '?lang=en')
  await page.getByText('Nov 15, 2026, 4:41:07 AM EST').waitFor()
  const plain = await open('paid', { ...options, javaScriptEnabled: false }, '?lang=en')
  expect(await spoken(plain.page)).toMatch(/Nov 15, 2026, 9:41:07\sAM UTC/)
})

it('an open list follows the order in which the service lists what can be chosen', async () => {
  const { page, complaints } = await open('choose', { viewport: phone, locale: 'en-IE' })
  await page.clock.install()
  await page.reload()
  await expect.poll(follows).toBe(2)
  const listed = async () => [
    ...new Set(
      await page.evaluate<string[]>(
        `[...document.querySelectorAll('[name=asset]')].map(({ value }) => value.split('@')[0])`,
      ),
    ),
  ]
  const before = await listed()
  expect(before.length).toBeGreaterThan(2)
  const offers = [...(pages.choose.offers ?? [])].reverse()
  service.show({ ...pages.choose, offers })
  await page.clock.runFor(60_000)
  await expect.poll(listed).toEqual([...new Set(offers.map(({ currency }) => currency))])
  expect(await listed()).not.toEqual(before)
  expect(complaints).toEqual([])
})

it('in Arabic the page is mirrored, but addresses and amounts are not', async () => {
  const { page } = await open('pay', { viewport: desktop }, '?lang=ar')
  const left = async (selector: string) => (await page.locator(selector).boundingBox())?.x ?? 0
  expect(await left('.summary')).toBeGreaterThan(await left('.task'))
  const direction = (selector: string) =>
    page.evaluate(`getComputedStyle(document.querySelector('${selector}')).direction`)
  expect(await direction('.field .whole')).toBe('ltr')
  expect(await direction('.send-title')).toBe('rtl')
})

it('nothing moves for a payer who prefers reduced motion', async () => {
  for (const name of ['detected', 'paid'] as const) {
    const { page } = await open(name, { viewport: phone, reducedMotion: 'reduce' })
    expect(await page.evaluate('document.getAnimations().length'), name).toBe(0)
  }
})

it('draws a tick at the moment that the payment is complete', async () => {
  const { page } = await open('confirming', { viewport: phone, reducedMotion: 'no-preference' })
  await expect.poll(follows).toBe(1)
  const motion = () =>
    page.evaluate(`getComputedStyle(document.querySelector('.status-icon path')).animationName`)
  expect(await motion()).not.toBe('drawn')
  await change(page, 'paid')
  expect(await motion()).toBe('drawn')
  expect(await page.locator('.status').isVisible()).toBe(true)
})

it('a receipt prints without buttons', async () => {
  const { page } = await open('paid', { viewport: phone })
  await page.emulateMedia({ media: 'print' })
  expect(await page.getByRole('button').count()).toBe(0)
  expect(await page.getByText('019a8667-3bd4-7c21-9a6e-5d0c7f0f1b52').isVisible()).toBe(true)
})
