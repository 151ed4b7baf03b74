import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { bitcoin, offers, pageState, pages } from '../../../web/checkout/test/fixtures.ts'
import { type StandIn, startStandIn } from '../../../web/checkout/test/stand-in-service.ts'
import { openBrowser } from '../support/browser/browser.ts'
import { blocksOf } from '../support/pages/claims.ts'

let service: StandIn
let browser: Browser
let context: BrowserContext
let page: Page
let complaints: string[]

beforeAll(async () => {
  browser = await openBrowser()
  context = await browser.newContext({ viewport: { width: 390, height: 844 } })
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
})
afterAll(() => browser.close())
// Each has a page of its own, at an origin of its own.
beforeEach(async () => {
  service = await startStandIn(pages.pay)
  page = await context.newPage()
  complaints = []
  page.on('pageerror', (error) => complaints.push(error.message))
})
afterEach(async () => {
  await page.close()
  await service.close()
  expect(complaints).toEqual([])
})

const link = '/pay/q8Zr0bJ2mK4n'
const calls = (call: string) => service.asked.filter((each) => each.call === call)

/** Opens the page and waits until its script follows the invoice. */
async function open(state = pages.pay, query = '', on = page): Promise<void> {
  service.show(state)
  const before = service.followers()
  await on.goto(`${service.url}${link}${query}`)
  await expect.poll(() => service.followers()).toBe(before + 1)
}

describe('the page follows the chain', () => {
  it('shows every change without a reload, and announces it to screen readers', async () => {
    await open()
    await page.evaluate('window.isTheSamePage = true')
    service.show(pages.detected)
    await page.getByRole('heading', { name: 'Payment seen' }).waitFor()
    expect(await page.title()).toBe('Payment seen · Alpenglühen Coffee')
    await expect
      .poll(() => page.locator('.unseen[role=status]').last().textContent())
      .toContain('Payment seen')
    service.show(pages.confirming)
    await page.getByText('1 of 2 confirmations').waitFor()
    service.show(pages.paid)
    await page.getByRole('heading', { name: 'Receipt' }).waitFor()
    expect(await page.getByRole('alert').textContent()).toContain('Paid')
    expect(await page.evaluate('window.isTheSamePage')).toBe(true)
  })

  it('keeps its content while the connection is lost, and continues when it is back', async () => {
    await open()
    service.refuse = { status: 503, code: 'service_unavailable' }
    service.cut()
    await page.getByText('Connection lost').waitFor()
    expect(await page.getByText('Send BTC on Bitcoin only').isVisible()).toBe(true)
    service.show(pages.detected)
    service.refuse = null
    await page.getByRole('heading', { name: 'Payment seen' }).waitFor()
    await page.getByText('Connection lost').waitFor({ state: 'detached' })
  })

  it('reloads itself once when its token was lost, and then only offers to', async () => {
    await open()
    await page.evaluate('window.isTheSamePage = true')
    service.refuse = { status: 401, code: 'unauthorized' }
    service.cut()
    await page.getByText('This page is out of date').waitFor()
    expect(await page.evaluate('window.isTheSamePage')).toBeUndefined()
    expect(await page.getByRole('link', { name: 'Reload' }).getAttribute('href')).toBe(`${link}?lang=en`)
  })

  it('counts down by the service’s clock, and at the end no longer asks for a payment', async () => {
    await service.close()
    service = await startStandIn(pages.pay, 'running')
    await open()
    await page.getByText('14:').first().waitFor()
    service.show(pageState({ expires_at: service.inSeconds(9) }))
    await page.getByText('0:0').waitFor()
    await page.getByRole('heading', { name: 'The time to pay is over' }).waitFor()
    expect(await page.getByText('Send BTC on Bitcoin only').count()).toBe(0)
    await expect.poll(() => calls('GET invoice').length).toBeGreaterThan(0)
  })

  it('asks once when the window is over, however long the page stays open', async () => {
    await service.close()
    service = await startStandIn(pages.pay, 'running')
    await page.clock.install()
    await open(pageState({ phase: 'expired', expires_at: service.inSeconds(-60) }))
    await expect.poll(() => calls('GET invoice').length).toBeGreaterThan(0)
    for (let second = 0; second < 5; second++) {
      await page.clock.runFor(1_000)
      // A question that came after the tick has been answered now.
      await page.evaluate(`fetch('/checkout-assets/', { cache: 'no-store' }).then(() => null, () => null)`)
    }
    expect(calls('GET invoice')).toHaveLength(1)
    expect(await page.getByText('Connection lost').count()).toBe(0)
  })

  it('asks the service at once when it becomes visible again', async () => {
    await open()
    await page.evaluate(`document.dispatchEvent(new Event('visibilitychange'))`)
    await expect.poll(() => calls('GET invoice').length).toBe(1)
  })
})

