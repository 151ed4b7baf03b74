import * as shown from '../../../../web/dashboard/test/fixtures.ts'
import { endpoint, savedViews } from '../../../../web/dashboard/test/more-fixtures.ts'
import { base } from './stand-in-window.ts'
import { answer, answering, fill, follow, inTurn, press, refuse, type Transient } from './transient.ts'

const [open] = shown.invoices as [(typeof shown.invoices)[0]]
const [first, second] = shown.payouts as [(typeof shown.payouts)[0], (typeof shown.payouts)[0]]
const [view] = savedViews as [(typeof savedViews)[0]]
const overpaid = shown.invoices.find(({ status }) => status === 'overpaid')
const [recipient, enrolled] = ['Roastery', 'Work laptop']

const overpaidInvoice = `${base}/invoices/${overpaid?.id}`
const oneWebhook = `${base}/webhooks/${endpoint.id}`
const withoutTotp = answering('**/dashboard-api/session', {
  ...shown.session,
  second_factors: ['passkey', 'recovery_code'],
})
const choose =
  (name: string): NonNullable<Transient['open']> =>
  (page) =>
    page
      .getByRole('checkbox', { name: `Select: ${name}` })
      .first()
      .click()
const withoutCode: NonNullable<Transient['before']> = (page) =>
  page.route('**/dashboard-assets/*-dialog-*.js', (route) => route.abort())
const away = 'This part did not load'
const askForHelp: NonNullable<Transient['open']> = async (page) => {
  await page.locator('.page-head h1').waitFor()
  await page.keyboard.press('?')
}
const beSignedOut: NonNullable<Transient['open']> = async (page, service) => {
  const search = page.getByLabel('Order, description, metadata')
  await search.fill('mug')
  service.signedOut = true
  await search.press('Enter')
}

