import type { SavedView } from '@sluice/web/contract'
import type { IconName } from './components/icon.svelte'
import type { Desk } from './desk.svelte.ts'
import type { MessageKey } from './messages.ts'
import { environmentPath, isAt, merchantPath, operatorPlaces, type Place, places } from './places.ts'
import { pathTo } from './routes.ts'
import { listPath, viewPath } from './saved-views.ts'
import { switchTheme, themeShown } from './themes.svelte.ts'

/** Something that the command palette does: it opens a page, or runs. */
export type Command = {
  readonly key: string
  readonly icon: IconName
  readonly label: string
  /** What people may call it, besides its label. */
  readonly also?: string
} & ({ readonly href: string } | { readonly run: () => void })

/** What the user may start from anywhere. */
export function actionsOf(desk: Desk, help: () => void): Command[] {
  const { t, may, to } = desk
  const dark = themeShown() === 'dark'
  return [
    ...(may('invoices:write')
      ? [{ key: 'new_invoice', icon: 'plus', label: t('new_invoice'), href: to('new_invoice') } as const]
      : []),
    ...(may('payouts:write')
      ? [
          { key: 'new_payout', icon: 'plus', label: t('new_payout'), href: to('new_payout') } as const,
          {
            key: 'import_payouts',
            icon: 'upload',
            label: t('import_payouts'),
            also: 'CSV',
            href: to('import_payouts'),
          } as const,
        ]
      : []),
    ...(may('payouts:approve')
      ? [
          {
            key: 'approve',
            icon: 'policy',
            label: t('review_payouts'),
            also: t('nav_payouts'),
            href: `${to('payouts')}?status=pending_approval`,
          } as const,
        ]
      : []),
    ...elsewhere(desk),
    { key: 'theme', icon: dark ? 'sun' : 'moon', label: t(dark ? 'to_light' : 'to_dark'), run: switchTheme },
    { key: 'help', icon: 'help', label: t('shortcuts'), run: help },
    {
      key: 'sign_out',
      icon: 'leave',
      label: t('sign_out'),
      also: t('sign_out_also'),
      run: () => void desk.leave(),
    },
  ]
}

/** The other environment, and the user's other merchants. */
function elsewhere({ t, session, inView, router: { route } }: Desk): Command[] {
  if (inView === null || session === null || session === undefined) return []
  const other = inView.environment === 'test' ? 'live' : 'test'
  return [
    {
      key: 'environment',
      icon: other === 'test' ? 'flask' : 'done',
      label: t(`go_to_${other}`),
      href: environmentPath(route, inView, other),
    },
    ...session.memberships
      .filter(({ merchant_id }) => merchant_id !== inView.membership.merchant_id)
      .map(({ merchant_id, merchant_name }) => ({
        key: `merchant ${merchant_id}`,
        icon: 'merchants' as const,
        label: t('go_to_merchant', { merchant: merchant_name }),
        href: merchantPath(route, inView, merchant_id),
      })),
  ]
}

/** The pages that the user may open, but not the present one. */
export function pagesOf(desk: Desk): Command[] {
  const { t, may, to, router } = desk
  const page = (place: Place, href: string, also?: string): Command => ({
    key: `page ${place.name}`,
    icon: place.icon,
    label: t(place.label),
    ...(also !== undefined && { also }),
    href,
  })
  const own = desk.inView === null ? [] : places
  const account: Place = { name: 'account', label: 'account', icon: 'account', power: 'operator' }
  return [
    ...own.flatMap((group) =>
      group.places
        .filter(({ power, name }) => may(power) && name !== router.route?.name)
        .map((place) =>
          page(place, to(place.name as 'invoices'), group.label === null ? '' : t(group.label)),
        ),
    ),
    ...(desk.session?.is_operator ? operatorPlaces : [])
      .filter((place) => !isAt(place, router.route))
      .map((place) => page(place, pathTo(place.name as 'gates', {}), t('nav_operator'))),
    page(account, pathTo('account', {}), desk.session?.email),
  ]
}

const listLabels = {
  invoices: 'nav_invoices',
  payouts: 'nav_payouts',
  refunds: 'nav_refunds',
  addresses: 'nav_addresses',
  events: 'nav_events',
  deliveries: 'deliveries',
  ledger: 'nav_balances',
  audit_log: 'nav_audit',
} as const satisfies Readonly<Record<SavedView['list'], MessageKey>>

/** Saved views, each with its list; those of a webhook endpoint or currency only where the user looks at one. */
export function viewsOf(desk: Desk, views: readonly SavedView[]): (Command & { readonly under: string })[] {
  return views.flatMap((view) => {
    const path = listPath(desk, view.list)
    if (path === null) return []
    const under = desk.t(listLabels[view.list])
    const href = viewPath(path, view)
    return [{ key: `view ${view.id}`, icon: 'bookmark', label: view.name, also: under, under, href }]
  })
}

/** Those of which every word of the query begins a word; the best come first: whose label begins with it. */
export function matching(commands: readonly Command[], query: string): Command[] {
  const wanted = wordsOf(query)
  const found = commands.filter(({ label, also = '' }) => {
    const words = wordsOf(`${label} ${also}`)
    return wanted.every((each) => words.some((word) => word.startsWith(each)))
  })
  const isFirst = ({ label }: Command) => label.toLowerCase().startsWith(query.toLowerCase())
  return [...found.filter(isFirst), ...found.filter((each) => !isFirst(each))]
}

function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []
}

/** The resource's place in the menu, by whose icon it is known. */
export function iconOf(name: Place['name']): IconName {
  const all = places.flatMap((group) => group.places)
  return all.find((place) => place.with?.includes(name))?.icon ?? 'open'
}
