import * as shown from '../../../../web/dashboard/test/fixtures.ts'
import { endpoint } from '../../../../web/dashboard/test/more-fixtures.ts'
import { followLink } from './dashboard-window.ts'
import { base } from './stand-in-window.ts'
import { answer, answering, fill, inTurn, press, refuse, type Transient } from './transient.ts'

const overpaid = shown.invoices.find(({ status }) => status === 'overpaid')
const [, second] = shown.payouts as [(typeof shown.payouts)[0], (typeof shown.payouts)[0]]
const address = 'tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx'

/** What dialogs of the dashboard show after they were opened. */
export const dialogStates: Readonly<Record<string, Transient>> = {
  'an empty form': {
    at: `${base}/keys`,
    open: inTurn(press('New key'), answer('Create key')),
    says: 'Fill this in.',
  },
  'a key that was made, shown once': {
    at: `${base}/keys`,
    open: inTurn(press('New key'), fill('Name', 'Web shop'), answer('Create key')),
    says: 'It is shown only once',
    leave: 'I have stored it',
  },
  'the secret of a new endpoint': {
    at: `${base}/webhooks`,
    open: inTurn(press('New endpoint'), fill('URL', endpoint.url), answer('Add endpoint')),
    says: 'It is shown only once',
    // It goes on to the endpoint.
    leave: 'I have stored it',
  },
  'an endpoint that was refused': {
    at: `${base}/webhooks`,
    open: inTurn(
      press('New endpoint'),
      fill('URL', 'https://10.0.0.1'),
      refuse(400, 'validation_error', '/url: leads to a private network'),
      answer('Add endpoint'),
    ),
    says: /private network/,
    leave: 'Not now',
  },
  'what was typed into a dialog, about to be lost': {
    at: `${base}/team`,
    open: inTurn(press('Invite'), fill('Email address', 'dee@example.com'), answer('Close')),
    says: 'What you filled in here is not saved',
    leave: 'Leave and discard',
  },
  'a refund to an address that a program controls': {
    at: `${base}/invoices/${overpaid?.id}`,
    open: inTurn(
      press('Refund'),
      fill('Customer', address),
      refuse(400, 'invalid_destination', '/allow_program_address: a program controls this address'),
      answer('Create refund'),
    ),
    says: 'Pay it anyway',
    leave: 'Not now',
  },
  'a factor that was wrong': {
    at: `${base}/webhooks/${endpoint.id}`,
    open: inTurn(
      (page) =>
        page.route('**/dashboard-api/step-up', (route) =>
          route.fulfill({
            status: 400,
            json: { error: { code: 'validation_error', message: '', details: ['/totp: is wrong'] } },
          }),
        ),
      refuse(403, 'step_up_required', '/: totp', '/: recovery_code'),
      press('Send a test'),
      fill('Code from your authenticator app', '123456'),
      answer('Confirm'),
    ),
    says: 'This code is wrong',
  },
  'what became of each of several rows': {
    at: `${base}/payouts`,
    open: inTurn(
      (page) => page.getByRole('checkbox', { name: 'Select: 1,200 USDT' }).click(),
      (page) => page.getByRole('checkbox', { name: 'Select: 0.25 BTC' }).first().click(),
      press('Reject 2 payouts'),
      fill('Reason', 'The wrong supplier'),
      refuse(409, 'conflict'),
      answer('Reject 2 payouts'),
    ),
    says: '1 of 2 done. 1 failed.',
  },
  'trust that is withdrawn': {
    at: `${base}/policy`,
    open: press('Withdraw trust'),
    says: 'are no longer sent',
  },
  'a message in front of a dialog': {
    at: `${base}/team`,
    open: inTurn(
      keepMessages,
      press('Invite'),
      fill('Email address', 'dee@example.com'),
      (page) => page.route('**/team/invitations', (route) => route.abort()),
      answer('Invite'),
    ),
    says: 'The service cannot be reached',
    leave: 'Not now',
    spoils: true,
  },
  'the codes after an authenticator app was set up': {
    at: '/dashboard/account',
    before: answering('**/dashboard-api/session', { ...shown.session, second_factors: ['passkey'] }),
    open: inTurn(press('Set up'), fill('The code it shows now', '123456'), answer('Confirm')),
    says: 'each of these codes signs you in once',
    leave: 'I have stored it',
  },
  'a passkey that was refused': {
    at: '/dashboard/account',
    open: inTurn(
      press('Add a passkey'),
      fill('Name of the passkey', 'Work phone'),
      refuse(409, 'conflict'),
      answer('Add the passkey'),
    ),
    says: 'Refused: conflict.',
    leave: 'Cancel',
  },
  'a passkey that the device is asked for': {
    at: '/dashboard/account',
    open: inTurn(
      async (page) => {
        const devtools = await page.context().newCDPSession(page)
        await devtools.send('WebAuthn.enable')
        // Nothing touches it: it waits.
        const options = {
          protocol: 'ctap2',
          transport: 'internal',
          hasResidentKey: true,
          hasUserVerification: true,
          isUserVerified: true,
          automaticPresenceSimulation: false,
        } as const
        await devtools.send('WebAuthn.addVirtualAuthenticator', { options })
      },
      press('Add a passkey'),
      fill('Name of the passkey', 'Work phone'),
      answer('Add the passkey'),
      (page) => page.locator('dialog[open] [type=submit][aria-disabled=true]').waitFor(),
    ),
    says: 'A passkey cannot be phished',
    leave: 'Cancel',
    spoils: true,
  },
}