/** Every dialog of the dashboard, by what its source calls it (`dialog-sources.ts`). */
export const dialogs: Readonly<Record<string, Transient>> = {
  "key-dialog shows t('new_key')": {
    at: `${base}/keys`,
    open: press('New key'),
    says: 'What it is for, for example',
  },
  "keys asks t('revoke_key')": {
    at: `${base}/keys`,
    open: press('Revoke: Web shop'),
    says: 'are refused from now on',
  },
  "connected-shops asks t('disconnect_shop')": {
    at: `${base}/keys`,
    open: press(/^Disconnect: Alpenglühen/),
    says: 'the shop can be connected again',
  },
  "endpoint-dialog shows t('new_endpoint')": {
    at: `${base}/webhooks`,
    open: inTurn(press('New endpoint'), (page) =>
      page.getByLabel('All events, including new ones').uncheck(),
    ),
    says: 'The signing secret is shown next',
    leave: 'Not now',
  },
  "webhook asks t('rotate_secret')": {
    at: oneWebhook,
    open: press('Rotate the secret'),
    says: 'For 24 hours everything is signed with both',
  },
  "webhook shows t('rotate_secret')": {
    at: oneWebhook,
    open: inTurn(press('Rotate the secret'), answer('Rotate the secret')),
    says: 'It is shown only once',
    leave: 'I have stored it',
  },
  'webhook asks title': {
    at: oneWebhook,
    open: press('Delete'),
    says: 'Nothing more is sent there',
  },
  "redeliver-dialog shows t('redeliver_range')": {
    at: oneWebhook,
    open: press('Redeliver a range'),
    says: '40 delivered, 3 failed',
  },
  'delivery-dialog shows delivery.event': {
    at: oneWebhook,
    open: follow('invoice.paid'),
    says: 'Request body',
  },
  "proof-dialog shows question.of?.title ?? t('prove_title')": {
    at: oneWebhook,
    open: inTurn(
      refuse(403, 'step_up_required', '/: password', '/: totp'),
      press('Send a test'),
      answer('Use your password'),
    ),
    says: 'Your confirmation lasts for five minutes',
  },
  "team asks t('remove_member')": {
    at: `${base}/team`,
    open: inTurn(press('Change: Ben Ortiz'), press('Remove: Ben Ortiz')),
    says: 'loses all access at once',
  },
  "invite-dialog shows t('invite')": {
    at: `${base}/team`,
    open: press('Invite'),
    says: 'Can view everything and change nothing',
  },
  "team shows t('invitation_renew')": {
    at: `${base}/team`,
    open: press('New link: dee@alpengluehen.example'),
    says: 'to no one else',
    leave: 'I have stored it',
  },
  "pending-changes asks t('change_approve')": {
    at: `${base}/policy`,
    open: press(/^Approve ?:/),
    says: 'With all its approvals it waits',
  },
  "pending-changes asks t('change_withdraw')": {
    at: `${base}/policy`,
    open: press(/^Withdraw ?:/),
    says: 'The policy stays as it is',
  },
  "destinations shows t('add_destination')": {
    at: `${base}/policy`,
    open: press('Add a destination'),
    says: 'A new one relaxes the policy',
  },
  "destinations shows t('rename')": {
    at: `${base}/policy`,
    open: press(`Rename: ${recipient}`),
    says: 'Who owns the address.',
  },
  "destinations asks t('remove_destination')": {
    at: `${base}/policy`,
    open: press(/^Remove: tb1/),
    says: 'will no longer be a known destination',
  },
  'trusted-passkeys asks t({what}_title)': {
    at: `${base}/policy`,
    open: press('Vouch'),
    says: 'Ask them to read its fingerprint to you',
  },
  "refund-dialog shows t('refund_title')": {
    at: overpaidInvoice,
    open: press('Refund'),
    says: 'This creates a payout to your customer',
  },
  "invoice asks t('cancel_invoice')": {
    at: `${base}/invoices/${open.id}`,
    open: press('Cancel the invoice'),
    says: 'The payment page will tell your customer not to pay',
  },
  'bulk-dialog shows action.title': {
    at: `${base}/invoices`,
    open: inTurn(choose('order-1099'), press('Cancel 1 invoice')),
    says: 'The payment pages will tell your customers not to pay',
  },
  "view-dialog shows t(saved === null ? 'view_save_title' : 'view_edit_title')": {
    at: `${base}/invoices?status=paid`,
    open: inTurn(press('Views'), press('Save this view…')),
    says: 'Filters, days and order are saved',
  },
  "view-dialog asks t('view_delete_title', { name: known })": {
    at: `${base}/invoices?status=paid`,
    open: inTurn(press('Views'), press(`Change “${view.name}”`), answer('Delete')),
    says: 'The list itself stays as it is',
  },
  "unsaved asks t('unsaved_title')": {
    at: `${base}/invoices/new`,
    open: inTurn(fill('Order number', '4711'), follow('Invoices')),
    says: 'What you filled in here is not saved',
    leave: 'Leave and discard',
  },
  "payout asks t('reject_payout')": {
    at: `${base}/payouts/${second.id}`,
    open: press('Reject'),
    says: 'Reason (visible to the team)',
  },
  'payout asks title': {
    at: `${base}/payouts/${second.id}`,
    open: press('Cancel the payout'),
    says: 'The reserved amount becomes available again',
  },
  'approving asks action': {
    at: `${base}/payouts/${first.id}`,
    open: inTurn(press('Approve to a lookalike destination'), answer('Use an authenticator code')),
    says: 'so it needs a confirmation of its own',
  },
  "address-dialog shows t('new_address')": {
    at: `${base}/addresses`,
    open: press('New address'),
    says: 'Your own name for it',
  },
  'audit-log shows actText(desk, words, entry)': {
    at: `${base}/audit-log`,
    open: follow('Ada Keller approved a payout'),
    says: 'More by this actor',
  },
  "shell shows t('menu')": {
    at: `${base}/audit-log`,
    open: press('Menu'),
    says: 'Developers',
    onPhone: true,
  },
  "shortcuts-dialog shows t('shortcuts')": {
    at: `${base}/audit-log`,
    open: askForHelp,
    says: 'Next and previous row',
  },
  "command-palette shows t('palette')": {
    at: `${base}/audit-log`,
    open: press(/^Search or go to/),
    says: 'Go to live',
  },
  'gate-dialog shows title="{desk.networkName(gate.network)} · {t(gate.environment)}"': {
    at: '/dashboard/operator/gates',
    open: press('Ethereum'),
    says: 'Follow it again',
  },
  "merchant-dialog shows merchant?.name ?? t('new_merchant')": {
    at: '/dashboard/operator/merchants',
    open: press('New merchant'),
    says: 'Existing invoices and payouts keep their fees',
  },
  "release-dialog shows t('suspense_release')": {
    at: '/dashboard/operator/suspense?environment=test',
    open: press('Release'),
    says: 'Merchant to credit',
  },
  "factors shows t('welcome_passkey')": {
    at: '/dashboard/account',
    open: press('Add a passkey'),
    says: 'A passkey cannot be phished',
  },
  "factors shows t('recovery_title')": {
    at: '/dashboard/account',
    open: press('Create new codes'),
    says: 'each of these codes signs you in once',
    leave: 'I have stored it',
  },
  'factors asks title': {
    at: '/dashboard/account',
    open: press(`Remove: ${enrolled}`),
    says: 'You can no longer use it to confirm your identity',
  },
  "factors shows t('totp')": {
    at: '/dashboard/account',
    before: withoutTotp,
    open: press('Set up'),
    says: 'Scan this code with your authenticator app',
  },
  "sign-in-dialog shows t('sign_in_again')": {
    at: `${base}/invoices`,
    open: beSignedOut,
    says: 'Your session has ended',
    spoils: true,
  },
  // In place of a dialog whose code did not arrive.
  "invoice shows t('refund')": {
    at: overpaidInvoice,
    before: withoutCode,
    open: press('Refund'),
    says: away,
  },
  "app shows desk.t('shortcuts')": {
    at: `${base}/audit-log`,
    before: withoutCode,
    open: askForHelp,
    says: away,
  },
  "app shows desk.t('sign_in_again')": {
    at: `${base}/invoices`,
    before: withoutCode,
    open: beSignedOut,
    says: away,
    spoils: true,
  },
  'invoices shows asked.title': {
    at: `${base}/invoices`,
    before: withoutCode,
    open: inTurn(choose('order-1099'), press('Cancel 1 invoice')),
    says: away,
  },
  'payouts shows asked.title': {
    at: `${base}/payouts`,
    before: withoutCode,
    open: inTurn(choose('1,200 USDT'), press('Reject 1 payout')),
    says: away,
  },
  "saved-views shows t('views')": {
    at: `${base}/invoices?status=paid`,
    before: withoutCode,
    open: inTurn(press('Views'), press('Save this view…')),
    says: away,
  },
  "webhook shows t('redeliver_range')": {
    at: oneWebhook,
    before: withoutCode,
    open: press('Redeliver a range'),
    says: away,
  },
}

/** Not in the table, and why. */
export const notDialogs: Readonly<Record<string, string>> = {
  'dialog shows id': 'The frame of all the others.',
  'confirm-dialog shows question.title': 'Each question that something asks.',
}
