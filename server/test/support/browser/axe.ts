import axe from 'axe-core'
import type { Page } from 'playwright-core'

/** What axe finds wrong with a page as it is now; only by some of its rules, if they are named. */
export async function axeViolations(page: Page, rules?: readonly string[]) {
  // Half a megabyte: a page that has it is not given it again.
  if (!(await page.evaluate('"axe" in window'))) await page.evaluate(`${axe.source}; 0`)
  const options = {
    resultTypes: ['violations'],
    reporter: 'no-passes',
    ...(rules !== undefined && { runOnly: { type: 'rule', values: rules } }),
  }
  const { violations } = await page.evaluate<axe.AxeResults>(`axe.run(document, ${JSON.stringify(options)})`)
  return violations.map(({ id, nodes }) => ({
    id,
    nodes: nodes.map(({ target, any }) => [target, any[0]?.message]),
  }))
}
