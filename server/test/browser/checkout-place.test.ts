import { languages } from '@sluice/web/checkout'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { pages } from '../../../web/checkout/test/fixtures.ts'
import { type StandIn, startStandIn } from '../../../web/checkout/test/stand-in-service.ts'
import { openBrowser } from '../support/browser/browser.ts'
import { paintedTwice, shiftsIn, watchShifts } from '../support/browser/layout-shifts.ts'

/** Where the parts of the payment page stand: codes in the middle of their place, and nothing jumps while it loads. */

const phone = { width: 390, height: 844 }
const views = [
  ['desktop', { width: 1280, height: 900 }],
  ['phone', phone],
] as const

let service: StandIn
let browser: Browser
beforeAll(async () => {
  service = await startStandIn(pages.pay)
  browser = await openBrowser()
})
afterAll(async () => {
  await browser.close()
  await service.close()
})

const sumOf = (shifts: readonly { value: number }[]) => shifts.reduce((sum, { value }) => sum + value, 0)

/** How far the middle of each visible code is from that of its figure, and of its card where the figure has a row of its own. */
const offMiddle = (page: Page) =>
  page.evaluate<{ off: number; out: number }[]>(`(() => {
    const middle = ({ left, right }) => (left + right) / 2
    const boxOf = (element) => element.getBoundingClientRect()
    return [...document.querySelectorAll('svg.qr')].filter((code) => code.checkVisibility()).map((code) => {
      const [box, figure, card] = [code, code.closest('figure'), code.closest('.card')].map(boxOf)
      const fields = boxOf(document.querySelector('.send .fields'))
      const places = fields.top >= figure.bottom || figure.top >= fields.bottom ? [figure, card] : [figure]
      return {
        off: Math.max(...places.map((place) => Math.abs(middle(box) - middle(place)))),
        out: Math.max(figure.left - box.left, box.right - figure.right, 0),
      }
    })
  })()`)

it.each(languages)('a code stands in the middle of its place on every device, in %s', async (language) => {
  const context = await browser.newContext()
  const page = await context.newPage()
  for (const name of ['pay', 'pay_tag', 'pay_request'] as const) {
    service.show(pages[name])
    await page.goto(`${service.url}/pay/q8Zr0bJ2mK4n?lang=${language}`)
    for (const way of name === 'pay_request' ? ['address', 'wallet'] : ['address']) {
      if (name === 'pay_request') await page.locator(`[name=way][value=${way}]`).check()
      for (const [device, viewport] of [...views, ['narrow phone', { width: 320, height: 640 }]] as const) {
        await page.setViewportSize(viewport)
        const codes = await offMiddle(page)
        const where = `${name} ${way} on a ${device}`
        expect(codes, where).toHaveLength(1)
        for (const { off, out } of codes) {
          expect(off, where).toBeLessThanOrEqual(1)
          expect(out, where).toBeLessThanOrEqual(1)
        }
      }
    }
  }
  await context.close()
})

const mostShift = 0.02

/** Loads a state on a slow line, its script only after the first HTML was painted, and returns what shifted. */
async function shiftsOf(name: keyof typeof pages, viewport: typeof phone, deviceHas = '', until = 'body') {
  service.show(pages[name])
  service.asked.length = 0
  const context = await browser.newContext({ viewport, locale: 'en-GB', timezoneId: 'Asia/Kathmandu' })
  try {
    const page = await context.newPage()
    await page.addInitScript(watchShifts)
    await page.addInitScript(deviceHas)
    const late = Promise.withResolvers<void>()
    await page.route(/\/checkout-assets\//, async (route) => {
      await late.promise
      await route.continue()
    })
    await page.goto(`${service.url}/pay/q8Zr0bJ2mK4n`, { waitUntil: 'commit' })
    await page.locator('h1, h2').locator('visible=true').first().waitFor()
    await paintedTwice(page)
    late.resolve()
    await page.waitForLoadState('load')
    // The script goes on with what is shown, and then follows it.
    if (pages[name].token !== null)
      await expect
        .poll(() => service.asked.filter(({ call }) => call === 'GET invoice/stream').length)
        .toBeGreaterThan(0)
    await page.locator(until).waitFor()
    await page.evaluate('document.fonts.ready.then(() => null)')
    await paintedTwice(page)
    return await shiftsIn(page)
  } finally {
    await context.close()
  }
}

describe.each(views)('on a %s nothing jumps while it loads', (_, viewport) => {
  const expectStill = (shifts: Awaited<ReturnType<typeof shiftsOf>>) =>
    expect(sumOf(shifts), JSON.stringify(shifts, null, 2)).toBeLessThan(mostShift)

  it.each(Object.keys(pages) as (keyof typeof pages)[])('%s', async (name) => {
    expectStill(await shiftsOf(name, viewport))
  })

  it.each(['ETH@base', 'XRP@xrp'])('choose, where %s was chosen the last time', async (choice) => {
    expectStill(
      await shiftsOf(
        'choose',
        viewport,
        `localStorage.setItem('sluice.asset', '${choice}')`,
        `text=Continue with ${choice.slice(0, 3)}`,
      ),
    )
  })

  // As EIP-6963 has wallets announce themselves.
  it('pay_token, in a browser with wallets', async () => {
    const wallet = (name: string) => `{
      const icon = 'data:image/gif;base64,R0lGODlhAQABAAAAACw='
      const info = { uuid: '${name}', name: '${name}', icon, rdns: '${name}' }
      const detail = Object.freeze({ info, provider: { request: async () => '0x1' } })
      addEventListener('eip6963:requestProvider', () =>
        dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail })))
    }`
    expectStill(
      await shiftsOf('pay_token', viewport, `${wallet('Fox')};${wallet('Bear')}`, 'text=Pay with Bear'),
    )
  })
})

it('a jump is noticed', async () => {
  service.show(pages.pay)
  const context = await browser.newContext({ viewport: phone })
  const page = await context.newPage()
  await page.addInitScript(watchShifts)
  await page.goto(`${service.url}/pay/q8Zr0bJ2mK4n`)
  await paintedTwice(page)
  await page.evaluate("document.querySelector('h1').style.marginTop = '200px'")
  await paintedTwice(page)
  expect(sumOf(await shiftsIn(page))).toBeGreaterThan(mostShift)
  await context.close()
})
