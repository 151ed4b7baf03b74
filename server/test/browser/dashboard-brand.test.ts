import type { Page } from 'playwright-core'
import { beforeAll, expect, it } from 'vitest'
import { settings } from '../../../web/dashboard/test/more-fixtures.ts'
import { contrast } from '../../../web/ui/src/colour.ts'
import { axeViolations } from '../support/browser/axe.ts'
import { base, desktop, openStandInWindow, phone } from '../support/browser/stand-in-window.ts'

/** The settings' preview of the payment page, and the choice of a logo. */

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
    await page.getByRole('textbox', { name: 'Colour', exact: true }).last().fill(colour)
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
