import { join } from 'node:path'
import type { PageName, Place } from './places.ts'
import { desktop, isShown, phone, type Windows } from './take-pictures.ts'

const smallPhone = { width: 360, height: 700 }
const receipt = { width: 960, height: 620 }
// Down to what came in and went out.
const overview = { width: 1280, height: 1240 }

/** The pictures that the README and the documents show: what is seen without scrolling. */
const pictures = {
  'dashboard-overview.png': { of: 'overview', viewport: overview },
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
  url: origin,
  windows,
  places,
  out,
}: {
  readonly url: string
  readonly windows: Windows
  readonly places: readonly Place[]
  readonly out: string
}): Promise<string[]> {
  for (const [name, { of, viewport, ...look }] of Object.entries(pictures)) {
    const place = places.find((each) => each.name === of)
    if (place === undefined) throw new Error(`There is no page called ${of}.`)
    const page = await windows.open(place.isOutside, {
      language: 'en',
      viewport,
      colorScheme: 'colorScheme' in look ? look.colorScheme : 'light',
    })
    const url = new URL(`${origin}${place.path}`)
    if ('query' in look) url.search = look.query
    await page.goto(url.href)
    await isShown(page)
    await page.screenshot({ path: join(out, name) })
    await page.context().close()
  }
  return Object.keys(pictures)
}
