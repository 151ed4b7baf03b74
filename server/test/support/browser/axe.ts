import axe from 'axe-core'
import type { Page } from 'playwright-core'

const colours = 'color-contrast'
const choices = {
  all: {},
  colours: { runOnly: { type: 'rule', values: [colours] } },
  'all but colours': { rules: { [colours]: { enabled: false } } },
}

/** The violations that axe finds on a page in its present state. */
export async function axeViolations(page: Page, rules: keyof typeof choices = 'all') {
  // Half a megabyte, so it is injected into a page only once.
  if (!(await page.evaluate('"axe" in window'))) await page.evaluate(`${axe.source}; 0`)
  const options = { resultTypes: ['violations'], reporter: 'no-passes', ...choices[rules] }
  const { violations } = await page.evaluate<axe.AxeResults>(`axe.run(document, ${JSON.stringify(options)})`)
  return violations.map(({ id, nodes }) => ({
    id,
    nodes: nodes.map(({ target, any }) => [target, any[0]?.message]),
  }))
}
