import type { Environment, Membership, Power } from '@sluice/web/contract'
import type { IconName } from './components/icon.svelte'
import type { MessageKey } from './messages.ts'
import { pathTo, type Route, type RouteName, type RouteParams } from './routes.ts'

/**
 * A single resource has no counterpart in the other environment or at another merchant, so its list is shown instead.
 */
const listOf: Partial<Record<RouteName, RouteName>> = {
  invoice: 'invoices',
  address: 'addresses',
  payout: 'payouts',
  approvals: 'payouts',
  refund: 'refunds',
  webhook: 'webhooks',
  event: 'events',
}

/** Whose pages the menu leads to, and in which environment. */
export type InView = { readonly membership: Membership; readonly environment: Environment }

/** The same page in another environment. A page that has none leads to the overview of the merchant in view. */
export function environmentPath(route: Route | null, inView: InView, environment: Environment): string {
  return placePath(route, { merchant: inView.membership.merchant_id, environment })
}

/** The same page at another merchant, in the environment in view. A page of no merchant leads to the overview. */
export function merchantPath(route: Route | null, inView: InView, merchant: string): string {
  const isLedger = route?.name === 'ledger'
  return placePath(isLedger ? { ...route, name: 'balances' } : route, {
    merchant,
    environment: inView.environment,
  })
}

function placePath(route: Route | null, place: RouteParams<'overview'>): string {
  if (route?.params.merchant === undefined) return pathTo('overview', place)
  const name = listOf[route.name] ?? route.name
  return pathTo(name, { ...route.params, ...place } as unknown as RouteParams<RouteName>)
}

export type Place = {
  readonly name: RouteName
  readonly label: MessageKey
  readonly icon: IconName
  /** The power needed to see it. */
  readonly power: Power | 'operator'
  /** Other pages that belong to it. */
  readonly with?: readonly RouteName[]
  /** The key to press after `g`. */
  readonly letter?: string
}

/** The menu of a merchant. */
export const places: readonly { readonly label: MessageKey | null; readonly places: readonly Place[] }[] = [
  {
    label: null,
    places: [
      { name: 'overview', label: 'nav_overview', icon: 'overview', power: 'invoices:read', letter: 'o' },
    ],
  },
  {
    label: 'nav_in',
    places: [
      {
        name: 'invoices',
        label: 'nav_invoices',
        icon: 'invoice',
        power: 'invoices:read',
        letter: 'i',
        with: ['invoice', 'new_invoice'],
      },
      {
        name: 'addresses',
        label: 'nav_addresses',
        icon: 'address',
        power: 'addresses:read',
        letter: 'a',
        with: ['address'],
      },
    ],
  },
  {
    label: 'nav_out',
    places: [
      {
        name: 'payouts',
        label: 'nav_payouts',
        icon: 'payout',
        power: 'payouts:read',
        letter: 'p',
        with: ['payout', 'approvals', 'new_payout', 'import_payouts'],
      },
      {
        name: 'refunds',
        label: 'nav_refunds',
        icon: 'refund',
        power: 'refunds:read',
        letter: 'r',
        with: ['refund'],
      },
    ],
  },
  {
    label: 'nav_books',
    places: [
      {
        name: 'balances',
        label: 'nav_balances',
        icon: 'balance',
        power: 'balances:read',
        letter: 'b',
        with: ['ledger'],
      },
    ],
  },
  {
    label: 'nav_developers',
    places: [
      { name: 'keys', label: 'nav_keys', icon: 'key', power: 'keys:read', letter: 'k' },
      {
        name: 'webhooks',
        label: 'nav_webhooks',
        icon: 'webhook',
        power: 'webhooks:read',
        letter: 'w',
        with: ['webhook'],
      },
      {
        name: 'events',
        label: 'nav_events',
        icon: 'event',
        power: 'events:read',
        letter: 'e',
        with: ['event'],
      },
    ],
  },
  {
    label: 'nav_organisation',
    places: [
      { name: 'policy', label: 'nav_policy', icon: 'policy', power: 'policy:read' },
      { name: 'team', label: 'nav_team', icon: 'team', power: 'team:read', letter: 't' },
      { name: 'audit', label: 'nav_audit', icon: 'audit', power: 'audit:read' },
      { name: 'settings', label: 'nav_settings', icon: 'settings', power: 'settings:read', letter: 's' },
    ],
  },
]

/** The menu of an operator. */
export const operatorPlaces: readonly Place[] = [
  { name: 'gates', label: 'nav_gates', icon: 'gate', power: 'operator' },
  { name: 'merchants', label: 'nav_merchants', icon: 'merchants', power: 'operator' },
  { name: 'suspense', label: 'suspense', icon: 'balance', power: 'operator' },
]

export function isAt(place: Place, route: Route | null): boolean {
  return route !== null && (route.name === place.name || (place.with?.includes(route.name) ?? false))
}
