import * as shown from '../../../../web/dashboard/test/fixtures.ts'
import { endpoint } from '../../../../web/dashboard/test/more-fixtures.ts'
import { base } from './stand-in-window.ts'

const shopAsks = 'app=woocommerce&name=Laden&return=https%3A%2F%2Fshop.example'
export const [open] = shown.invoices as [(typeof shown.invoices)[0]]
const [first, second] = shown.payouts as [(typeof shown.payouts)[0], (typeof shown.payouts)[0]]
const rejected = shown.payouts.find(({ status }) => status === 'cancelled')

/** Every page: its path, and a text that only this page shows. */
export const pages: Readonly<Record<string, readonly [path: string, says: string]>> = {
  overview: [base, '2 payouts wait for approval'],
  invoices: [`${base}/invoices`, '<script>document.title="owned"</script>'],
  new_invoice: [`${base}/invoices/new`, 'You get a payment link'],
  invoice: [`${base}/invoices/${open.id}`, 'Simulate the payer'],
  reversed_invoice: [
    `${base}/invoices/${shown.invoices.at(-1)?.id}`,
    '0.00083167 BTC is no longer on the chain',
  ],
  addresses: [`${base}/addresses`, 'Donations'],
  address: [`${base}/addresses/${shown.staticAddress.id}`, 'The tag must be given with the address'],
  payouts: [`${base}/payouts`, '1,200 USDT'],
  new_payout: [`${base}/payouts/new`, 'Creating does not send it'],
  import_payouts: [`${base}/payouts/import`, 'or drop it here'],
  payout: [`${base}/payouts/${first.id}`, 'Compare every character'],
  rejected_payout: [
    `${base}/payouts/${rejected?.id}`,
    'Finn <b>Ott</b> rejected this payout: The wrong supplier',
  ],
  approvals: [`${base}/payouts/approve?ids=${first.id},${second.id}`, 'exactly the 2 payouts shown here'],
  missing: [`${base}/invoices/00000000-0000-0000-0000-000000000000`, 'There is nothing here'],
  refunds: [`${base}/refunds`, '0.00016833'],
  refund: [`${base}/refunds/${shown.refund.id}`, 'waits until its payout is approved'],
  balances: [`${base}/balances`, 'They change no balance'],
  ledger: [`${base}/balances/BTC`, 'Released from suspense, paid in 0xfa11: Paid in the wrong token.'],
  keys: [`${base}/keys`, 'sk_test_…9f30'],
  connect: [`/dashboard/connect?${shopAsks}`, 'hooks.alpengluehen.example'],
  webhooks: [`${base}/webhooks`, endpoint.url],
  webhook: [`${base}/webhooks/${endpoint.id}`, 'Rotate the secret'],
  events: [`${base}/events`, 'invoice.paid'],
  event: [`${base}/events/${shown.eventId}`, '<h1>oops</h1>'],
  search: [`${base}/search?q=order`, 'order-1098'],
  settings: [`${base}/settings`, 'Set by the operator of this service'],
  policy: [`${base}/policy`, 'Passkeys the signer trusts'],
  team: [`${base}/team`, 'New link'],
  audit_log: [`${base}/audit-log`, 'Ada Keller approved a payout'],
  live: [`/dashboard/${shown.merchant}/live/invoices`, 'order-1098'],
  nowhere: [`/dashboard/${shown.other}/live/nothing`, 'There is nothing here'],
  account: ['/dashboard/account', 'Safari on iPhone'],
  gates: ['/dashboard/operator/gates', 'A reorganisation deeper than 100 blocks'],
  not_theirs: ['/dashboard/00000000-0000-0000-0000-000000000000/live/invoices', 'There is nothing here'],
  merchants: ['/dashboard/operator/merchants', '0.25 %'],
  suspense: ['/dashboard/operator/suspense', 'Wrong currency'],
  welcome: ['/dashboard/welcome', 'Protect your account'],
  new_password: ['/dashboard/new-password', 'Choose your own password'],
  second_factor: ['/dashboard/welcome?needed=', 'Live needs a second factor'],
  invitation: [`/dashboard/invitation#${'a'.repeat(43)}`, 'Join Alpenglühen Coffee as: Finance'],
  sign_in: ['/dashboard/sign-in', 'Sign in with a passkey'],
  forgot_password: ['/dashboard/forgot-password', 'We send a link'],
  reset_password: [`/dashboard/reset#${'a'.repeat(43)}`, 'At least 12 characters'],
}
/** The pages of people who are not signed in. */
export const closed = new Set(['sign_in', 'forgot_password', 'reset_password'])
