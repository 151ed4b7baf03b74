import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { pageState, pages } from '../../../web/checkout/test/fixtures.ts'
import { type StandIn, startStandIn } from '../../../web/checkout/test/stand-in-service.ts'
import { axeViolations } from '../support/browser/axe.ts'
import { openBrowser } from '../support/browser/browser.ts'

const phone = { width: 390, height: 844 }
const desktop = { width: 1280, height: 900 }

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
  name: keyof typeof pages,
  options: BrowserContextOptions,
  query = '',
): Promise<{ page: Page; complaints: string[] }> {
  service.show(pages[name])
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

const overflow = (page: Page) =>
  page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth')

/** Controls that a thumb could miss. A radio button is as large as the row around it. */
const smallTargets = (page: Page) =>
  page.evaluate(`[...document.querySelectorAll('button, a, select, summary, label.offer, .ways label, input[type=search]')]
    .filter((each) => each.checkVisibility() && each.getBoundingClientRect().height < 44)
    .map((each) => each.outerHTML)`)

/** The texts that each page must show, with script and without. */
const says: Record<keyof typeof pages, readonly string[]> = {
  choose: ['Choose how to pay', 'about 0.00083167 BTC', 'Network fee about $0.85', '4 networks'],
  choose_refused: ['That network cannot be reached right now', 'Choose how to pay'],
  pay: ['Waiting for your payment', 'Send BTC on Bitcoin only', '0.00083167', 'Open in wallet app', '$49.90'],
  pay_token: ['Send USDT on Ethereum (ERC-20) only', '49.9'],
  pay_request: [
    'Send USDC on Solana (SPL) only',
    'To an address',
    'With a Solana wallet',
    '49.9',
    'Open in wallet app',
  ],
  pay_tag: ['Destination tag', '3917204685', 'Without it your payment cannot be matched'],
  pay_in_crypto: ['0.00083167 BTC', 'Send BTC on Bitcoin only'],
  pay_test: ['Test payment: no real money moves', 'Simulate the payer', 'Mine a block'],
  pay_offline: ['Bitcoin cannot be followed at the moment', 'Nothing is lost'],
  closing: ['The time to pay is over', 'Do not send anything now'],
  detected: ['Payment seen', 'waiting for a block', 'You can close this page'],
  detected_partly: ['The payment seen so far is too small', 'Amount still missing', '0.00033167'],
  confirming: ['Payment is being confirmed', '1 of 2 confirmations'],
  underpaid: [
    '0.00033167 BTC is still missing',
    '0.0005 of 0.00083167 BTC has arrived',
    'same address',
    '3:5',
  ],
  paid: [
    'Paid',
    'Receipt',
    'Back to Alpenglühen Coffee',
    'confirms your order itself',
    'not a proof of payment',
  ],
  overpaid: [
    '0.00016833 BTC more than was due',
    'quote the invoice number',
    '019a8667-3bd4-7c21-9a6e-5d0c7f0f1b52',
  ],
  overpaid_refunded: ['has sent back 0.00016833 BTC'],
  expired: ['Do not send anything now', 'What if I have already sent it?'],
  expired_partly: ['Only part of the amount arrived', '0.0005 of 0.00083167 BTC arrived in time'],
  expired_late: ['A payment arrived too late', 'too late', '1 of 2 confirmations'],
  expired_unchosen: ['Do not send anything now'],
  cancelled: ['This payment was cancelled', 'Do not send anything now'],
  unknown: ['There is no payment here'],
  ended: ['This payment has ended'],
  busy: ['Too many requests', 'Wait a minute'],
  unavailable: ['cannot be shown right now', 'not lost'],
}

const cases = (Object.keys(pages) as (keyof typeof pages)[]).map((name) => ({ name }))

describe.each(cases)('$name', ({ name }) => {
  const spoken = async (page: Page) => {
    // biome-ignore lint/performance/useDomNodeTextContent: only visible text counts
    const text = await page.locator('body').innerText()
    return text.replaceAll('\u00a0', ' ').replaceAll('\u2011', '-')
  }

  it('shows the essentials on a phone in light and a desktop in dark colours, passes axe, fits, and logs no complaint', async () => {
    const { page, complaints } = await open(name, { viewport: phone, colorScheme: 'light' })
    if (pages[name].token !== null) await expect.poll(() => service.followers()).toBe(1)
    for (const [viewport, colorScheme] of [
      [phone, 'light'],
      [desktop, 'dark'],
    ] as const) {
      await page.setViewportSize(viewport)
      await page.emulateMedia({ colorScheme })
      const text = await spoken(page)
      for (const part of says[name]) expect(text).toContain(part)
      // The second time it is the same page in other colours.
      expect(await axeViolations(page, viewport === phone ? undefined : ['color-contrast'])).toEqual([])
      expect(await overflow(page)).toBe(0)
      expect(await smallTargets(page)).toEqual([])
    }
    expect(complaints).toEqual([])
    await page.goto('about:blank')
    await expect.poll(() => service.followers()).toBe(0)
  })

  it('shows the same without script, and offers nothing that needs one', async () => {
    const { page, complaints } = await open(name, { viewport: phone, javaScriptEnabled: false })
    const text = await spoken(page)
    for (const part of says[name]) expect(text).toContain(part)
    expect(await page.getByRole('button', { name: 'Copy' }).count()).toBe(0)
    expect(await page.getByRole('searchbox').count()).toBe(0)
    expect(complaints).toEqual([])
  })
})

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
    await expect.poll(() => service.followers()).toBe(1)
    await page.getByRole('radio', { name: 'With a Solana wallet' }).check()
    const { asset } = pages.pay_request.checkout ?? {}
    service.show(pageState({ asset: { ...(asset as NonNullable<typeof asset>), amount_missing: '9.9' } }))
    await page.getByText('9.9', { exact: true }).waitFor()
    expect(await link(page).getAttribute('href')).toBe(request?.uri)
    for (const [viewport, colorScheme] of [
      [phone, 'light'],
      [desktop, 'dark'],
    ] as const) {
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
  for (const name of ['choose', 'pay_tag', 'pay_request', 'underpaid', 'paid'] as const) {
    for (const language of ['de', 'fr', 'pl', 'tr', 'ja', 'ar']) {
      const { page } = await open(name, { viewport: { width: 320, height: 640 } }, `?lang=${language}`)
      expect(await overflow(page), `${name} in ${language}`).toBe(0)
    }
  }
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
  const { page } = await open('detected', { viewport: phone, reducedMotion: 'reduce' })
  expect(
    await page.evaluate(`document.getAnimations().filter((each) => each.playState === 'running').length`),
  ).toBe(0)
})

it('a receipt prints without buttons', async () => {
  const { page } = await open('paid', { viewport: phone })
  await page.emulateMedia({ media: 'print' })
  expect(await page.getByRole('button').count()).toBe(0)
  expect(await page.getByText('019a8667-3bd4-7c21-9a6e-5d0c7f0f1b52').isVisible()).toBe(true)
})