describe('choosing', () => {
  it('works with the keyboard alone, and shows what to pay without a reload', async () => {
    await open(pages.choose)
    await page.evaluate('window.isTheSamePage = true')
    await page.getByRole('searchbox').fill('usdt erc20')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Space')
    expect(await page.getByRole('radio', { name: 'USDT Ethereum' }).isChecked()).toBe(true)
    service.answer = pages.pay_token.checkout
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: /^Send USDT on Ethereum \(ERC.20\) only$/ }).waitFor()
    expect(calls('POST asset').map(({ body }) => body)).toEqual(['{"currency":"USDT","network":"ethereum"}'])
    expect(await page.evaluate('document.activeElement.textContent')).toContain('Send USDT')
    expect(await page.evaluate('window.isTheSamePage')).toBe(true)
  })

  it('shows the winning choice in the window that lost, when two windows choose at once', async () => {
    await open(pages.choose)
    await page.getByRole('radio', { name: 'LTC' }).check()
    service.refuse = { status: 409, code: 'conflict', only: 'asset' }
    const other = pages.pay_token
    page.once('request', () => service.show(other))
    await page.getByRole('button', { name: 'Continue with LTC on Litecoin' }).click()
    await page.getByText('A currency was already chosen').waitFor()
    await page.getByRole('heading', { name: /^Send USDT on Ethereum \(ERC.20\) only$/ }).waitFor()
  })

  it('keeps a choice that was made before the script was loaded', async () => {
    service.show(pages.choose)
    let release = () => {}
    const released = new Promise<void>((resolve) => {
      release = resolve
    })
    await page.route('**/main-*.js', (route) => released.then(() => route.continue()))
    await page.goto(`${service.url}${link}`, { waitUntil: 'commit' })
    await page.getByRole('radio', { name: 'LTC' }).check()
    release()
    await page.getByRole('button', { name: 'Continue with LTC on Litecoin' }).waitFor()
    expect(await page.getByRole('radio', { name: 'LTC' }).isChecked()).toBe(true)
  })

  it('is selected already for the next payment on the same device, unless it cannot be chosen now', async () => {
    await open(pages.choose)
    expect(await page.getByRole('button', { name: 'Continue' }).textContent()).not.toContain('USDT')
    await page.getByText('Tether USD').click()
    await page.getByRole('radio', { name: 'USDT Ethereum' }).check()
    service.answer = pages.pay_token.checkout
    await page.getByRole('button', { name: 'Continue with USDT' }).click()
    await page.getByRole('heading', { name: 'Send USDT' }).waitFor()
    const next = await context.newPage()
    await open(pages.choose, '', next)
    await next.getByRole('button', { name: 'Continue with USDT on Ethereum' }).waitFor()
    // Its currency stays folded, so that nothing moves, and is framed.
    const folded = next.locator('fieldset > details', { hasText: 'Tether USD' })
    expect(await folded.getAttribute('open')).toBeNull()
    const frame = (of: string) => next.evaluate(`getComputedStyle(document.querySelector('${of}')).boxShadow`)
    expect(await frame('details:has(:checked)')).toContain('inset')
    expect(await frame('details:not(:has(:checked))')).toBe('none')
    await next.getByText('Tether USD').click()
    expect(await next.getByRole('radio', { name: 'USDT Ethereum' }).isChecked()).toBe(true)
    expect(await next.getByRole('radio', { name: 'USDT Ethereum' }).isVisible()).toBe(true)
    await next.getByText('Tether USD').click()
    await next.getByRole('button', { name: 'Continue with USDT' }).click()
    await next.getByRole('heading', { name: 'Send USDT' }).waitFor()
    await next.close()
    const offline = offers.map((each) => ({ ...each, status: 'offline' as const }))
    const last = await context.newPage()
    await open(pageState({ phase: 'choose', asset: null }, { offers: offline }), '', last)
    await last.getByText('the network cannot be reached right now').first().waitFor()
    expect(await last.getByRole('radio', { checked: true }).count()).toBe(0)
    await last.close()
  })

  it('tells the payer why a choice was refused, and lets them choose again', async () => {
    await open(pages.choose)
    await page.getByRole('radio', { name: 'LTC' }).check()
    service.refuse = { status: 503, code: 'gate_offline', only: 'asset' }
    await page.getByRole('button', { name: 'Continue with LTC' }).click()
    await page.getByText('That network cannot be reached right now').waitFor()
    expect(await page.getByRole('radio', { name: 'BTC' }).isEnabled()).toBe(true)
  })

  it('disables what cannot be chosen, and says why', async () => {
    await open(pages.choose)
    expect(await page.getByRole('radio', { name: 'SOL' }).isDisabled()).toBe(true)
    await page.getByText('the amount is too small for this network').waitFor()
  })

  it('works as a plain form without script', async () => {
    service.show(pages.choose)
    const plain = await (await browser.newContext({ javaScriptEnabled: false })).newPage()
    await plain.goto(`${service.url}${link}?embed=1`)
    await plain.getByText('Tether USD').click()
    await plain.getByRole('radio', { name: 'USDT Ethereum' }).check()
    await plain.getByRole('button', { name: 'Continue' }).click()
    await expect.poll(() => calls('POST page').map(({ body }) => body)).toEqual(['asset=USDT%40ethereum'])
    expect(plain.url()).toBe(`${service.url}${link}?lang=en&embed=1`)
    await plain.context().close()
  })
})

