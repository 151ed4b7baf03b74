import { environmentValues } from '@sluice/web/values'

/**
 * Every URL of the dashboard. A merchant's pages name the merchant and the environment, so that the URL alone says
 * whose money is shown, and in which environment.
 */
export const patterns = {
  home: '/dashboard',
  sign_in: '/dashboard/sign-in',
  forgot_password: '/dashboard/forgot-password',
  reset_password: '/dashboard/reset',
  invitation: '/dashboard/invitation',
  new_password: '/dashboard/new-password',
  welcome: '/dashboard/welcome',
  account: '/dashboard/account',
  connect: '/dashboard/connect',
  gates: '/dashboard/operator/gates',
  merchants: '/dashboard/operator/merchants',
  suspense: '/dashboard/operator/suspense',
  overview: '/dashboard/:merchant/:environment',
  invoices: '/dashboard/:merchant/:environment/invoices',
  new_invoice: '/dashboard/:merchant/:environment/invoices/new',
  invoice: '/dashboard/:merchant/:environment/invoices/:invoice',
  addresses: '/dashboard/:merchant/:environment/addresses',
  address: '/dashboard/:merchant/:environment/addresses/:address',
  payouts: '/dashboard/:merchant/:environment/payouts',
  new_payout: '/dashboard/:merchant/:environment/payouts/new',
  import_payouts: '/dashboard/:merchant/:environment/payouts/import',
  approvals: '/dashboard/:merchant/:environment/payouts/approve',
  payout: '/dashboard/:merchant/:environment/payouts/:payout',
  refunds: '/dashboard/:merchant/:environment/refunds',
  refund: '/dashboard/:merchant/:environment/refunds/:refund',
  balances: '/dashboard/:merchant/:environment/balances',
  ledger: '/dashboard/:merchant/:environment/balances/:currency',
  keys: '/dashboard/:merchant/:environment/keys',
  connect_shop: '/dashboard/:merchant/:environment/connect',
  webhooks: '/dashboard/:merchant/:environment/webhooks',
  webhook: '/dashboard/:merchant/:environment/webhooks/:webhook',
  events: '/dashboard/:merchant/:environment/events',
  event: '/dashboard/:merchant/:environment/events/:event',
  search: '/dashboard/:merchant/:environment/search',
  settings: '/dashboard/:merchant/:environment/settings',
  policy: '/dashboard/:merchant/:environment/policy',
  team: '/dashboard/:merchant/:environment/team',
  audit: '/dashboard/:merchant/:environment/audit-log',
} as const

export type RouteName = keyof typeof patterns

type ParamsIn<Pattern extends string> = Pattern extends `${string}:${infer Name}/${infer Rest}`
  ? Name | ParamsIn<Rest>
  : Pattern extends `${string}:${infer Name}`
    ? Name
    : never

/** The parameters in a page's URL. */
export type RouteParams<Name extends RouteName> = {
  readonly [Key in ParamsIn<(typeof patterns)[Name]>]: string
}

export type Route = { readonly name: RouteName; readonly params: Readonly<Record<string, string>> }

const uuid = '[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}'
const forms: Readonly<Record<string, string>> = {
  merchant: uuid,
  environment: environmentValues.join('|'),
  invoice: uuid,
  address: uuid,
  payout: uuid,
  refund: uuid,
  webhook: uuid,
  event: `evt_${uuid}`,
  currency: '[A-Za-z0-9]{2,20}',
}

const matchers = (Object.keys(patterns) as RouteName[]).map((name) => ({
  name,
  form: new RegExp(
    `^${patterns[name].replace(/:(\w+)/g, (_, key: string) => `(?<${key}>${forms[key]})`)}/?$`,
  ),
}))

/** The page at a path, or null if there is none. */
export function matchRoute(pathname: string): Route | null {
  for (const { name, form } of matchers) {
    const groups = form.exec(pathname)
    if (groups !== null) return { name, params: { ...groups.groups } }
  }
  return null
}

/** The path of a page. */
export function pathTo<Name extends RouteName>(name: Name, params: RouteParams<Name>): string {
  const given = params as Readonly<Record<string, string>>
  return patterns[name].replace(/:(\w+)/g, (_, key: string) => encodeURIComponent(given[key] ?? ''))
}

const open: ReadonlySet<RouteName> = new Set([
  'sign_in',
  'forgot_password',
  'reset_password',
  'invitation',
  'new_password',
  'welcome',
])

/** Whether a page needs no session: the pages before, and just after, signing in. They stand alone, without the menu. */
export function isPublic(name: RouteName): boolean {
  return open.has(name)
}

const afterwards: ReadonlySet<RouteName> = new Set(['new_password', 'welcome'])

/** Whether a page is for people who are not signed in, too. */
export function isForAnyone(name: RouteName): boolean {
  return isPublic(name) && !afterwards.has(name)
}

const consent: ReadonlySet<RouteName> = new Set(['connect', 'connect_shop'])

/** Whether a page for signed-in users stands alone as well: one question, and back to where the user came from. */
export function standsAlone(name: RouteName): boolean {
  return consent.has(name)
}
