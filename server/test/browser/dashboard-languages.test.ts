import type { Browser } from 'playwright-core'
import { beforeAll, expect, it } from 'vitest'
import { payouts, review } from '../../../web/dashboard/test/fixtures.ts'
import type { StandIn } from '../../../web/dashboard/test/stand-in-service.ts'
import { base, openStandInWindow } from '../support/browser/stand-in-window.ts'

/** The dashboard in the languages that came after English and German. */

const shownIn = openStandInWindow()
let service: StandIn
let browser: Browser
beforeAll(() => {
  ;({ service } = shownIn)
  const opened = shownIn.context.browser()
  if (opened === null) throw new Error('The window has no browser.')
  browser = opened
})

const [payout] = payouts as [(typeof payouts)[0]]
const waiting = review({
  ...payout,
  waiting_reason: 'It is worth …',
  waiting_reasons: [
    {
      code: 'policy_max_payout',
      message: 'It is worth …',
      values: { amount: '1600.50 USD', limit: '599.99 USD' },
    },
  ],
})

it.each([
  ['es-MX', 'es', 'Resumen', 'Política de pagos', 'más que el límite de'],
  ['fr-CA', 'fr', 'Vue d’ensemble', 'Règles de versement', 'plus que la limite de'],
  ['pt-BR', 'pt', 'Visão geral', 'Política de pagamentos', 'mais do que o limite de'],
])(
  'a browser that prefers %s gets pages in %s, which fit the narrowest phone',
  async (locale, language, overview, policy, reason) => {
    const context = await browser.newContext({ viewport: { width: 320, height: 640 }, locale })
    const page = await context.newPage()
    await page.route(`**/payouts/${payout.id}/approval`, (route) =>
      route.fulfill({ json: { data: waiting, meta: {} } }),
    )
    const heading = (name: string) => page.getByRole('heading', { name, level: 1 }).waitFor()
    const fits = async () => {
      const wide = 'document.documentElement.scrollWidth - document.documentElement.clientWidth'
      expect(await page.evaluate(wide), page.url()).toBe(0)
    }
    await page.goto(`${service.url}${base}`)
    await heading(overview)
    expect(await page.getAttribute('html', 'lang')).toBe(language)
    await fits()
    await page.goto(`${service.url}${base}/policy`)
    await heading(policy)
    await fits()
    await page.goto(`${service.url}${base}/payouts/${payout.id}`)
    await page.getByText(reason).waitFor()
    expect(await page.getByText('It is worth').count()).toBe(0)
    await fits()
    await context.close()
  },
)