describe('choosing again', () => {
  const links = (name: string) => page.getByRole('link', { name })
  const inTether = pageState({ asset: pages.pay_token.checkout?.asset ?? null, can_change_asset: true })

  it('shows the other currencies without a reload, sends what it replaces, and shows what to pay now', async () => {
    await open(pages.pay_chosen)
    await page.evaluate('window.isTheSamePage = true')
    await links('Pay with another currency').focus()
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Pay with another currency' }).waitFor()
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Pay with another currency')
    // What is paid now is no alternative to itself.
    expect(await page.getByRole('radio', { name: 'BTC' }).count()).toBe(0)
    expect(await page.getByText('Send BTC on Bitcoin only').count()).toBe(0)
    await page.getByRole('radio', { name: 'LTC' }).check()
    service.answer = inTether.checkout
    await page.getByRole('button', { name: 'Continue with LTC' }).click()
    await page.getByRole('heading', { name: /^Send USDT/ }).waitFor()
    expect(calls('POST asset').map(({ body }) => JSON.parse(body))).toEqual([
      { currency: 'LTC', network: 'litecoin', instead_of: { currency: 'BTC', network: 'bitcoin' } },
    ])
    expect(await page.evaluate('window.isTheSamePage')).toBe(true)
  })

  it('goes back to the first choice without asking the service for anything', async () => {
    await open(pages.pay_chosen)
    await links('Pay with another currency').click()
    await links('Keep BTC on Bitcoin').click()
    await page.getByRole('heading', { name: 'Send BTC on Bitcoin only' }).waitFor()
    expect(await page.evaluate('document.activeElement.textContent')).toContain('Send BTC')
    expect(calls('POST asset')).toEqual([])
  })

  it('ends when a payment is seen', async () => {
    await open(pages.pay_chosen)
    await links('Pay with another currency').click()
    await page.getByRole('heading', { name: 'Pay with another currency' }).waitFor()
    service.show(pages.detected)
    await page.getByRole('heading', { name: 'Payment seen' }).waitFor()
    expect(await page.getByRole('radio').count()).toBe(0)
  })

  it('ends when another window chooses', async () => {
    await open(pages.pay_chosen)
    await links('Pay with another currency').click()
    await page.getByRole('heading', { name: 'Pay with another currency' }).waitFor()
    service.show(inTether)
    await page.getByRole('heading', { name: /^Send USDT/ }).waitFor()
    expect(await page.getByRole('radio').count()).toBe(0)
  })

  it('does not open the list in a window whose payer has just chosen in another one', async () => {
    await open(pages.choose)
    service.show(pages.pay_chosen)
    await page.getByRole('heading', { name: 'Send BTC on Bitcoin only' }).waitFor()
    expect(await page.getByRole('radio').count()).toBe(0)
  })

  it('works by links and a form without script', async () => {
    service.show(pages.pay_chosen)
    const plain = await (await browser.newContext({ javaScriptEnabled: false })).newPage()
    await plain.goto(`${service.url}${link}`)
    const other = plain.getByRole('link', { name: 'Pay with another currency' })
    expect(await other.getAttribute('href')).toBe(`${link}?lang=en&change=1`)
    service.show(pages.change)
    await other.click()
    await plain.getByRole('radio', { name: 'LTC' }).check()
    await plain.getByRole('button', { name: 'Continue' }).click()
    await expect
      .poll(() => calls('POST page').map(({ body }) => body))
      .toEqual(['instead_of=BTC%40bitcoin&asset=LTC%40litecoin'])
    await plain.context().close()
  })
})

