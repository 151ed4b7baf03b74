import { access } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { PasskeyTools } from '../cli/tools.ts'
import { passkeyFingerprint } from '../domain/webauthn.ts'
import { pinsPath, readPins } from '../signer/passkey-pins.ts'
import { forgetPasskey, requirePasskeys, trustPasskey } from '../signer/trust-passkey.ts'
import { WalletError } from '../signer/wallet-file.ts'

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
      demand: pins.demandOf(merchantId),
      hasEver: pins.hasEver(merchantId),
      passkeys: [
        ...trusted.map((pin) => ({
          fingerprint: passkeyFingerprint(pin),
          userId: pin.userId,
          email: people.get(pin.userId) ?? null,
          trusted: { how: pin.how, at: pin.at },
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
  async trust(app, { dataDir }, named) {
    await refuseElsewhere(dataDir)
    await trustPasskey(app, dataDir, named)
  },
  async forget({ dataDir }, named) {
    await refuseElsewhere(dataDir)
    await forgetPasskey(dataDir, named)
  },
  async require({ dataDir }, wanted) {
    await refuseElsewhere(dataDir)
    await requirePasskeys(dataDir, wanted)
  },
}

async function refuseElsewhere(dataDir: string): Promise<void> {
  const folder = dirname(pinsPath(dataDir, 'live'))
  await access(folder).catch(() => {
    throw new WalletError(
      `There is no wallet folder ${folder}. Run this on the signer’s machine, with its SLUICE_DATA_DIR.`,
    )
  })
}
