import { dirname } from 'node:path'
import type { App } from '../app/app.ts'
import type { Environment } from '../domain/environment.ts'
import { ServiceError } from '../domain/errors.ts'
import { type ApprovalKind, noPolicy } from '../domain/payout-policy.ts'
import { isUsableKey, passkeyFingerprint } from '../domain/webauthn.ts'
import { lockFolder } from './folder-lock.ts'
import { openPins, type PasskeyPins, pinsPath } from './passkey-pins.ts'
import { isRelaxed, type Pin } from './pin-book.ts'
import { latest } from './standing.ts'
import { WalletError } from './wallet-file.ts'

/** The passkey that the operator means, on the signer's host. */
export type NamedPasskey = {
  readonly environment: Environment
  readonly merchantId: string
  /** As `passkey list` and the dashboard show it. */
  readonly fingerprint: string
}

/** How long what weakens has to wait at this signer, at a moment. */
type Delay = (now: Date) => number

/**
 * Makes the signer of this folder trust an offered passkey, by decision of the operator. Only a merchant's first counts at
 * once.
 */
export async function trustPasskey(
  app: Pick<App, 'store'>,
  dataDir: string,
  { environment, merchantId, fingerprint }: NamedPasskey,
  delay: Delay,
): Promise<Pin> {
  const offered = await app.store.passkeyEnrolments.list(merchantId, environment)
  const found = offered.find((each) => passkeyFingerprint(each) === fingerprint)
  if (found === undefined || !isUsableKey(found.publicKey))
    throw new ServiceError('not_found', `No passkey of this merchant has the fingerprint ${fingerprint}.`)
  const { userId, credentialId, publicKey } = found
  return onPins(dataDir, environment, (pins, at) => {
    const known = pins.find(merchantId, credentialId)
    const waitMs = pins.hasEver(merchantId) ? delay(at) : 0
    const from = new Date(Math.min(at.getTime() + waitMs, Number(known?.from ?? Number.POSITIVE_INFINITY)))
    const pin: Pin = { merchantId, userId, credentialId, publicKey, how: 'operator', at, from }
    pins.pin(pin)
    return pin
  })
}

/** Makes the signer of this folder stop trusting a passkey. */
export async function forgetPasskey(
  dataDir: string,
  { environment, merchantId, fingerprint }: NamedPasskey,
): Promise<Pin> {
  return onPins(dataDir, environment, (pins, at) => {
    const forgotten = pins
      .all()
      .find((pin) => pin.merchantId === merchantId && passkeyFingerprint(pin) === fingerprint)
    if (forgotten === undefined)
      throw new ServiceError(
        'not_found',
        `The signer does not trust passkey ${fingerprint} for this merchant.`,
      )
    const { credentialId } = forgotten
    pins.forget({ merchantId, credentialId, how: 'operator', statement: null, at })
    return forgotten
  })
}

/**
 * Sets the approvals that the signer of this folder requires of a merchant, by decision of the operator. The other rules
 * of its policy stay. Returns from when a weaker rule counts; null when this weakens nothing.
 */
export async function requirePasskeys(
  dataDir: string,
  wanted: {
    readonly environment: Environment
    readonly merchantId: string
    readonly approval: ApprovalKind
    readonly approvalsRequired: number
  },
  delay: Delay,
): Promise<Date | null> {
  const { environment, merchantId, approval, approvalsRequired } = wanted
  return onPins(dataDir, environment, (pins, at) => {
    const newest = pins.policiesOf(merchantId).at(-1)
    const { baseCurrency = null, policy: before = noPolicy } = newest ?? {}
    const policy = { ...before, approval, approvalsRequired }
    const from = new Date(at.getTime() + delay(at))
    const isWeaker = isRelaxed(pins, { merchantId, policy, baseCurrency }, at)
    const statedAt = latest(at, newest?.statedAt ?? 0)
    pins.setPolicy({ merchantId, policy, baseCurrency, statedAt, how: 'operator', at, from })
    return isWeaker ? from : null
  })
}

async function onPins<T>(
  dataDir: string,
  environment: Environment,
  change: (pins: PasskeyPins, now: Date) => T,
): Promise<T> {
  const path = pinsPath(dataDir, environment)
  const lock = lockFolder(dirname(path))
  if (lock === null)
    throw new WalletError(
      'A signer is using this wallet folder. Stop it, run this command again, and restart the signer.',
    )
  try {
    const pins = await openPins(path, environment)
    try {
      const changed = change(pins, latest(new Date(), pins.newestMs()))
      await pins.save()
      return changed
    } finally {
      await pins.close()
    }
  } finally {
    lock.release()
  }
}
