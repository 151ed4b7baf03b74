import axe from 'axe-core'
import type { Page } from 'playwright-core'

const colours = 'color-contrast'
const choices = {
  all: {},
  colours: { runOnly: { type: 'rule', values: [colours] } },
  'all but colours': { rules: { [colours]: { enabled: false } } },
}

// What fades in is judged once it is there. What turns without end, such as a skeleton, is not waited for.
const shown = `Promise.allSettled(document.getAnimations()
  .filter((each) => each.effect?.getComputedTiming().endTime !== Infinity)
  .map((each) => each.finished))`

/** The violations that axe finds on a page in its present state. */
export async function axeViolations(page: Page, rules: keyof typeof choices = 'all') {
  // Half a megabyte, so it is injected into a page only once.
  if (!(await page.evaluate('"axe" in window'))) await page.evaluate(`${axe.source}; 0`)
  await page.evaluate(shown)
  const options = { resultTypes: ['violations'], reporter: 'no-passes', ...choices[rules] }
  const { violations } = await page.evaluate<axe.AxeResults>(`axe.run(document, ${JSON.stringify(options)})`)
  return violations.map(({ id, nodes }) => ({
    id,
    nodes: nodes.map(({ target, any }) => [target, any[0]?.message]),
  }))
}
