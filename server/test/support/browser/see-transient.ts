import { expectAccessible, onLightPhone } from './both-looks.ts'
import type { openStandInWindow } from './stand-in-window.ts'
import type { Transient } from './transient.ts'

/**
 * Opens what a page shows for a while, expects it to be accessible, and ends it. Pages are followed to where that is possible,
 * which costs a tenth of a load.
 */
export function seeIn(shownIn: ReturnType<typeof openStandInWindow>, within: 'dialog[open]' | 'body') {
  let isUsable = false
  return async ({ at, before, open, says, leave, spoils, onPhone }: Transient): Promise<void> => {
    const { page, service } = shownIn
    const isFollowed = isUsable && before === undefined
    isUsable = false
    try {
      await onLightPhone(page)
      await before?.(page, service)
      await (isFollowed ? shownIn.follow(at) : shownIn.go(at))
      await open?.(page, service)
      await page.locator(within).getByText(says).locator('visible=true').first().waitFor()
      await expectAccessible(page, onPhone)

      if (leave !== undefined) await page.getByRole('button', { name: leave }).last().click()
      else if (within !== 'body') await page.keyboard.press('Escape')
      await page.locator('dialog[open]').first().waitFor({ state: 'detached' })
    } finally {
      // What was kept from this page must not be kept from the next ones.
      await page.unrouteAll({ behavior: 'ignoreErrors' })
    }
    isUsable = before === undefined && !spoils
    // What was kept from the page on purpose is what the browser complains about.
    shownIn.complaints = shownIn.complaints.filter((said) => !/ERR_FAILED|status of 50/.test(said))
  }
}
