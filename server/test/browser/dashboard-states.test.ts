import { expect, it } from 'vitest'
import { expectAccessible, onLightPhone } from '../support/browser/both-looks.ts'
import { awaited, empties, states } from '../support/browser/dashboard-states.ts'
import { seeIn } from '../support/browser/see-transient.ts'
import { base, openStandInWindow } from '../support/browser/stand-in-window.ts'

/** What pages of the dashboard show for a while, under axe, against canned answers. Dialogs have a file of their own. */

const shownIn = openStandInWindow()
const see = seeIn(shownIn, 'body')

it.each(Object.entries(states))(
  '%s: axe finds nothing on a phone in light and a desktop in dark colours',
  (_, state) => see(state),
)

it('axe finds nothing on a list that has no rows yet', async () => {
  const { page, service } = shownIn
  service.empty = true
  await shownIn.go(base)
  for (const [path, text] of Object.entries(empties)) {
    await onLightPhone(page)
    await shownIn.follow(`${base}/${path}`)
    await shownIn.says(text)
    await expectAccessible(page)
  }
})

it('axe finds nothing on a page that waits for its data', async () => {
  const { page, service } = shownIn
  const late = Promise.withResolvers<void>()
  service.held = late.promise
  try {
    await shownIn.go(`${base}${awaited[0]}`)
    for (const path of awaited) {
      await onLightPhone(page)
      await shownIn.follow(`${base}${path}`)
      await page.waitForURL(`**${base}${path}`)
      await page.locator('.page-head ~ * .skeleton').locator('visible=true').first().waitFor()
      await expectAccessible(page)
      expect(await page.locator('main .skeleton').count(), path).toBeGreaterThan(0)
    }
  } finally {
    service.held = null
    late.resolve()
  }
})
