import { expect, it } from 'vitest'
import { axeViolations } from '../support/browser/axe.ts'
import { dialogs, notDialogs } from '../support/browser/dashboard-dialogs.ts'
import { dialogStates } from '../support/browser/dashboard-states.ts'
import { dialogsInSource, forgetfulDialogs } from '../support/browser/dialog-sources.ts'
import { seeIn } from '../support/browser/see-transient.ts'
import { base, openStandInWindow } from '../support/browser/stand-in-window.ts'

/** Every dialog of the dashboard under axe, against canned answers. */

const shownIn = openStandInWindow()
const see = seeIn(shownIn, 'dialog[open]')

it('every dialog that the source has is opened below', async () => {
  expect(await dialogsInSource()).toEqual([...Object.keys(dialogs), ...Object.keys(notDialogs)].sort())
})

it('every dialog with fields asks before it drops what was typed, but that for a code', async () => {
  expect(await forgetfulDialogs()).toEqual(['proof-dialog'])
})

it.each(Object.entries({ ...dialogs, ...dialogStates }))(
  '%s: axe finds nothing on a phone in light and a desktop in dark colours',
  (_, dialog) => see(dialog),
)

it('axe, used as above, finds what is wrong in a dialog', async () => {
  const { page } = shownIn
  await shownIn.go(`${base}/keys`)
  await page.getByRole('button', { name: 'New key' }).click()
  await page.locator('dialog[open]').waitFor()
  await page.evaluate("document.querySelector('dialog[open] form').append(new Image(9, 9))")
  expect((await axeViolations(page)).map(({ id }) => id)).toContain('image-alt')
})
