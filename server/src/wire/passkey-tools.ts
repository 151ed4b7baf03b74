import { access } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { PasskeyTools } from '../cli/tools.ts'
import type { Environment } from '../domain/environment.ts'
import { passkeyFingerprint } from '../domain/webauthn.ts'
import type { Settings } from '../settings/settings.ts'
import { delayAt, readSettingsRecord, settingsPath } from '../signer/operator-settings.ts'
import { pinsPath, readPins } from '../signer/passkey-pins.ts'
import { policyInForce } from '../signer/pin-book.ts'
import { latest } from '../signer/standing.ts'
import { forgetPasskey, requirePasskeys, trustPasskey } from '../signer/trust-passkey.ts'
import { WalletError } from '../signer/wallet-file.ts'
import { givenSettings } from './signer.ts'

/**
 * Implements the passkey commands. They run on the signer's machine, because only there are the trusted passkeys kept.
 */
export const passkeyTools: PasskeyTools = {
  async list(app, { dataDir }, environment, merchantId) {
    const path = pinsPath(dataDir, environment)
    const pins = await readPins(path, environment)
    const offered = await app.store.passkeyEnrolments.list(merchantId, environment)
    const people = new Map(offered.map(({ userId, userEmail }) => [userId, userEmail]))
    const trusted = pins.all().filter((pin) => pin.merchantId === merchantId)
    return {
      path,
      policy: policyInForce(pins, merchantId, latest(new Date(), pins.newestMs())),
      passkeys: [
        ...trusted.map((pin) => ({
          fingerprint: passkeyFingerprint(pin),
          userId: pin.userId,
          email: people.get(pin.userId) ?? null,
          trusted: { how: pin.how, at: pin.at, from: pin.from },
        })),
        ...offered
          .filter(({ credentialId }) => pins.find(merchantId, credentialId) === null)
          .map((each) => ({
            fingerprint: passkeyFingerprint(each),
            userId: each.userId,
            email: each.userEmail,
            trusted: null,
          })),
      ],
    }
  },
  async trust(app, settings, named) {
    await refuseElsewhere(settings.dataDir)
    return trustPasskey(app, settings.dataDir, named, await delayOf(settings, named))
  },
  async forget({ dataDir }, named) {
    await refuseElsewhere(dataDir)
    await forgetPasskey(dataDir, named)
  },
  async require(settings, wanted) {
    await refuseElsewhere(settings.dataDir)
    return requirePasskeys(settings.dataDir, wanted, await delayOf(settings, wanted))
  },
}

/** The delay before a weakening change counts, as the signer recorded it rather than by the present configuration. */
async function delayOf(settings: Settings, { environment }: { environment: Environment }) {
  const path = settingsPath(settings.dataDir, environment)
  const record = await readSettingsRecord(path, environment, givenSettings(settings))
  return (now: Date) => delayAt(record, environment, now)
}

async function refuseElsewhere(dataDir: string): Promise<void> {
  const folder = dirname(pinsPath(dataDir, 'live'))
  await access(folder).catch(() => {
    throw new WalletError(
      `There is no wallet folder ${folder}. Run this on the signer’s machine, with its SLUICE_DATA_DIR.`,
    )
  })
}
