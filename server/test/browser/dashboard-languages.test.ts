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
  [
    'es-MX',
    'es',
    { overview: 'Resumen', policy: 'Política de pagos', reason: 'más que el límite de' },
    { entry: 'Acreditado desde los pagos en suspenso', add: 'Nuevo endpoint', wrong: 'Este host no existe.' },
  ],
  [
    'fr-CA',
    'fr',
    { overview: 'Vue d’ensemble', policy: 'Règles de versement', reason: 'plus que la limite de' },
    {
      entry: 'Crédité depuis les paiements en suspens',
      add: 'Nouveau point de terminaison',
      wrong: 'Cet hôte n’existe pas.',
    },
  ],
  [
    'pt-BR',
    'pt',
    { overview: 'Visão geral', policy: 'Política de pagamentos', reason: 'mais do que o limite de' },
    {
      entry: 'Creditado a partir dos pagamentos em suspenso',
      add: 'Novo endpoint',
      wrong: 'Este host não existe.',
    },
  ],
])(
  'a browser that prefers %s gets pages in %s, which fit the narrowest phone',
  async (locale, language, { overview, policy, reason }, { entry, add, wrong }) => {
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
    // What a person typed stays as it is.
    await page.goto(`${service.url}${base}/balances/BTC`)
    await page.getByText(entry).getByText('Paid in the wrong token.').waitFor()
    expect(await page.getByText('Released from suspense').count()).toBe(0)
    await fits()
    await page.goto(`${service.url}${base}/webhooks`)
    await page.getByRole('button', { name: add }).first().click()
    const url = page.getByRole('dialog').locator('[type=url]')
    await url.fill('https://nowhere.example')
    service.refuseOnce = {
      status: 422,
      code: 'webhook_target_refused',
      details: ['/url: must name a host that resolves'],
    }
    await url.press('Enter')
    await page.getByRole('alert').getByText(wrong).waitFor()
    await fits()
    await context.close()
  },
)

it.each([
  ['de-DE', 'Linux', 'Strg K'],
  ['fr-FR', 'Linux', 'Ctrl K'],
  ['de-DE', 'Macintosh; Intel Mac OS X', '⌘K'],
])('a keyboard of %s on %s has %s', async (locale, machine, keys) => {
  const context = await browser.newContext({ locale, userAgent: `Mozilla/5.0 (${machine})` })
  const page = await context.newPage()
  await page.goto(`${service.url}${base}/keys`)
  await page.locator('.topbar kbd', { hasText: keys }).waitFor()
  await page.keyboard.press('?')
  await page.locator('dialog kbd', { hasText: keys }).waitFor()
  await context.close()
})
