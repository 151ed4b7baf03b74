import type { InvoiceStatus } from '../../sdk/src/contract.generated.ts'
import type { PicturedShop } from './shop.ts'

/** A page to be pictured. A payer's page is nobody's who is signed in. */
export type Place = { readonly name: PageName; readonly path: string; readonly isPayers: boolean }

/** The payer's pages. */
const payment = ['pay_choose', 'pay', 'pay_tag', 'pay_paid', 'pay_underpaid', 'pay_expired'] as const
/** The dashboard's pages whose path is always the same, below the merchant's. */
const fixed = {
  overview: '',
  invoices: '/invoices',
  new_invoice: '/invoices/new',
  addresses: '/addresses',
  payouts: '/payouts',
  new_payout: '/payouts/new',
  import_payouts: '/payouts/import',
  refunds: '/refunds',
  balances: '/balances',
  ledger: '/balances/BTC',
  keys: '/keys',
  webhooks: '/webhooks',
  events: '/events',
  search: '/search?q=order',
  settings: '/settings',
  policy: '/policy',
  team: '/team',
  audit_log: '/audit-log',
} as const
/** Those of one thing. */
const single = [
  'invoice_paid',
  'invoice_underpaid',
  'address',
  'payout_to_approve',
  'payout_done',
  'approvals',
] as const
const others = [
  'refund',
  'webhook',
  'event',
  'live',
  'account',
  'networks',
  'merchants',
  'suspense',
  'sign_in',
] as const

export const pageNames = [...payment, ...(Object.keys(fixed) as (keyof typeof fixed)[]), ...single, ...others]
export type PageName = (typeof pageNames)[number]

/** The path of every page, with things to show that the weeks before have left. */
export async function placesOf({ sluice, merchantId }: PicturedShop): Promise<Place[]> {
  const base = `/dashboard/${merchantId}/test`
  const places: Place[] = Object.entries(fixed).map(([name, path]) => ({
    name: name as PageName,
    path: `${base}${path}`,
    isPayers: false,
  }))
  const add = (name: PageName, path: string | null | undefined, isPayers = false) => {
    if (path === null || path === undefined) throw new Error(`The shop has nothing to show for ${name}.`)
    places.push({ name, path, isPayers })
  }

  const price = {
    amount_fiat: '64.90',
    fiat_currency: 'EUR',
    description: 'Two bags of espresso, ground',
  } as const
  const deferred = await sluice.invoices.create({ ...price, deferred: true })
  const bitcoin = await sluice.invoices.create({ ...price, currency: 'BTC', network: 'bitcoin' })
  const tagged = await sluice.invoices.create({ ...price, currency: 'XRP' })
  const newest = async (status: InvoiceStatus) => {
    const [found] = (await sluice.invoices.list({ status, limit: 1 })).data
    if (found === undefined) throw new Error(`The shop has no invoice that is ${status}.`)
    return found
  }
  const [paid, underpaid, expired] = [
    await newest('paid'),
    await newest('underpaid'),
    await newest('expired'),
  ]
  for (const [name, { checkout_url: url }] of [
    ['pay_choose', deferred],
    ['pay', bitcoin],
    ['pay_tag', tagged],
    ['pay_paid', paid],
    ['pay_underpaid', underpaid],
    ['pay_expired', expired],
  ] as const)
    add(name, url === null ? null : pathOf(url), true)

  add('invoice_paid', `${base}/invoices/${paid.id}`)
  add('invoice_underpaid', `${base}/invoices/${underpaid.id}`)
  const [address] = (await sluice.addresses.list({ limit: 1 })).data
  add('address', address && `${base}/addresses/${address.id}`)
  const waiting = (await sluice.payouts.list({ status: 'pending_approval', limit: 2 })).data
  add('payout_to_approve', waiting[0] && `${base}/payouts/${waiting[0].id}`)
  add('approvals', waiting[0] && `${base}/payouts/approve?ids=${waiting.map(({ id }) => id).join(',')}`)
  const [done] = (await sluice.payouts.list({ status: 'completed', limit: 1 })).data
  add('payout_done', done && `${base}/payouts/${done.id}`)
  const [refund] = (await sluice.refunds.list({ limit: 1 })).data
  add('refund', refund && `${base}/refunds/${refund.id}`)
  const [endpoint] = (await sluice.webhookEndpoints.list()).data
  add('webhook', endpoint && `${base}/webhooks/${endpoint.id}`)
  const [event] = (await sluice.events.list({ limit: 1 })).data
  add('event', event && `${base}/events/${event.id}`)
  add('live', `/dashboard/${merchantId}/live`)
  add('account', '/dashboard/account')
  add('networks', '/dashboard/operator/gates')
  add('merchants', '/dashboard/operator/merchants')
  add('suspense', '/dashboard/operator/suspense')
  add('sign_in', '/dashboard/sign-in')
  return places
}

function pathOf(url: string): string {
  const { pathname, search, hash } = new URL(url)
  return `${pathname}${search}${hash}`
}
