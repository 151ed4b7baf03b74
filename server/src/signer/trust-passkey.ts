import { dirname } from 'node:path'
import type { App } from '../app/app.ts'
import type { Environment } from '../domain/environment.ts'
import { ServiceError } from '../domain/errors.ts'
import type { ApprovalKind } from '../domain/payout-policy.ts'
import { isUsableKey, passkeyFingerprint } from '../domain/webauthn.ts'
import { lockFolder } from './folder-lock.ts'
import { sendOrder } from './order-box.ts'
import { carryOut, type PasskeyOrder } from './passkey-orders.ts'
import { openPins, pinsPath } from './passkey-pins.ts'
import { latest } from './standing.ts'

/** The passkey that the operator means, on the signer's host. */
export type NamedPasskey = {
  readonly environment: Environment
  readonly merchantId: string
  /** As `passkey list` and the dashboard show it. */
  readonly fingerprint: string
}

/** The delay before a weakening change counts at this signer, at a moment. */
type Delay = (now: Date) => number

/**
 * Makes the signer of this folder trust an offered passkey, by decision of the operator. Only a merchant's first counts at
 * once. Returns from when it counts.
 */
export async function trustPasskey(
  app: Pick<App, 'store'>,
  dataDir: string,
  { environment, merchantId, fingerprint }: NamedPasskey,
  delay: Delay,
): Promise<Date> {
  const offered = await app.store.passkeyEnrolments.list(merchantId, environment)
  const found = offered.find((each) => passkeyFingerprint(each) === fingerprint)
  if (found === undefined || !isUsableKey(found.publicKey))
    throw new ServiceError('not_found', `No passkey of this merchant has the fingerprint ${fingerprint}.`)
  const { userId, credentialId, publicKey } = found
  const order: PasskeyOrder = {
    kind: 'trust',
    merchantId,
    userId,
    credentialId: credentialId.toString('hex'),
    publicKey: publicKey.toString('hex'),
  }
  return (await give(dataDir, environment, order, delay)) ?? new Date()
}

/** Makes the signer of this folder stop trusting a passkey. */
export async function forgetPasskey(
  dataDir: string,
  { environment, merchantId, fingerprint }: NamedPasskey,
): Promise<void> {
  await give(dataDir, environment, { kind: 'forget', merchantId, fingerprint }, () => 0)
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
  const { environment, ...rules } = wanted
  return give(dataDir, environment, { kind: 'require', ...rules }, delay)
}

/** Carries out an order, or has the signer do it that is using the folder. */
async function give(
  dataDir: string,
  environment: Environment,
  order: PasskeyOrder,
  delay: Delay,
): Promise<Date | null> {
  const path = pinsPath(dataDir, environment)
  const lock = lockFolder(dirname(path))
  if (lock === null) return sendOrder(dataDir, environment, order)
  try {
    const pins = await openPins(path, environment)
    try {
      const at = latest(new Date(), pins.newestMs())
      const from = carryOut(pins, order, at, delay(at))
      await pins.save()
      return from
    } finally {
      await pins.close()
    }
  } finally {
    lock.release()
  }
}
