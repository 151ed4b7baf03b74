/** Every permission an API key can have, `<resource>:<read|write>`. The contract names the one each operation needs. */
export const permissions = [
  'invoices:read',
  'invoices:write',
  'payouts:read',
  'payouts:write',
  'refunds:read',
  'refunds:write',
  'balances:read',
  'addresses:read',
  'addresses:write',
  'webhooks:read',
  'webhooks:write',
  'events:read',
  'test:write',
] as const
export type Permission = (typeof permissions)[number]

export function isPermission(text: string): text is Permission {
  return (permissions as readonly string[]).includes(text)
}
