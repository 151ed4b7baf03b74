const id = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
const word = /^[\w.-]{1,64}$/
const count = /^\d{1,9}$/

/**
 * Everything that a span may say, each with the form that its value must have. Traces leave the house: no amount, address,
 * URL, body, key or secret has a name here, and what does not have its form is left out.
 */
const forms = {
  'http.request.method': /^[A-Z]{1,16}$/,
  // The template: a path itself may hold a payment page's link, which is a secret.
  'http.route': /^\/[\w/:.*{}-]{0,200}$/,
  'http.response.status_code': /^[1-5]\d\d$/,
  'error.type': word,
  'db.system.name': /^postgresql$/,
  'db.query.summary': /^[a-z_]+( [a-z_]+)?(, [a-z_]+( [a-z_]+)?){0,15}$/,
  'sluice.statements': count,
  'sluice.request_id': /^req_[0-9a-z]{26}$/,
  'sluice.operation': word,
  'sluice.environment': /^(live|test)$/,
  'sluice.merchant_id': id,
  'sluice.invoice_id': id,
  'sluice.payout_id': id,
  'sluice.event_id': id,
  'sluice.event': /^[a-z_]+\.[a-z_]+$/,
  'sluice.gate': /^[a-z0-9-]{1,64}$/,
  'sluice.attempt': count,
} as const satisfies Record<string, RegExp>

export type AttributeName = keyof typeof forms
export type Attributes = { readonly [Name in AttributeName]?: string | number }

/** Whether a span may say this. */
export function maySay(name: string, value: unknown): value is string | number {
  if (typeof value !== 'string' && typeof value !== 'number') return false
  return Object.hasOwn(forms, name) && forms[name as AttributeName].test(String(value))
}
