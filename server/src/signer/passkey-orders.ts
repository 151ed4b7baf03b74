import { ServiceError } from '../domain/errors.ts'
import { type ApprovalKind, approvalKinds, noPolicy } from '../domain/payout-policy.ts'
import { isUsableKey, passkeyFingerprint } from '../domain/webauthn.ts'
import type { PasskeyPins } from './passkey-pins.ts'
import { isRelaxed } from './pin-book.ts'
import { latest } from './standing.ts'

/** What the operator wants changed in the signer's record of passkeys. Bytes are in hexadecimal. */
export type PasskeyOrder = { readonly merchantId: string } & (
  | {
      readonly kind: 'trust'
      readonly userId: string
      readonly credentialId: string
      readonly publicKey: string
    }
  | { readonly kind: 'forget'; readonly fingerprint: string }
  | { readonly kind: 'require'; readonly approval: ApprovalKind; readonly approvalsRequired: number }
)

/** An order from its text; null when it is anything else. */
export function readOrder(text: string): PasskeyOrder | null {
  try {
    const order = JSON.parse(text)
    return isOrder(order) ? order : null
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof TypeError) return null
    throw error
  }
}

// biome-ignore lint/suspicious/noExplicitAny: this is where its shape is checked
function isOrder(order: any): order is PasskeyOrder {
  if (!isText(order.merchantId)) return false
  switch (order.kind) {
    case 'trust':
      return isText(order.userId) && isHex(order.credentialId) && isUsableKey(bytes(order.publicKey))
    case 'forget':
      return isText(order.fingerprint)
    case 'require':
      return approvalKinds.includes(order.approval) && [1, 2].includes(order.approvalsRequired)
    default:
      return false
  }
}

/**
 * Carries out an order. Returns from when it counts; null when it counts at once because it weakens nothing. The same order a
 * second time does no harm: it may have been cut off before its answer.
 */
export function carryOut(pins: PasskeyPins, order: PasskeyOrder, at: Date, delayMs: number): Date | null {
  switch (order.kind) {
    case 'trust':
      return trust(pins, order, at, delayMs)
    case 'forget':
      return forget(pins, order, at)
    case 'require':
      return require(pins, order, at, delayMs)
  }
}

type Order<K extends PasskeyOrder['kind']> = Extract<PasskeyOrder, { kind: K }>

function trust(pins: PasskeyPins, order: Order<'trust'>, at: Date, delayMs: number): Date {
  const { merchantId, userId } = order
  const [credentialId, publicKey] = [bytes(order.credentialId), bytes(order.publicKey)]
  const known = pins.find(merchantId, credentialId)
  const waitMs = pins.hasEver(merchantId) ? delayMs : 0
  const from = new Date(Math.min(at.getTime() + waitMs, Number(known?.from ?? Number.POSITIVE_INFINITY)))
  pins.pin({ merchantId, userId, credentialId, publicKey, how: 'operator', at, from })
  return from
}

function forget(pins: PasskeyPins, { merchantId, fingerprint }: Order<'forget'>, at: Date): null {
  const forgotten = pins
    .all()
    .find((pin) => pin.merchantId === merchantId && passkeyFingerprint(pin) === fingerprint)
  if (forgotten === undefined)
    throw new ServiceError('not_found', `The signer does not trust passkey ${fingerprint} for this merchant.`)
  const { credentialId } = forgotten
  pins.forget({ merchantId, credentialId, how: 'operator', statement: null, at })
  return null
}

/** The other rules of the merchant's policy stay. */
function require(pins: PasskeyPins, order: Order<'require'>, at: Date, delayMs: number): Date | null {
  const { merchantId, approval, approvalsRequired } = order
  const newest = pins.policiesOf(merchantId).at(-1)
  const { baseCurrency = null, policy: before = noPolicy } = newest ?? {}
  const policy = { ...before, approval, approvalsRequired }
  const from = new Date(at.getTime() + delayMs)
  const isWeaker = isRelaxed(pins, { merchantId, policy, baseCurrency }, at)
  const statedAt = latest(at, newest?.statedAt ?? 0)
  pins.setPolicy({ merchantId, policy, baseCurrency, statedAt, how: 'operator', at, from })
  return isWeaker ? from : null
}

function bytes(text: string): Buffer {
  return Buffer.from(text, 'hex')
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value.length > 0
}

function isHex(value: unknown): boolean {
  return isText(value) && /^([0-9a-f]{2})+$/.test(value)
}
