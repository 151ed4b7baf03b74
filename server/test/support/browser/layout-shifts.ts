import type { Page } from 'playwright-core'

/** One jump of a page's content, with the elements that moved and by how much, so that a failure names its cause. */
export type LayoutShift = { readonly value: number; readonly moved: readonly string[] }

/** A script for pages to begin with: it collects each shift that follows no input. */
export const watchShifts = `
  window.shifts = []
  new PerformanceObserver((list) => {
    for (const { value, hadRecentInput, sources } of list.getEntries())
      if (!hadRecentInput) window.shifts.push({ value, moved: sources.map(({ node, previousRect, currentRect }) =>
        (node?.nodeName ?? '?') + '.' + (node?.className ?? '') + ' ' + previousRect.y + '+' + previousRect.height + ' to ' + currentRect.y + '+' + currentRect.height) })
  }).observe({ type: 'layout-shift', buffered: true })`

/** What shifted so far, in a page that began with `watchShifts`. */
export const shiftsIn = (page: Page) => page.evaluate<LayoutShift[]>('window.shifts')

/** Waits until two frames are painted. */
export const paintedTwice = (page: Page) =>
  page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))')