const secondFactor = inTurn(
  (_, service) => {
    service.signedOut = true
  },
  answering('**/dashboard-api/sign-in', { stage: 'second_factor' }),
)
const signIn = inTurn(
  fill('Email address', 'ada@alpengluehen.example'),
  fill('Password', 'correct horse battery staple'),
  press('Sign in'),
)

/** What pages of the dashboard show for a while. */
export const states: Readonly<Record<string, Transient>> = {
  'a page whose code is on its way': {
    at: base,
    before: (page) => page.route('**/dashboard-assets/refunds-*.js', () => {}),
    open: async (page) => {
      // Before the dashboard has begun, a link loads the whole page anew.
      await page.locator('.page-head h1').waitFor()
      await followLink(page, `${base}/refunds`)
      await page.locator('h1', { hasText: 'Loading …' }).waitFor()
    },
    says: 'Loading …',
  },
  'a list in which nothing matches': {
    at: `${base}/refunds?period=today`,
    before: (_, service) => {
      service.empty = true
    },
    says: 'Nothing matches',
  },
  'a list that did not load': {
    at: `${base}/refunds`,
    before: (page) => page.route('**/test/refunds?**', (route) => route.fulfill({ status: 503, json: {} })),
    says: 'That did not work',
  },
  'a thing that did not load': {
    at: `${base}/webhooks/${endpoint.id}`,
    before: (page) => page.route('**/webhook_endpoints/*', (route) => route.abort()),
    says: 'The service cannot be reached',
  },
  'the second factor of a sign-in': {
    at: '/dashboard/sign-in',
    before: secondFactor,
    open: signIn,
    says: 'Enter the code that your authenticator app shows now',
  },
  'a recovery code at the sign-in that is refused': {
    at: '/dashboard/sign-in',
    before: secondFactor,
    open: inTurn(
      signIn,
      press('Use a recovery code'),
      fill('A recovery code', 'abcd-efgh'),
      refuse(400, 'validation_error'),
      press('Continue'),
    ),
    says: 'Refused: validation_error.',
  },
  'a sign-in that is refused': {
    at: '/dashboard/sign-in',
    before: (_, service) => {
      service.signedOut = true
    },
    open: inTurn(refuse(401, 'unauthorized'), signIn),
    says: 'Refused: unauthorized.',
  },
  'a link for a new password that was asked for': {
    at: '/dashboard/forgot-password',
    before: (page, service) => {
      service.signedOut = true
      return answering('**/dashboard-api/password-reset', {})(page, service)
    },
    open: inTurn(fill('Email address', 'ada@alpengluehen.example'), press('Send link')),
    says: 'If this address has an account',
  },
  'a link that is broken': {
    at: '/dashboard/reset',
    before: (_, service) => {
      service.signedOut = true
    },
    says: 'This link is incomplete',
  },
  'an authenticator app at the first sign-in': {
    at: '/dashboard/welcome',
    before: () => {},
    open: press('Use an authenticator app'),
    says: 'Scan this code with your authenticator app',
  },
  'an empty invoice': {
    at: `${base}/invoices/new`,
    open: press('Create invoice'),
    says: 'Fill this in.',
  },
  'an empty payout': {
    at: `${base}/payouts/new`,
    open: press('Create payout'),
    says: 'Choose one.',
  },
  'an invoice that is ready': {
    at: `${base}/invoices/new`,
    open: inTurn(fill('Amount', '49.90'), press('Create invoice')),
    says: 'The invoice is ready',
  },
  'a policy that is being relaxed': {
    at: `${base}/policy`,
    open: inTurn(press('Change the policy'), fill('Hours between approval', '0')),
    says: 'This relaxes:',
    spoils: true,
  },
  'a message that something was done': {
    at: `${base}/webhooks/${endpoint.id}`,
    open: inTurn(keepMessages, press('Send a test')),
    says: 'A test event is on its way',
    spoils: true,
  },
  'a message that something went wrong': {
    at: `${base}/payouts/${second.id}`,
    open: inTurn(keepMessages, refuse(409, 'conflict'), press('Approve')),
    says: 'Refused: conflict.',
    spoils: true,
  },
}

/** Lists that have no rows: what they say. */
export const empties = {
  invoices: 'No invoices yet',
  payouts: 'No payouts yet',
  refunds: 'No refunds yet',
  addresses: 'No static addresses yet',
  balances: 'No balance yet',
  'balances/BTC': 'No entries yet',
  keys: 'No keys yet',
  webhooks: 'No endpoints yet',
  [`webhooks/${endpoint.id}`]: 'Nothing has been sent there yet',
  [`addresses/${shown.staticAddress.id}`]: 'Nothing has arrived yet',
  events: 'No events yet',
  'audit-log': 'No actions yet',
  'search?q=order': 'Nothing found',
} as const

/** Pages whose skeletons differ. */
export const awaited = [
  '',
  '/invoices',
  `/invoices/${overpaid?.id}`,
  `/payouts/${second.id}`,
  `/webhooks/${endpoint.id}`,
  '/policy',
  '/team',
  '/settings',
] as const

/** From now on messages stay: axe may take longer than they do. */
function keepMessages(...[page]: Parameters<NonNullable<Transient['open']>>) {
  return page.evaluate(`{
    const later = window.setTimeout
    window.setTimeout = (work, ms, ...given) => (ms === 6000 ? 0 : later(work, ms, ...given))
  }`)
}
