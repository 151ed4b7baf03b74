import type { Page } from 'playwright-core'
import { beforeAll, expect, it } from 'vitest'
import { settings } from '../../../web/dashboard/test/more-fixtures.ts'
import { contrast } from '../../../web/ui/src/colour.ts'
import { axeViolations } from '../support/browser/axe.ts'
import { base, desktop, openStandInWindow, phone } from '../support/browser/stand-in-window.ts'

/** The settings' preview of the payment page, the choice of a logo, and the order of what payers see first. */

const shownIn = openStandInWindow()
const { go } = shownIn
let page: Page
beforeAll(() => {
  ;({ page } = shownIn)
})

const preview = (scheme: 'light' | 'dark') =>
  page.getByRole('img', { name: `The payment page in ${scheme} colours` })
const styleOf = (scheme: 'light' | 'dark', selector: string, property: string) =>
  page.evaluate<string>(
    `getComputedStyle(document.querySelector('.brand-preview.${scheme} ${selector}')).getPropertyValue('${property}')`,
  )
const hex = (rgb: string) =>
  `#${(rgb.match(/\d+/g) ?? []).map((part) => Number(part).toString(16).padStart(2, '0')).join('')}`

it('a logo is chosen with a button of the page, which shows the keyboard’s focus', async () => {
  await go(`${base}/settings`)
  const input = page.getByLabel('Choose an image')
  expect((await input.boundingBox())?.width).toBeLessThanOrEqual(1)
  const outline = () =>
    page.evaluate<string>(`getComputedStyle(document.querySelector('label[for=logo]')).outlineStyle`)
  expect(await outline()).toBe('none')
  await page.getByRole('button', { name: 'Save' }).focus()
  await page.keyboard.press('Tab')
  expect(await page.evaluate('document.activeElement.id')).toBe('logo')
  expect(await outline()).toBe('solid')
  const url = `data:image/gif;base64,R0lGODlhAQABAAAAACwAAAAAAQABAAA=`
  const sent: string[] = []
  const withLogo = { json: { data: { ...settings, logo: { url } }, meta: {} } }
  await page.route('**/settings/logo', (route) => {
    sent.push(route.request().postData() ?? '')
    return route.fulfill(withLogo)
  })
  // The page reads the settings again once they have changed.
  await page.route(/\/merchants\/[^/]+\/settings$/, (route) =>
    sent.length > 0 ? route.fulfill(withLogo) : route.continue(),
  )
  const image = { name: 'logo.png', mimeType: 'image/png', buffer: Buffer.from('not really a picture') }
  await input.setInputFiles(image)
  await preview('dark').locator('img').waitFor()
  expect(sent).toEqual([JSON.stringify({ data: image.buffer.toString('base64') })])
  await input.setInputFiles({ ...image, buffer: Buffer.alloc(64 * 1024 + 1) })
  await page.getByText('The image is larger than 64 KiB').first().waitFor()
  expect(sent).toHaveLength(1)
  await page.unrouteAll()
})

it('what is typed is seen at once as payers will see it, in light and dark, and readable', async () => {
  await go(`${base}/settings`)
  await page.getByLabel('Name of the business').fill('  Zoë’s <b>Bikes</b>  ')
  for (const scheme of ['light', 'dark'] as const) {
    await preview(scheme).getByText('Zoë’s <b>Bikes</b>', { exact: true }).waitFor()
    expect(await preview(scheme).innerText()).toContain('€25.00')
  }
  const own = page.getByLabel('Custom colour on the payment page')
  if (!(await own.isChecked())) await own.check()
  // Pale yellow: white text on it, or itself as text on white, could not be read.
  for (const colour of ['#ffee88', '#101010', '#c02040']) {
    await page.getByLabel('Colour', { exact: true }).fill(colour)
    if (colour === '#c02040')
      await expect
        .poll(async () => hex(await styleOf('light', '.brand-button', 'background-color')))
        .toBe(colour)
    for (const scheme of ['light', 'dark'] as const) {
      const [surface, text] = await Promise.all([
        styleOf(scheme, '.brand-button', 'background-color'),
        styleOf(scheme, '.brand-button', 'color'),
      ])
      expect(contrast(hex(surface), hex(text))).toBeGreaterThanOrEqual(4.5)
    }
  }
  for (const viewport of [phone, desktop]) {
    await page.setViewportSize(viewport)
    expect(await axeViolations(page)).toEqual([])
    expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0)
  }
  await own.uncheck()
  await expect
    .poll(async () => hex(await styleOf('light', '.brand-button', 'background-color')))
    .toBe('#1f5fd0')
})

