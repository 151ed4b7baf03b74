import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import * as shown from '../../../web/dashboard/test/fixtures.ts'
import type { StandIn } from '../../../web/dashboard/test/stand-in-service.ts'
import { axeViolations } from '../support/browser/axe.ts'
import { paintedTwice, shiftsIn, watchShifts } from '../support/browser/layout-shifts.ts'
import { base, desktop, openStandInWindow, phone } from '../support/browser/stand-in-window.ts'

/** What is there before the first page is: its shape, and words if it does not come. */

const shownIn = openStandInWindow()
let service: StandIn
beforeAll(() => {
  ;({ service } = shownIn)
})

type Opening = {
  readonly viewport?: typeof phone
  readonly locale?: string
  readonly colorScheme?: 'light' | 'dark'
  /** Whether someone was signed in here when the window was last closed. */
  readonly isInside?: boolean
}

/** A window that has loaded nothing yet. */
async function openWindow(opening: Opening = {}) {
  const { viewport = desktop, locale = 'en-GB', colorScheme = 'light', isInside = true } = opening
  const context = await shownIn.browser.newContext({
    viewport,
    locale,
    colorScheme,
    reducedMotion: 'reduce',
  })
  const window = await context.newPage()
  await window.addInitScript(
    `${watchShifts}; ${isInside ? "localStorage.setItem('sluice.inside', 'yes')" : ''}`,
  )
  return window
}

/** Presses the button, unless the page has tried again by itself meanwhile. */
const tryAgain = (window: Page) =>
  window.getByRole('button', { name: 'Try again' }).evaluateAll((all) => {
    for (const each of all) (each as unknown as { click(): void }).click()
  })

const close = (window: Page) => window.context().close()
const skeleton = (window: Page) => window.locator('#first-paint')

/** Holds the answers of what matches back until it is called. */
async function hold(window: Page, pattern: string | RegExp): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  await window.route(pattern, async (route) => {
    await promise
    await route.continue()
  })
  return resolve
}

// A page that is still loading has no title, and nothing to name it by.
const violations = async (window: Page) =>
  (await axeViolations(window)).filter(({ id }) => id !== 'page-has-heading-one')

const script = /\/main-[\w-]+\.js/
const session = '**/dashboard-api/session'

describe.each([
  ['desktop', desktop],
  ['phone', phone],
] as const)('on a %s', (_, viewport) => {
  it.each([
    ['before the script is there', script],
    ['before it is known who is signed in', session],
  ] as const)('the shape of the page is there %s, and nothing jumps when it comes', async (_, awaited) => {
    for (const colorScheme of ['light', 'dark'] as const) {
      const window = await openWindow({ viewport, colorScheme })
      const goOn = await hold(window, awaited)
      await window.goto(`${service.url}${base}/invoices`, { waitUntil: 'commit' })
      await skeleton(window).locator('.first-page .title').waitFor()
      expect(await skeleton(window).locator('.sidebar').isVisible()).toBe(viewport === desktop)
      expect(await skeleton(window).locator('.bottom-bar').isVisible()).toBe(viewport === phone)
      expect(await skeleton(window).getByRole('status').textContent()).toBe('Loading …')
      // All the rest is hidden from screen readers.
      const read = await window.locator('body').ariaSnapshot()
      expect(read.replace(/\s+/g, ' ').trim()).toMatch(/^(- status )?- main: - status: Loading …$/)
      expect(await violations(window)).toEqual([])
      await paintedTwice(window)
      goOn()
      await window.getByText('order-1099').locator('visible=true').first().waitFor()
      await skeleton(window).waitFor({ state: 'hidden' })
      const shifts = await shiftsIn(window)
      const sum = shifts.reduce((all, { value }) => all + value, 0)
      expect(sum, JSON.stringify(shifts, null, 2)).toBeLessThan(0.02)
      await close(window)
    }
  })

  it('people who were not signed in see the shape of a door, not that of the menu', async () => {
    const window = await openWindow({ viewport, isInside: false })
    const goOn = await hold(window, script)
    service.signedOut = true
    await window.goto(`${service.url}/dashboard`, { waitUntil: 'commit' })
    await skeleton(window).locator('.first-card .title').waitFor()
    for (const part of ['.sidebar', '.topbar', '.first-page', '.bottom-bar'])
      expect(await skeleton(window).locator(part).isVisible(), part).toBe(false)
    expect(await violations(window)).toEqual([])
    goOn()
    await window.getByRole('heading', { name: 'Sign in', level: 1 }).waitFor()
    await skeleton(window).waitFor({ state: 'hidden' })
    await close(window)
  })
})

it('a door has the shape of a door, also for someone who is signed in', async () => {
  const window = await openWindow()
  const goOn = await hold(window, session)
  await window.goto(`${service.url}/dashboard/new-password`, { waitUntil: 'commit' })
  await skeleton(window).locator('.first-card .title').waitFor()
  expect(await skeleton(window).locator('.sidebar').isVisible()).toBe(false)
  goOn()
  await window.getByText('Choose your own password').waitFor()
  await skeleton(window).waitFor({ state: 'hidden' })
  await close(window)
})

it('the skeleton says in the language of the page that it is loading', async () => {
  const window = await openWindow({ locale: 'de-DE' })
  const goOn = await hold(window, session)
  await window.goto(`${service.url}${base}`)
  await skeleton(window).getByText('Wird geladen').waitFor({ state: 'attached' })
  goOn()
  await window.getByRole('heading', { name: 'Übersicht', level: 1 }).waitFor()
  await close(window)
})

