import { expect, it } from 'vitest'
import { pictured } from '../../scripts/pictures/places.ts'
import { pages } from '../../web/checkout/test/fixtures.ts'
import { patterns } from '../../web/dashboard/src/routes.ts'

/** `npm run pictures` shows every page that a person can see. A new one is pictured as well, or named here with the reason. */

const routesLeftOut: Readonly<Record<string, string>> = {
  home: 'Leads on to the overview.',
  connect: 'Leads on to connect_shop once it knows the merchant.',
  new_password: 'Shown once, before there is anything else; its form is in the account.',
}
const statesLeftOut: Readonly<Record<string, string>> = {
  choose_refused: 'The list of pay_choose, below one line that says why.',
  change: 'The list of pay_choose again, and a way back.',
  pay_request: 'Wallets fetch such a request by https, which the pictured service lacks.',
  pay_offline: 'The page of pay, below one line that says so.',
  closing: 'Over within seconds of being shown.',
  overpaid_refunded: 'The page of pay_overpaid with other amounts.',
  expired_partly: 'The page of pay_expired with another sentence.',
  expired_late: 'The page of pay_expired with a payment.',
  expired_unchosen: 'The page of pay_expired with less on it.',
  ended: 'One sentence, as on pay_unknown.',
  busy: 'One sentence, as on pay_unknown.',
  unavailable: 'One sentence, as on pay_unknown.',
}

/** The names that are neither pictured nor left out, and those that are named though they are gone or pictured after all. */
function mistakes(all: object, shown: readonly (string | null)[], leftOut: object) {
  const names = Object.keys(all)
  const out = Object.keys(leftOut)
  return {
    missing: names.filter((name) => !shown.includes(name) && !out.includes(name)),
    gone: [...shown, ...out].filter((name) => name !== null && !names.includes(name)),
    pictured: out.filter((name) => shown.includes(name)),
  }
}
const none = { missing: [], gone: [], pictured: [] }

it('every route of the dashboard is pictured', () => {
  expect(mistakes(patterns, pictured.routes, routesLeftOut)).toEqual(none)
})

it('every state of the checkout is pictured', () => {
  expect(mistakes(pages, pictured.states, statesLeftOut)).toEqual(none)
})
