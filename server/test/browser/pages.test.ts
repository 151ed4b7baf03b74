import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
import { openBrowser } from '../support/browser/browser.ts'
import { makeDataFolder } from '../support/processes/data-folder.ts'
import { type SluiceProcess, startSluice } from '../support/processes/sluice-process.ts'
import { makeTemporaryFolder, type TemporaryFolder } from '../support/processes/temporary-folder.ts'
import { contractOperations } from '../support/shop/contract-client.ts'

let folder: TemporaryFolder
let service: SluiceProcess
let browser: Browser
let page: Page
let requested: string[]
let complaints: string[]

beforeAll(async () => {
  folder = await makeTemporaryFolder()
  await makeDataFolder(folder.path)
  service = await startSluice({ SLUICE_DATA_DIR: folder.path })
  browser = await openBrowser()
})
afterAll(async () => {
  await browser.close()
  await service.end('SIGTERM')
  await folder.remove()
})

beforeEach(async () => {
  requested = []
  complaints = []
  page = await browser.newPage({ viewport: { width: 390, height: 844 } })
  page.on('request', (request) => requested.push(request.url()))
  page.on('console', (message) => {
    // The dashboard asks who is signed in, and no one is.
    if (message.type() === 'error' && !/status of 401/.test(message.text())) complaints.push(message.text())
  })
  page.on('pageerror', (error) => complaints.push(error.message))
})
afterEach(() => page.close())

it('the reference shows every operation of the contract and loads nothing from other hosts', async () => {
  await page.setViewportSize({ width: 1280, height: 900 })
  await page.goto(`${service.ready.url}/docs`)
  for (const { summary } of contractOperations) await page.getByText(summary).first().waitFor()
  const foreign = requested.filter((url) => !url.startsWith(service.ready.url) && !/^(data|blob):/.test(url))
  expect(foreign).toEqual([])
  expect(complaints).toEqual([])
})

it('the front page links to the dashboard and the reference, fits a phone and works with the keyboard', async () => {
  await page.goto(service.ready.url)
  const overflow = await page.evaluate(
    'document.documentElement.scrollWidth - document.documentElement.clientWidth',
  )
  expect(overflow).toBe(0)
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await page.waitForURL('**/dashboard/sign-in**')
  await page.goto(service.ready.url)
  await page.keyboard.press('Tab')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await page.waitForURL('**/docs/**')
  expect(complaints).toEqual([])
})
