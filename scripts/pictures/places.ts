import type { Page } from 'playwright-core'
import type { Invoice, InvoiceStatus, NewInvoice } from '../../sdk/src/contract.generated.ts'
import { shopRequest } from '../../server/test/support/people/pairing-shop.ts'
import type { RouteName } from '../../web/dashboard/src/routes.ts'
import { invitePerson } from '../demo-data/people.ts'
import type { PicturedShop } from './shop.ts'
import { desktop } from './take-pictures.ts'

/** A page to be pictured. */
export type Place = {
  readonly name: PageName
  readonly path: string
  /** Whether it is a page of people who are not signed in, such as payers. */
  readonly isOutside: boolean
  /** What is done there first. */
  readonly fill?: (page: Page) => Promise<void>
}

/** The payer's pages, each with the states of the checkout (`web/checkout/test/fixtures.ts`) that it shows. */
const payment = {
  pay_choose: ['choose'],
  // Every network of the pictured shop is simulated.
  pay: ['pay', 'pay_test'],
  pay_chosen: ['pay_chosen'],
  pay_token: ['pay_token'],
  pay_tag: ['pay_tag'],
  pay_in_coin: ['pay_in_crypto'],
  pay_detected: ['detected'],
  pay_detected_partly: ['detected_partly'],
  pay_confirming: ['confirming'],
  pay_underpaid: ['underpaid'],
  pay_paid: ['paid'],
  pay_overpaid: ['overpaid'],
  pay_expired: ['expired'],
  pay_cancelled: ['cancelled'],
  pay_unknown: ['unknown'],
} as const
/** The dashboard's pages whose path is always the same, below the merchant's. */
const fixed = {
  overview: ['overview', ''],
  invoices: ['invoices', '/invoices'],
  new_invoice: ['new_invoice', '/invoices/new'],
  addresses: ['addresses', '/addresses'],
  payouts: ['payouts', '/payouts'],
  new_payout: ['new_payout', '/payouts/new'],
  import_payouts: ['import_payouts', '/payouts/import'],
  refunds: ['refunds', '/refunds'],
  balances: ['balances', '/balances'],
  ledger: ['ledger', '/balances/BTC'],
  keys: ['keys', '/keys'],
  webhooks: ['webhooks', '/webhooks'],
  events: ['events', '/events'],
  search: ['search', '/search?q=order'],
  settings: ['settings', '/settings'],
  policy: ['policy', '/policy'],
  team: ['team', '/team'],
  audit_log: ['audit', '/audit-log'],
} as const satisfies Record<string, readonly [RouteName, path: string]>
/** The others of the dashboard, each with its route; null is no page at all. */
const others = {
  import_rows: 'import_payouts',
  invoice_paid: 'invoice',
  invoice_underpaid: 'invoice',
  address: 'address',
  payout_to_approve: 'payout',
  payout_done: 'payout',
  payout_rejected: 'payout',
  approvals: 'approvals',
  refund: 'refund',
  webhook: 'webhook',
  event: 'event',
  connect_shop: 'connect_shop',
  not_found: null,
  live: 'overview',
  account: 'account',
  networks: 'gates',
  merchants: 'merchants',
  suspense: 'suspense',
  welcome: 'welcome',
  sign_in: 'sign_in',
  forgot_password: 'forgot_password',
  reset_password: 'reset_password',
  invitation: 'invitation',
} as const satisfies Record<string, RouteName | null>

/** What is pictured: the routes of the dashboard, and the states of the checkout. */
export const pictured: {
  readonly routes: readonly (RouteName | null)[]
  readonly states: readonly string[]
} = {
  routes: [...Object.values(fixed).map(([route]) => route), ...Object.values(others)],
  states: Object.values(payment).flat(),
}

export type PageName = keyof typeof payment | keyof typeof fixed | keyof typeof others
export const pageNames = Object.keys({ ...payment, ...fixed, ...others }) as PageName[]

