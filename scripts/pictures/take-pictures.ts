import { join } from 'node:path'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import type { Place } from './places.ts'
import type { PicturedShop } from './shop.ts'

export const languages = ['en', 'de', 'es', 'fr', 'pt'] as const
export type Language = (typeof languages)[number]
export const isLanguage = (text: string): text is Language => languages.some((language) => language === text)

const locales = { en: 'en-GB', de: 'de-DE', es: 'es-ES', fr: 'fr-FR', pt: 'pt-PT' } as const
export const desktop = { width: 1280, height: 800 }
export const phone = { width: 390, height: 844 }
/** Every page is looked at in each. */
export const variants = [
  { name: 'desktop-light', viewport: desktop, colorScheme: 'light' },
  { name: 'desktop-dark', viewport: desktop, colorScheme: 'dark' },
  { name: 'phone-light', viewport: phone, colorScheme: 'light' },
  { name: 'phone-dark', viewport: phone, colorScheme: 'dark' },
] as const

/** Windows of people who are not signed in, such as payers, and of the signed-in owner. */
export type Windows = {
  open(isOutside: boolean, look: BrowserContextOptions & { readonly language: Language }): Promise<Page>
}

/** Signs the owner in once, who rejects a payout; every window of theirs begins with that session. */
export async function openWindows(browser: Browser, shop: PicturedShop): Promise<Windows> {
  const context = await browser.newContext({ locale: locales.en })
  const page = await context.newPage()
  await page.goto(`${shop.url}/dashboard`)
  await page.getByLabel('Email address').fill(shop.owner.email)
  await page.getByLabel('Password').fill(shop.owner.password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await replacePassword(page, shop.owner.password)
  await rejectPayout(page, shop)
  const storageState = await context.storageState()
  await context.close()
  return {
    async open(isOutside, { language, ...look }) {
      const context = await browser.newContext({
        ...look,
        locale: locales[language],
        timezoneId: 'Europe/Berlin',
        reducedMotion: 'reduce',
        ...(!isOutside && { storageState }),
      })
      return context.newPage()
    },
  }
}

/** The first sign-in replaces the password that was printed, and offers a second factor. */
async function replacePassword(page: Page, old: string): Promise<void> {
  const heading = page.getByRole('heading', { level: 1 })
  await heading.filter({ hasText: 'Choose your own password' }).waitFor()
  await page.getByLabel('Current password').fill(old)
  await page.getByLabel('New password').fill(`${old} of our own`)
  await page.getByRole('button', { name: 'Change password' }).click()
  await heading.filter({ hasText: 'Protect your account' }).waitFor()
  await page.getByRole('button', { name: 'Later' }).click()
  await heading.filter({ hasText: 'Overview' }).waitFor()
}

/** What the team reads about a rejected payout is told by who did it. */
async function rejectPayout(page: Page, { url, sluice, merchantId }: PicturedShop): Promise<void> {
  const { id } = await sluice.payouts.create({
    currency: 'BTC',
    network: 'bitcoin',
    amount: '0.0005',
    destination: 'tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx',
    description: 'Packaging',
  })
  await page.goto(`${url}/dashboard/${merchantId}/test/payouts/${id}`)
  await page.getByRole('button', { name: 'Reject' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Reason').fill('We have paid this invoice already.')
  await dialog.getByRole('button', { name: 'Reject' }).click()
  await page.getByText('rejected this payout').waitFor()
}

/** Waits until a page shows what it came for: no skeletons, its font, and two frames painted. */
export async function isShown(page: Page): Promise<void> {
  await page.locator('h1, h2').locator('visible=true').first().waitFor()
  await page.locator('#app :is(.skeleton, [aria-busy=true])').first().waitFor({ state: 'detached' })
  await page.evaluate('document.fonts.ready.then(() => null)')
  await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))')
}

/** Pictures every place in every variant and language. Returns what the browser complained about. */
export async function takePictures({
  url,
  windows,
  places,
  languages: chosen,
  out,
  say,
}: {
  readonly url: string
  readonly windows: Windows
  readonly places: readonly Place[]
  readonly languages: readonly Language[]
  readonly out: string
  readonly say: (line: string) => void
}): Promise<string[]> {
  const faults: string[] = []
  for (const language of chosen) {
    for (const { name: variant, ...look } of variants) {
      const [inside, outside] = [
        await windows.open(false, { ...look, language }),
        await windows.open(true, { ...look, language }),
      ]
      for (const { name, path, isOutside, fill } of places) {
        const page = isOutside ? outside : inside
        const heard = (text: string) => faults.push(`${name} (${variant}, ${language}): ${text}`)
        const onError = (error: Error) => heard(error.message)
        page.on('pageerror', onError)
        await page.goto(`${url}${path}`)
        await isShown(page)
        await fill?.(page)
        const isWide = await page.evaluate('document.documentElement.scrollWidth > innerWidth')
        if (isWide === true) heard('scrolls sideways')
        await page.screenshot({ path: join(out, `${name}-${variant}-${language}.png`), fullPage: true })
        page.off('pageerror', onError)
        await page.setViewportSize(look.viewport)
      }
      await inside.context().close()
      await outside.context().close()
      say(`  ${variant}, ${language}: done.`)
    }
  }
  return faults
}
