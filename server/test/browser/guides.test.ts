import fastify, { type FastifyInstance } from 'fastify'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { assembleGuides } from '../../src/wire/guides.ts'
import { axeViolations } from '../support/browser/axe.ts'
import { openBrowser } from '../support/browser/browser.ts'

/** The built guides in a browser. */

let server: FastifyInstance
let browser: Browser
let url: string
beforeAll(async () => {
  server = fastify()
  server.decorateRequest('operation', '')
  server.decorateRequest('observe', () => {})
  await assembleGuides(server, () => () => {})
  server.get('/favicon.ico', (_, reply) => reply.code(204).send())
  url = await server.listen({ port: 0 })
  browser = await openBrowser()
})
afterAll(async () => {
  await browser.close()
  await server.close()
})

async function open(
  path: string,
  options: BrowserContextOptions,
  look: (page: Page) => Promise<void>,
): Promise<void> {
  const window = await browser.newContext(options)
  const complaints: string[] = []
  try {
    const page = await window.newPage()
    page.on('console', (message) => {
      if (message.type() === 'error') complaints.push(message.text())
    })
    page.on('pageerror', (error) => complaints.push(error.message))
    await page.goto(`${url}${path}`)
    await look(page)
  } finally {
    await window.close()
  }
  expect(complaints).toEqual([])
}

const phone: BrowserContextOptions = { viewport: { width: 360, height: 780 }, colorScheme: 'dark' }
const desktop: BrowserContextOptions = { viewport: { width: 1280, height: 900 }, colorScheme: 'light' }

it.each([
  ['on a phone, dark', phone],
  ['on a desktop, light', desktop],
])('the guides are accessible and no wider than the window %s', async (_, options) => {
  await open('/guides/', options, async (page) => {
    for (const slug of ['', 'concepts', 'troubleshooting', 'quickstart-go', 'glossary']) {
      await page.goto(`${url}/guides/${slug}`)
      const surplus = await page.evaluate('document.documentElement.scrollWidth - innerWidth')
      expect(surplus, slug).toBeLessThanOrEqual(0)
    }
    // Widths and colours are the same everywhere; these two have every kind of content.
    for (const slug of ['', 'errors', 'webhooks']) {
      await page.goto(`${url}/guides/${slug}`)
      expect(await axeViolations(page), slug).toEqual([])
    }
  })
})

it('a reader finds a heading by keyboard alone, and copies code', async () => {
  await open('/guides/', { ...desktop, permissions: ['clipboard-read', 'clipboard-write'] }, async (page) => {
    await page.keyboard.press('/')
    await page.keyboard.type('insufficient_balance')
    await page
      .getByRole('status')
      .filter({ hasText: /\d+ results?/ })
      .waitFor()
    expect(await axeViolations(page)).toEqual([])
    await page.keyboard.press('Enter')
    await page.waitForURL('**/guides/errors#insufficient_balance')

    await page.goto(`${url}/guides/quickstart-curl`)
    await page.getByRole('button', { name: 'Copy' }).first().click()
    await page.getByRole('button', { name: 'Copied' }).waitFor()
    expect(await page.evaluate('navigator.clipboard.readText()')).toContain('export SLUICE_API_KEY=')

    await page.keyboard.press('/')
    await page.keyboard.type('xyzzyx')
    await page.getByText('Nothing about “xyzzyx”.').waitFor()
    await page.keyboard.press('Escape')
    expect(await page.getByRole('searchbox').inputValue()).toBe('')
  })
})

it('without script every guide is a click away, and no search is offered', async () => {
  await open('/guides/', { ...phone, javaScriptEnabled: false }, async (page) => {
    expect(await page.getByRole('searchbox').count()).toBe(0)
    await page
      .getByRole('main')
      .getByRole('link', { name: /^Going live/ })
      .click()
    await page.getByRole('heading', { name: '5. Limits, fees and a cold wallet' }).waitFor()
  })
})