it('without the script the page says that it did not load, and offers to load it again', async () => {
  const window = await openWindow()
  await window.route(script, (route) => route.abort())
  await window.goto(`${service.url}${base}`)
  await window.getByRole('heading', { name: 'The dashboard did not load' }).waitFor()
  expect(await violations(window)).toEqual([])
  await window.unroute(script)
  await window.getByRole('button', { name: 'Reload the page' }).click()
  await window.getByRole('heading', { name: 'Overview', level: 1 }).waitFor()
  await close(window)
})

it('where scripts are not allowed there is no skeleton, only a sentence', async () => {
  const context = await shownIn.browser.newContext({ viewport: desktop, javaScriptEnabled: false })
  const window = await context.newPage()
  await window.goto(`${service.url}${base}`)
  await window.locator('.noscript').waitFor()
  expect(await skeleton(window).isVisible()).toBe(false)
  await context.close()
})

const words = /\/(?:en|de)-[\w-]+\.js/
const title = (window: Page, name: string) => window.getByRole('heading', { name, level: 1 }).waitFor()
/** Marks the page, so that a reload would be noticed. */
const mark = (window: Page) => window.evaluate('window.isSame = true')
const isSame = (window: Page) => window.evaluate('window.isSame ?? false')

describe('while the service is away', () => {
  it.each([
    ['cannot be reached', (window: Page) => window.route(session, (route) => route.abort())],
    [
      'answers 503',
      (window: Page) => window.route(session, (route) => route.fulfill({ status: 503, body: 'Bad gateway' })),
    ],
  ] as const)(
    'it %s: the page says so, tries again by itself, and opens without a reload',
    async (_, away) => {
      for (const [viewport, colorScheme, locale, said, heading] of [
        [desktop, 'light', 'en-GB', 'The service does not answer', 'Invoices'],
        [phone, 'dark', 'de-DE', 'Der Dienst antwortet nicht', 'Rechnungen'],
      ] as const) {
        const window = await openWindow({ viewport, colorScheme, locale })
        await away(window)
        await window.goto(`${service.url}${base}/invoices`)
        await window.getByRole('alert').getByText(said).waitFor()
        await mark(window)
        expect(await skeleton(window).isVisible()).toBe(false)
        expect(await axeViolations(window)).toEqual([])
        // A notice that is gone after six seconds says nothing to who looks later.
        expect(await window.locator('.toast').count()).toBe(0)
        await window.unroute(session)
        await title(window, heading)
        expect(await isSame(window)).toBe(true)
        await close(window)
      }
    },
  )

  it('a button tries again at once, by keyboard too, and who pressed it reads on from the title of the page', async () => {
    const window = await openWindow()
    let times = 0
    await window.route(session, (route) => {
      times++
      return route.abort()
    })
    await window.goto(`${service.url}${base}/invoices`)
    const button = window.getByRole('button', { name: 'Try again' })
    // By itself it waits longer each time.
    await expect.poll(() => times).toBeGreaterThan(2)
    await button.focus()
    const before = times
    await window.keyboard.press('Enter')
    await expect.poll(() => times).toBeGreaterThan(before)
    await window.unroute(session)
    await window.keyboard.press('Enter')
    await title(window, 'Invoices')
    await expect.poll(() => window.evaluate('document.activeElement.id')).toBe('page-title')
    await close(window)
  })

  it('a machine that is connected again does not wait for its turn', async () => {
    const window = await openWindow()
    let times = 0
    await window.route(session, (route) => {
      times++
      return route.abort()
    })
    await window.goto(`${service.url}${base}/invoices`)
    await expect.poll(() => times).toBe(3)
    await window.unroute(session)
    await window.evaluate("window.dispatchEvent(new Event('online'))")
    await title(window, 'Invoices')
    await close(window)
  })

  it('words that do not arrive are asked for again; until then the page speaks English', async () => {
    const window = await openWindow({ locale: 'de-DE' })
    await window.route(words, (route) => route.abort())
    await window.goto(`${service.url}${base}/invoices`)
    await window.getByRole('alert').getByText('The service does not answer').waitFor()
    await mark(window)
    expect(await window.locator('.door').getAttribute('lang')).toBe('en')
    expect(await axeViolations(window)).toEqual([])
    await window.unroute(words)
    await tryAgain(window)
    await title(window, 'Rechnungen')
    expect(await isSame(window)).toBe(true)
    await close(window)
  })

  it('the page opens even if the words of the account’s language do not arrive', async () => {
    const window = await openWindow()
    await window.route(/\/de-[\w-]+\.js/, (route) => route.abort())
    await window.route(session, (route) =>
      route.fulfill({ json: { data: { ...shown.session, language: 'de' }, meta: {} } }),
    )
    await window.goto(`${service.url}${base}/invoices`)
    await title(window, 'Invoices')
    await close(window)
  })

  it('the sign-in can be used meanwhile, and what is typed there stays', async () => {
    for (const viewport of [desktop, phone]) {
      const window = await openWindow({ viewport, isInside: false })
      service.signedOut = true
      await window.route(session, (route) => route.abort())
      await window.goto(`${service.url}/dashboard/sign-in`)
      await window.getByRole('alert').getByText('The service does not answer').waitFor()
      await window.getByLabel('Email address').fill('ada@example.com')
      expect(await axeViolations(window)).toEqual([])
      await window.unroute(session)
      await tryAgain(window)
      await window.getByRole('alert').waitFor({ state: 'detached' })
      expect(await window.getByLabel('Email address').inputValue()).toBe('ada@example.com')
      await close(window)
    }
  })
})

it('a step that is only for those who are signed in leads everyone else to the sign-in', async () => {
  service.signedOut = true
  const window = await openWindow()
  await window.goto(`${service.url}/dashboard/welcome?back=%2Fdashboard%2Faccount`)
  await title(window, 'Sign in')
  expect(new URL(window.url()).searchParams.get('back')).toBe('/dashboard/account')
  await close(window)
})