describe('details that must be exact', () => {
  it('copying and selecting give the plain amount and the whole address', async () => {
    await open()
    const copied = () => page.evaluate('navigator.clipboard.readText()')
    await page.getByRole('button', { name: 'Copy: Amount' }).click()
    await expect.poll(copied).toBe('0.00083167')
    await page.getByRole('button', { name: 'Copy: Address' }).click()
    await expect.poll(copied).toBe(bitcoin.address)
    await page.locator('.code').click()
    expect(await page.evaluate('getSelection().toString()')).toBe(bitcoin.address)
  })

  it('the page says how to copy by hand where the browser forbids copying', async () => {
    await page.addInitScript(`navigator.clipboard.writeText = () => Promise.reject(new Error('no'))
      document.execCommand = () => false`)
    await open()
    await page.getByRole('button', { name: 'Copy: Address' }).click()
    await page.getByText('Copying is not allowed here').waitFor()
  })

  it('the language changes in place, and is kept in the URL', async () => {
    await open()
    await page.evaluate('window.isTheSamePage = true')
    await page.getByLabel('Language').selectOption('ar')
    await expect.poll(() => page.evaluate('document.documentElement.dir')).toBe('rtl')
    expect(await page.evaluate('document.documentElement.lang')).toBe('ar')
    expect(page.url()).toContain('?lang=ar')
    expect(await page.evaluate('window.isTheSamePage')).toBe(true)
    expect(await page.getByText('Send BTC').count()).toBe(0)
  })

  it('a language whose words do not arrive leaves the page as it is, and can be chosen again', async () => {
    await open()
    await page.route('**/ar-*.js', (route) => route.abort())
    await page.getByLabel('Language').selectOption('ar')
    await page.getByText('That could not be done.').waitFor()
    expect(await page.getByLabel('Language').inputValue()).toBe('en')
    expect(await page.getByText('Send BTC').count()).toBe(1)
    expect(page.url()).not.toContain('lang=ar')
    await page.unroute('**/ar-*.js')
    await page.getByLabel('Language').selectOption('ar')
    await expect.poll(() => page.evaluate('document.documentElement.dir')).toBe('rtl')
    expect(await page.locator('.banner', { hasText: 'could not' }).count()).toBe(0)
  })

  it('the language can be changed without script', async () => {
    service.show(pages.pay)
    const plain = await (await browser.newContext({ javaScriptEnabled: false })).newPage()
    await plain.goto(`${service.url}${link}`)
    await plain.getByLabel('Language').selectOption('de')
    await plain.getByRole('button', { name: 'Change' }).click()
    await plain.getByText('Warten auf Ihre Zahlung').waitFor()
    await plain.context().close()
  })

  it('simulating the payer calls the service, with script and without', async () => {
    await open(pages.pay_test)
    service.answer = pages.detected.checkout
    await page.getByRole('button', { name: 'Pay half' }).click()
    await page.getByRole('heading', { name: 'Payment seen' }).waitFor()
    expect(calls('POST simulation').map(({ body }) => body)).toEqual(['{"action":"pay_less"}'])
    const plain = await (await browser.newContext({ javaScriptEnabled: false })).newPage()
    await plain.goto(`${service.url}${link}`)
    await plain.getByRole('button', { name: 'Mine a block' }).click()
    await expect.poll(() => calls('POST page').map(({ body }) => body)).toEqual(['simulate=mine'])
    await plain.context().close()
  })

  it('HTML in a name or a description has no effect', async () => {
    const evil = '<img src=x onerror="window.wasRun = true"><script>window.wasRun = true</script>'
    await open(pageState({ description: evil, shop: { name: evil, logo: null, colour: null } }))
    expect(await page.locator('.description').textContent()).toBe(evil)
    expect(await page.evaluate('window.wasRun')).toBeUndefined()
  })
})

it('in a frame the page has no header of its own, and tells its parent its phase and height', async () => {
  // As our page on the checkout prints it.
  const [printed, ...others] = blocksOf('frame')
  expect(others).toEqual([])
  const markup = printed?.text.replace('https://pay.example.com/pay/…', `${service.url}${link}`)
  service.show(pages.pay)
  await page.goto(`${service.url}/shop`)
  await page.evaluate(`window.told = []
    addEventListener('message', ({ data }) => window.told.push(data))
    document.body.insertAdjacentHTML('beforeend', ${JSON.stringify(markup)})`)
  const told = () =>
    page.evaluate('window.told') as Promise<{ type: string; phase: string; height: number }[]>
  await expect.poll(async () => (await told()).at(-1)?.phase).toBe('pay')
  const frame = page.frameLocator('iframe')
  expect(await frame.getByLabel('Language').count()).toBe(0)
  expect(await frame.getByRole('link', { name: 'Open in wallet app' }).getAttribute('target')).toBe('_top')
  await expect.poll(() => service.followers()).toBe(1)
  service.show(pages.paid)
  await expect.poll(async () => (await told()).at(-1)?.phase).toBe('paid')
  for (const message of await told()) {
    expect(Object.keys(message).sort()).toEqual(['height', 'phase', 'type'])
    expect(message.height).toBeGreaterThan(200)
  }
})