it('what payers see first is put in order by keyboard, told to screen readers, seen at once, and sent', async () => {
  await go(`${base}/settings`)
  const sent: { currency_order?: string[]; network_order?: string[] }[] = []
  await page.route(/\/merchants\/[^/]+\/settings$/, (route) => {
    if (route.request().method() === 'GET') return route.continue()
    const body = route.request().postDataJSON()
    sent.push(body)
    return route.fulfill({ json: { data: { ...settings, ...body }, meta: {} } })
  })
  const coins = page.getByRole('group', { name: 'Currencies that payers see first' })
  const button = (name: string) => coins.getByRole('button', { name, exact: true })
  const press = async (name: string) => {
    await button(name).focus()
    await page.keyboard.press('Enter')
  }
  const order = async () => (await coins.getByRole('listitem').allInnerTexts()).map((text) => text.trim())
  const said = (words: string) =>
    expect.poll(() => coins.getByRole('status').textContent(), { message: words }).toBe(words)
  const focused = () => page.evaluate<string>('document.activeElement.getAttribute("aria-label")')
  const firstSeen = () => preview('light').locator('.brand-offer').allInnerTexts()
  await expect.poll(order).toEqual(['USD Coin USDC', 'Bitcoin BTC'])
  expect(await firstSeen()).toEqual(['USD Coin USDC', 'Bitcoin BTC', 'Tether USD USDT'])

  // The button keeps the focus, also where it can do no more.
  await press('Move up: Bitcoin')
  await said('Bitcoin: place 1 of 2.')
  await expect.poll(focused).toBe('Move up: Bitcoin')
  expect(await button('Move up: Bitcoin').getAttribute('aria-disabled')).toBe('true')
  await page.keyboard.press('Enter')
  expect(await order()).toEqual(['Bitcoin BTC', 'USD Coin USDC'])
  await coins.getByLabel('Add a currency').selectOption('Litecoin')
  await press('Add')
  await said('Litecoin: place 3 of 3.')
  await press('Move up: Litecoin')
  await said('Litecoin: place 2 of 3.')
  await press('Move down: Bitcoin')
  await said('Bitcoin: place 2 of 3.')
  await expect.poll(firstSeen).toEqual(['Litecoin LTC', 'Bitcoin BTC', 'USD Coin USDC'])
  for (const viewport of [phone, desktop]) {
    await page.setViewportSize(viewport)
    expect(await axeViolations(page)).toEqual([])
    expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0)
  }
  await press('Remove: Litecoin')
  await said('Litecoin follows in the usual order.')
  await expect.poll(focused).toBe('Remove: Bitcoin')
  const networks = page.getByRole('group', { name: 'Networks that payers see first in a currency' })
  await networks.getByText('The usual order applies.').first().waitFor()
  await networks.getByLabel('Add a network').selectOption('Solana')
  await networks.getByRole('button', { name: 'Add', exact: true }).click()
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expect.poll(() => sent).toHaveLength(1)
  expect(sent).toMatchObject([{ currency_order: ['BTC', 'USDC'], network_order: ['solana'] }])

  await press('Use the usual order')
  await said('The usual order applies.')
  await expect.poll(focused).toBe('Add a currency')
  expect(await order()).toEqual([])
  await expect.poll(firstSeen).toEqual(['Bitcoin BTC', 'Tether USD USDT', 'Ether ETH'])
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expect.poll(() => sent).toHaveLength(2)
  expect(sent[1]).toMatchObject({ currency_order: [], network_order: ['solana'] })
  await page.unrouteAll()
})

it('what is not a colour is not sent, and the field says so in the language of the page', async () => {
  const { browser, service } = shownIn
  for (const [locale, labels, wrong, missing] of [
    [
      'en-GB',
      { own: 'Custom colour on the payment page', colour: 'Colour', pick: 'Pick a colour', save: 'Save' },
      'Enter a colour such as #0a7cff.',
      'Fill this in.',
    ],
    [
      'de-DE',
      {
        own: 'Eigene Farbe auf der Zahlungsseite',
        colour: 'Farbe',
        pick: 'Farbe auswählen',
        save: 'Speichern',
      },
      'Geben Sie eine Farbe wie #0a7cff ein.',
      'Füllen Sie dieses Feld aus.',
    ],
  ] as const) {
    const context = await browser.newContext({ viewport: desktop, locale })
    const window = await context.newPage()
    const complaints: string[] = []
    window.on('console', (message) => message.type() !== 'debug' && complaints.push(message.text()))
    const sent: string[] = []
    await window.route(/\/merchants\/[^/]+\/settings$/, (route) => {
      if (route.request().method() === 'GET') return route.continue()
      sent.push(route.request().postData() ?? '')
      return route.fulfill({ json: { data: { ...settings, colour: '#c02040' }, meta: {} } })
    })
    await window.goto(`${service.url}${base}/settings`)
    await window.getByLabel(labels.own).check()
    const field = window.getByLabel(labels.colour, { exact: true })
    for (const [typed, said] of [
      ['#12', wrong],
      ['', missing],
      ['c02040', wrong],
    ] as const) {
      await field.fill(typed)
      expect(await window.getByRole('alert').count()).toBe(0)
      await window.getByRole('button', { name: labels.save, exact: true }).click()
      await window.getByRole('alert').getByText(said, { exact: true }).waitFor()
      const described = await field.getAttribute('aria-describedby')
      expect(await window.locator(`[id="${described}"]`).textContent()).toBe(said)
      expect(await window.evaluate('document.activeElement.id')).toBe(await field.getAttribute('id'))
    }
    expect(await axeViolations(window)).toEqual([])
    expect(sent).toEqual([])
    // The picker fills the same field, which is right then.
    await window.getByLabel(labels.pick).fill('#c02040')
    expect(await field.inputValue()).toBe('#c02040')
    expect(await window.getByRole('alert').count()).toBe(0)
    await window.getByRole('button', { name: labels.save, exact: true }).click()
    await expect.poll(() => sent.join()).toContain('"colour":"#c02040"')
    expect(complaints).toEqual([])
    await context.close()
  }
})
