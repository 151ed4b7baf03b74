import { dirname } from 'node:path'
import type { App } from '../app/app.ts'
import type { Environment } from '../domain/environment.ts'
import { ServiceError } from '../domain/errors.ts'
import type { ApprovalKind } from '../domain/payout-policy.ts'
import { isUsableKey, passkeyFingerprint } from '../domain/webauthn.ts'
import { lockFolder } from './folder-lock.ts'
import { openPins, type PasskeyPins, type Pin, pinsPath } from './passkey-pins.ts'
import { WalletError } from './wallet-file.ts'

/** The passkey that the operator means, on the signer's host. */
export type NamedPasskey = {
  readonly environment: Environment
  readonly merchantId: string
  /** As `passkey list` and the dashboard show it. */
  readonly fingerprint: string
}

/** Makes the signer of this folder trust an offered passkey, by decision of the operator. */
export async function trustPasskey(
  app: Pick<App, 'store'>,
  dataDir: string,
  { environment, merchantId, fingerprint }: NamedPasskey,
): Promise<Pin> {
  const offered = await app.store.passkeyEnrolments.list(merchantId, environment)
  const found = offered.find((each) => passkeyFingerprint(each) === fingerprint)
  if (found === undefined || !isUsableKey(found.publicKey))
    throw new ServiceError('not_found', `No passkey of this merchant has the fingerprint ${fingerprint}.`)
  const { userId, credentialId, publicKey } = found
  const pin: Pin = { merchantId, userId, credentialId, publicKey, how: 'operator', at: new Date() }
  await onPins(dataDir, environment, (pins) => pins.pin(pin))
  return pin
}

/** Makes the signer of this folder stop trusting a passkey. */
export async function forgetPasskey(
  dataDir: string,
  { environment, merchantId, fingerprint }: NamedPasskey,
): Promise<Pin> {
  let forgotten: Pin | undefined
  await onPins(dataDir, environment, (pins) => {
    forgotten = pins
      .all()
      .find((pin) => pin.merchantId === merchantId && passkeyFingerprint(pin) === fingerprint)
    if (forgotten === undefined)
      throw new ServiceError(
        'not_found',
        `The signer does not trust passkey ${fingerprint} for this merchant.`,
      )
    const { credentialId } = forgotten
    pins.forget({ merchantId, credentialId, how: 'operator', statement: null, at: new Date() })
  })
  return forgotten as Pin
}

/** Sets the approvals that the signer of this folder requires of a merchant, by decision of the operator. */
export async function requirePasskeys(
  dataDir: string,
  wanted: {
    readonly environment: Environment
    readonly merchantId: string
    readonly approval: ApprovalKind
    readonly approvalsRequired: number
  },
): Promise<void> {
  const { environment, ...demand } = wanted
  await onPins(dataDir, environment, (pins) =>
    pins.demand({ ...demand, statedAt: new Date(), how: 'operator' }),
  )
}

async function onPins(
  dataDir: string,
  environment: Environment,
  change: (pins: PasskeyPins) => void,
): Promise<void> {
  const path = pinsPath(dataDir, environment)
  const lock = lockFolder(dirname(path))
  if (lock === null)
    throw new WalletError(
      'A signer is using this wallet folder. Stop it, run this command again, and restart the signer.',
    )
  try {
    const pins = await openPins(path, environment)
    try {
      change(pins)
      await pins.save()
    } finally {
      await pins.close()
    }
  } finally {
    lock.release()
  }
}