/** The path of every page, with things to show that the weeks before have left. */
export async function placesOf(shop: PicturedShop): Promise<Place[]> {
  const { sluice, merchantId } = shop
  const base = `/dashboard/${merchantId}/test`
  const places: Place[] = Object.entries(fixed).map(([name, [, path]]) => ({
    name: name as PageName,
    path: `${base}${path}`,
    isOutside: false,
  }))
  const add = (name: PageName, path: string | null | undefined, more: Partial<Place> = {}) => {
    if (path === null || path === undefined) throw new Error(`The shop has nothing to show for ${name}.`)
    places.push({ name, path, isOutside: false, ...more })
  }
  const addOutside = (name: PageName, path: string | null | undefined) => add(name, path, { isOutside: true })

  // The invoices of a static address have no page for the payer.
  const newest = async (status: InvoiceStatus) => {
    const { data } = await sluice.invoices.list({ status, limit: 100 })
    const found = data.find(({ checkout_url: url }) => url !== null)
    if (found === undefined) throw new Error(`The shop has no invoice that is ${status} and has a page.`)
    return found
  }
  const [paid, underpaid] = [await newest('paid'), await newest('underpaid')]
  const payments: Record<Exclude<keyof typeof payment, 'pay_unknown'>, Pick<Invoice, 'checkout_url'>> = {
    ...(await openPayments(shop)),
    pay_underpaid: underpaid,
    pay_paid: paid,
    pay_overpaid: await newest('overpaid'),
    pay_expired: await newest('expired'),
    pay_cancelled: await newest('cancelled'),
  }
  for (const [name, { checkout_url: url }] of Object.entries(payments))
    addOutside(name as PageName, url === null ? null : pathOf(url))
  addOutside('pay_unknown', '/pay/AAAAAAAAAAAAAAAAAAAAAA')

  const destination = 'tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx'
  const [rows, wrong] = [`BTC,0.001,${destination},Rent`, `BTC,much,${destination},Packaging`]
  add('import_rows', `${base}/payouts/import`, {
    fill: async (page) => {
      await page.locator('textarea').fill(`currency,amount,destination,description\n${rows}\n${wrong}\n`)
      await page.locator('main form [type=submit]').click()
      await page.locator('table.import').waitFor()
      // What comes of it all sticks to the edge of the window, and would lie above the rows.
      const { width } = page.viewportSize() ?? desktop
      const height = await page.evaluate<number>('document.documentElement.scrollHeight')
      await page.setViewportSize({ width, height })
    },
  })
  add('invoice_paid', `${base}/invoices/${paid.id}`)
  add('invoice_underpaid', `${base}/invoices/${underpaid.id}`)
  const [address] = (await sluice.addresses.list({ limit: 1 })).data
  add('address', address && `${base}/addresses/${address.id}`)
  const waiting = (await sluice.payouts.list({ status: 'pending_approval', limit: 2 })).data
  add('payout_to_approve', waiting[0] && `${base}/payouts/${waiting[0].id}`)
  add('approvals', waiting[0] && `${base}/payouts/approve?ids=${waiting.map(({ id }) => id).join(',')}`)
  const [done] = (await sluice.payouts.list({ status: 'completed', limit: 1 })).data
  add('payout_done', done && `${base}/payouts/${done.id}`)
  // The owner rejected it after signing in.
  const [rejected] = (await sluice.payouts.list({ status: 'cancelled', limit: 1 })).data
  add('payout_rejected', rejected && `${base}/payouts/${rejected.id}`)
  const [refund] = (await sluice.refunds.list({ limit: 1 })).data
  add('refund', refund && `${base}/refunds/${refund.id}`)
  const [endpoint] = (await sluice.webhookEndpoints.list()).data
  add('webhook', endpoint && `${base}/webhooks/${endpoint.id}`)
  const [event] = (await sluice.events.list({ limit: 1 })).data
  add('event', event && `${base}/events/${event.id}`)
  add('connect_shop', `${base}/connect?${new URLSearchParams(shopRequest())}`)
  add('not_found', `${base}/nothing`)
  add('live', `/dashboard/${merchantId}/live`)
  add('account', '/dashboard/account')
  add('networks', '/dashboard/operator/gates')
  add('merchants', '/dashboard/operator/merchants')
  add('suspense', '/dashboard/operator/suspense')
  add('welcome', '/dashboard/welcome')
  addOutside('sign_in', '/dashboard/sign-in')
  addOutside('forgot_password', '/dashboard/forgot-password')
  addOutside('reset_password', `/dashboard/reset#${'a'.repeat(43)}`)
  addOutside('invitation', pathOf(await invitePerson(merchantId)))
  return places
}

// Later than all orders of the weeks before.
const firstOrder = 10_201

/** Invoices that are open, and some that are being paid just now. */
async function openPayments({ sluice }: PicturedShop) {
  // They stand at the top of the shop's own list of invoices, too.
  const goods = [
    'Two bags of espresso, ground',
    'Filter roast Ethiopia, 500 g',
    'Coffee subscription, three months',
  ]
  let orders = 0
  const create = (wanted: Partial<NewInvoice>) =>
    sluice.invoices.create({
      description: goods[orders % goods.length] ?? '',
      external_id: `order-${firstOrder + orders++}`,
      ...wanted,
    })
  const price = { amount_fiat: '64.90', fiat_currency: 'EUR' } as const
  const bitcoin = { currency: 'BTC', network: 'bitcoin' } as const
  const ether = { currency: 'ETH', network: 'ethereum' } as const
  /** An invoice to which this amount is on its way, with this number of the confirmations that Ethereum needs. */
  const seen = async (amount: string, confirmations: number) => {
    const invoice = await create({ ...ether, amount: '0.024' })
    if (invoice.deposit_address === null) throw new Error('An invoice has no address to pay to.')
    await sluice.test.deposit({ ...ether, address: invoice.deposit_address, amount })
    if (confirmations > 0) await sluice.test.mine({ network: ether.network, count: confirmations })
    return invoice
  }
  // The blocks of the first would confirm the others.
  const confirming = await seen('0.024', 3)
  return {
    pay_confirming: confirming,
    pay_detected: await seen('0.024', 0),
    pay_detected_partly: await seen('0.015', 0),
    pay_in_coin: await create({ ...bitcoin, amount: '0.0011' }),
    pay_tag: await create({ ...price, currency: 'XRP' }),
    pay_token: await create({ ...price, currency: 'USDT', network: 'ethereum' }),
    pay_chosen: await sluice.test.activateInvoice((await create({ ...price, deferred: true })).id, bitcoin),
    pay: await create({ ...price, ...bitcoin }),
    pay_choose: await create({ ...price, deferred: true }),
  }
}

function pathOf(url: string): string {
  const { pathname, search, hash } = new URL(url)
  return `${pathname}${search}${hash}`
}
