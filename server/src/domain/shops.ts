import { createHash } from 'node:crypto'
import type { EventName } from './events.ts'
import type { Permission } from './permissions.ts'
import type { Power } from './roles.ts'

/** All that a shop can be allowed. None of it lets money leave: a person approves each refund. */
export const shopPermissions = [
  'invoices:read',
  'invoices:write',
  'refunds:read',
  'refunds:write',
  'events:read',
] as const satisfies readonly Permission[]
export type ShopPermission = (typeof shopPermissions)[number]

/** The events that a connected shop gets: all that change what it does with an order or a refund. */
export const shopEvents = [
  'invoice.payment_detected',
  'invoice.paid',
  'invoice.underpaid',
  'invoice.overpaid',
  'invoice.expired',
  'invoice.cancelled',
  'invoice.late_deposit',
  'invoice.deposit_reversed',
  'invoice.deposit_restored',
  'refund.completed',
  'refund.failed',
] as const satisfies readonly EventName[]

/** What a role needs to allow a shop, besides the shop's own permissions. */
export const powersToAllow: readonly Power[] = ['keys:write', 'webhooks:write']

/** How long the shop has to exchange its code. */
export const codeGoodMs = 5 * 60_000

export function isShopPermission(text: string): text is ShopPermission {
  return (shopPermissions as readonly string[]).includes(text)
}

/** The `S256` challenge of a verifier (RFC 7636, section 4.2), before base64url. */
export function challengeOf(verifier: string): Buffer {
  return createHash('sha256').update(verifier, 'ascii').digest()
}

/** The shop's return URL with an answer to its request. */
export function returnWith(
  returnUrl: string,
  answer: { readonly state: string } & ({ readonly code: string } | { readonly error: 'access_denied' }),
): string {
  const url = new URL(returnUrl)
  for (const [name, value] of Object.entries(answer)) url.searchParams.set(name, value)
  return url.href
}

/** The host of a URL as people can compare it: international names in ASCII, the port only if it is unusual. */
export function hostOf(url: string): string {
  return new URL(url).host
}
