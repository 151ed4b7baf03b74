import type { Page } from 'playwright-core'
import type { StandIn } from '../../../../web/dashboard/test/stand-in-service.ts'

type Step = (page: Page, service: StandIn) => unknown

/** Something that a page of the dashboard shows for a while: a dialog, or a state that is soon over. */
export type Transient = {
  readonly at: string
  /** What must be so before the page is loaded; it is then loaded anew. */
  readonly before?: Step
  /** Opens it, as users do. */
  readonly open?: Step
  /** What only this says. */
  readonly says: string | RegExp
  /** The button that ends it, if Escape does not. */
  readonly leave?: string
  /** Whether the next page has to be loaded anew. */
  readonly spoils?: true
  /** Only a phone has it. */
  readonly onPhone?: true
}

/** One step after the other. */
export const inTurn =
  (...steps: readonly Step[]): Step =>
  async (page, service) => {
    for (const step of steps) await step(page, service)
  }

/** Presses a button of the page. */
export const press =
  (name: string | RegExp): Step =>
  (page) =>
    page.getByRole('button', { name, exact: true }).locator('visible=true').first().click()

/** Presses a button of the dialog in front. */
export const answer =
  (name: string): Step =>
  (page) =>
    page.locator('dialog[open]').last().getByRole('button', { name, exact: true }).click()

export const follow =
  (name: string): Step =>
  (page) =>
    page.getByRole('link', { name }).locator('visible=true').first().click()

export const fill =
  (label: string, text: string): Step =>
  (page) =>
    page.getByLabel(label).locator('visible=true').first().fill(text)

/** The next change is refused. */
export const refuse =
  (status: number, code: string, ...details: readonly string[]): Step =>
  (_, service) => {
    service.refuseOnce = { status, code, details }
  }

/** Answers to these requests are these. */
export const answering =
  (url: string, data: object): Step =>
  (page) =>
    page.route(url, (route) => route.fulfill({ json: { data, meta: { request_id: 'req' } } }))
