import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { type PageName, placesOf } from './places.ts'
import type { PicturedShop } from './shop.ts'
import { desktop, isShown, openWindows, phone } from './take-pictures.ts'

const smallPhone = { width: 360, height: 700 }
const receipt = { width: 960, height: 620 }

/** The pictures that the README and the documents show: what is seen without scrolling. */
const pictures = {
  'dashboard-overview.png': { of: 'overview', viewport: desktop },
  'dashboard-invoices-dark.png': { of: 'invoices', viewport: desktop, colorScheme: 'dark' },
  'dashboard-approval.png': { of: 'payout_to_approve', viewport: desktop },
  'dashboard-phone.png': { of: 'overview', viewport: phone },
  'checkout-choose.png': { of: 'pay_choose', viewport: smallPhone },
  'checkout-pay.png': { of: 'pay', viewport: smallPhone },
  'checkout-paid.png': { of: 'pay_paid', viewport: receipt },
  'checkout-ar.png': { of: 'pay', viewport: smallPhone, query: 'lang=ar' },
} as const satisfies Record<
  string,
  { of: PageName; viewport: typeof phone; colorScheme?: 'dark'; query?: string }
>

/** Takes them into a folder, and returns their names. */
export async function forDocs({
  browser,
  shop,
  out,
}: {
  readonly browser: Browser
  readonly shop: PicturedShop
  readonly out: string
}): Promise<string[]> {
  const [windows, places] = [await openWindows(browser, shop), await placesOf(shop)]
  for (const [name, { of, viewport, ...look }] of Object.entries(pictures)) {
    const place = places.find((each) => each.name === of)
    if (place === undefined) throw new Error(`There is no page called ${of}.`)
    const page = await windows.open(place.isPayers, {
      language: 'en',
      viewport,
      colorScheme: 'colorScheme' in look ? look.colorScheme : 'light',
    })
    const url = new URL(`${shop.url}${place.path}`)
    if ('query' in look) url.search = look.query
    await page.goto(url.href)
    await isShown(page)
    await page.screenshot({ path: join(out, name) })
    await page.context().close()
  }
  return Object.keys(pictures)
}
