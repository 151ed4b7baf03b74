/**
 * How soon a payer on a slow connection sees what to pay: the payment page compared with a one-line page from a bare
 * server, both in a real browser with simulated slow 4G and an empty cache. Also the page's cost in bytes and requests.
 */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Browser, CDPSession, Page } from 'playwright-core'
import { openBrowser } from '../../server/test/support/browser/browser.ts'
import { post } from '../get-invoice/bench.ts'
import { interleave, median, type Ratio } from '../measure.ts'
import { startBenchService } from '../service.ts'

const rounds = 7
// As Lighthouse defines slow 4G.
const slow4g = {
  offline: false,
  latency: 150,
  downloadThroughput: (1.6 * 1024 * 1024) / 8,
  uploadThroughput: (750 * 1024) / 8,
}
const phone = { viewport: { width: 390, height: 844 } }

type Visit = {
  readonly visibleMs: number
  readonly bytes: number
  readonly requests: number
  readonly html: number
}

export async function run(): Promise<Record<string, Ratio>> {
  const service = await startBenchService({ env: { SLUICE_SANDBOX_BLOCK_SECONDS: '0' } })
  const bare = await bareServer()
  const browser = await openBrowser()
  try {
    const invoice = await post<{ checkout_url: string }>(service, 'invoices', {
      currency: 'BTC',
      amount: '0.0015',
      description: 'Two mugs and a plate',
    })
    const visits: Visit[] = []
    const ours = async () => {
      const visit = await visitOnce(browser, invoice.checkout_url, '.code')
      visits.push(visit)
      return visit.visibleMs
    }
    const theirs = async () => (await visitOnce(browser, bare.url, 'main')).visibleMs
    console.log('time until the amount is visible, slow 4G, nothing cached')
    await theirs()
    await ours()
    const ratio = await interleave(rounds, theirs, ours, 'ms')
    const middle = (of: (visit: Visit) => number) => median(visits.map(of))
    console.log(`  first HTML, compressed: ${middle(({ html }) => html)} bytes (at most 14,000)`)
    console.log(`  everything, compressed: ${middle(({ bytes }) => bytes)} bytes (at most 60,000)`)
    console.log(`  requests: ${middle(({ requests }) => requests)}, including the open stream`)
    return { 'checkout: until the amount is visible (about 1.5)': ratio }
  } finally {
    await browser.close()
    await bare.stop()
    await service.stop()
  }
}

async function visitOnce(browser: Browser, url: string, selector: string): Promise<Visit> {
  const context = await browser.newContext(phone)
  try {
    const page = await context.newPage()
    const network = await context.newCDPSession(page)
    await network.send('Network.enable')
    await network.send('Network.emulateNetworkConditions', slow4g)
    const traffic = count(network)
    await page.goto(url, { waitUntil: 'load' })
    await page.locator(selector).first().waitFor()
    // The page's script opens the stream: by then everything is loaded.
    if (selector === '.code') await streaming(page)
    const visibleMs = await page.evaluate<number>(
      `performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? NaN`,
    )
    return { visibleMs, ...traffic() }
  } finally {
    await context.close()
  }
}

function streaming(page: Page): Promise<unknown> {
  return page.waitForFunction(
    `performance.getEntriesByType('resource').length >= 2 && document.readyState === 'complete'`,
  )
}

/** Counts the bytes on the wire, compressed and with headers. */
function count(network: CDPSession): () => Pick<Visit, 'bytes' | 'requests' | 'html'> {
  const sizes = new Map<string, number>()
  let first: string | null = null
  network.on('Network.requestWillBeSent', ({ requestId, request }) => {
    if (request.url.startsWith('data:')) return
    first ??= requestId
    sizes.set(requestId, 0)
  })
  network.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    if (sizes.has(requestId)) sizes.set(requestId, encodedDataLength)
  })
  return () => ({
    bytes: [...sizes.values()].reduce((sum, size) => sum + size, 0),
    requests: sizes.size,
    html: (first === null ? undefined : sizes.get(first)) ?? 0,
  })
}

async function bareServer(): Promise<{ url: string; stop: () => Promise<void> }> {
  const html = '<!doctype html><html lang="en"><title>Pay</title><main>0.0015 BTC</main></html>'
  const server = createServer((_request, response) => {
    response.setHeader('Content-Type', 'text/html; charset=utf-8')
    response.end(html)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/`,
    stop: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}
