import { type Permission, permissions } from './permissions.ts'

/** What a person may do at a merchant: everything API keys may, and what only people may. */
const powers = [
  ...permissions,
  'payouts:approve',
  'keys:read',
  'keys:write',
  'team:read',
  'team:write',
  'settings:read',
  'settings:write',
  'policy:read',
  'policy:write',
  'audit:read',
] as const
export type Power = (typeof powers)[number]

export const roles = ['owner', 'admin', 'finance', 'developer', 'viewer'] as const
export type Role = (typeof roles)[number]

const reading = [
  'invoices:read',
  'payouts:read',
  'refunds:read',
  'balances:read',
  'addresses:read',
  'webhooks:read',
  'events:read',
] as const satisfies readonly Power[]

/** The single definition of what each role may do. Owners and administrators differ only in the roles that they may give. */
export const powersOf: Readonly<Record<Role, ReadonlySet<Power>>> = {
  owner: new Set(powers),
  admin: new Set(powers),
  finance: new Set<Power>([
    ...reading,
    'invoices:write',
    'payouts:write',
    'payouts:approve',
    'refunds:write',
    'addresses:write',
    'team:read',
    'settings:read',
    'policy:read',
    'audit:read',
  ]),
  developer: new Set<Power>([
    ...reading,
    'invoices:write',
    'addresses:write',
    'webhooks:write',
    'test:write',
    'keys:read',
    'keys:write',
    'team:read',
    'settings:read',
    'policy:read',
  ]),
  viewer: new Set<Power>([...reading, 'team:read', 'settings:read', 'policy:read']),
}

/** The roles whose people approve payouts, and whose passkeys the signer may come to trust. */
export const approverRoles: readonly Role[] = roles.filter((role) => powersOf[role].has('payouts:approve'))

/** Powers with which money leaves, or which decide who and what is trusted. */
const gravePowers = [
  'payouts:write',
  'payouts:approve',
  'refunds:write',
  'webhooks:write',
  'keys:write',
  'team:write',
  'settings:write',
  'policy:write',
] as const satisfies readonly Power[]

/** The roles that need a second factor in the live environment. */
export const guardedRoles: ReadonlySet<Role> = new Set(
  roles.filter((role) => gravePowers.some((power) => powersOf[role].has(power))),
)

export function isPower(text: string): text is Power {
  return (powers as readonly string[]).includes(text)
}

/** Whether a person with `role` may grant or revoke `other`: only owners appoint and remove owners. */
export function mayAppoint(role: Role, other: Role): boolean {
  return powersOf[role].has('team:write') && (role === 'owner' || other !== 'owner')
}

/** The permissions among a role's powers: those that an API key can have too. */
export function permissionsOf(role: Role): ReadonlySet<Permission> {
  return new Set(permissions.filter((permission) => powersOf[role].has(permission)))
}
