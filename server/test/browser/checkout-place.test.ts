import { languages } from '@sluice/web/checkout'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { pages } from '../../../web/checkout/test/fixtures.ts'
import { type StandIn, startStandIn } from '../../../web/checkout/test/stand-in-service.ts'
import { openBrowser } from '../support/browser/browser.ts'

/** Where the parts of the payment page stand: codes in the middle of their place. */

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

describe.each([...views, ['narrow phone', { width: 320, height: 640 }]] as const)(
  'on a %s',
  (_, viewport) => {
    it.each(languages)('a code stands in the middle of its place, in %s', async (language) => {
      const context = await browser.newContext({ viewport })
      const page = await context.newPage()
      for (const name of ['pay', 'pay_tag', 'pay_request'] as const) {
        service.show(pages[name])
        await page.goto(`${service.url}/pay/q8Zr0bJ2mK4n?lang=${language}`)
        for (const way of name === 'pay_request' ? ['address', 'wallet'] : ['address']) {
          if (name === 'pay_request') await page.locator(`[name=way][value=${way}]`).check()
          const codes = await offMiddle(page)
          expect(codes, name).toHaveLength(1)
          for (const { off, out } of codes) {
            expect(off, `${name} ${way}`).toBeLessThanOrEqual(1)
            expect(out, `${name} ${way}`).toBeLessThanOrEqual(1)
          }
        }
      }
      await context.close()
    })
  },
)
