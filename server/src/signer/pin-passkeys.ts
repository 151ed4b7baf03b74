import type { App } from '../app/app.ts'
import type { Environment } from '../domain/environment.ts'
import { challengeOf, readStatement } from '../domain/passkey-statements.ts'
import { isUsableKey, passkeyFingerprint } from '../domain/webauthn.ts'
import type { Log } from '../log.ts'
import type { OfferedPasskey, ToldStatement } from '../store/payouts/passkey-signing.ts'
import type { PasskeyPins, Pin } from './passkey-pins.ts'
import { ownDemand, type PasskeySettings, signerOf } from './passkey-trust.ts'

export type PinningOptions = PasskeySettings & {
  readonly environment: Environment
  readonly log: Pick<Log, 'warn'>
}

const maxAtOnce = 200
const demandAgainMs = 2_000

/**
 * Keeps the signer's record of passkeys up to date with the statements of a merchant's people, as far as it trusts them: a
 * merchant's first passkey on first sight, anything else only with the signature of a trusted passkey. Returns the function
 * that does so, and returns how much it has changed.
 */
export function passkeyPinner(pins: PasskeyPins, options: PinningOptions) {
  const { environment, requireAll, log } = options
  const trust = { ...options, pins }
  let [heard, isTold, toldAllAt] = [0n, false, 0]

  return async ({ store }: Pick<App, 'store'>, ownNow: Date): Promise<number> => {
    const offered = await store.passkeySigning.offered(environment, maxAtOnce)
    const trusted = offered.map((each) => consider(each, ownNow)).filter((pin) => pin !== null)
    const said = await store.passkeySigning.statements(heard, maxAtOnce)
    const obeyed = said.filter((each) => obey(each, ownNow))
    // On disk before the database is told.
    await pins.save()
    heard = said.at(-1)?.position ?? heard
    if (!isTold || trusted.length > 0 || obeyed.length > 0) {
      await tell(store)
      isTold = true
    }
    if (requireAll && environment === 'live' && ownNow.getTime() - toldAllAt > demandAgainMs) {
      await store.passkeySigning.demandOfAll(environment)
      toldAllAt = ownNow.getTime()
    }
    return trusted.length + obeyed.length
  }

  function consider(offered: OfferedPasskey, at: Date): Pin | null {
    const { merchantId, userId, credentialId, publicKey } = offered
    if (pins.find(merchantId, credentialId) !== null) return null
    if (pins.isForgotten(merchantId, credentialId) || !isUsableKey(publicKey)) return null
    const how = isFirst(merchantId) ? 'first_sight' : isVouchedFor(offered) ? 'vouched' : null
    if (how === null) return null
    const pin = { merchantId, userId, credentialId, publicKey, how, at } as const
    pins.pin(pin)
    log.warn(
      { environment, merchant_id: merchantId, user_id: userId, fingerprint: passkeyFingerprint(pin) },
      how === 'first_sight'
        ? 'THE FIRST PASSKEY OF A MERCHANT IS TRUSTED ON FIRST SIGHT: compare its fingerprint with the person'
        : 'a passkey is now trusted: another trusted passkey of its merchant vouched for it',
    )
    return pin
  }

  function isFirst(merchantId: string): boolean {
    return !pins.hasEver(merchantId) && !(requireAll && environment === 'live')
  }

  function isVouchedFor({ voucher, ...offered }: OfferedPasskey): boolean {
    return (
      voucher !== null && typeof signerOf(trust, { kind: 'trust_passkey', ...offered }, voucher) !== 'string'
    )
  }

  function obey({ said, assertion }: ToldStatement, at: Date): boolean {
    const statement = readStatement(said)
    if (statement === null) return false
    const { merchantId } = statement
    const hash = challengeOf(said).toString('hex')
    if (typeof signerOf(trust, statement, assertion) === 'string') return false
    if (statement.kind === 'distrust_passkey') {
      const { credentialId } = statement
      if (pins.isUsed(hash) || pins.find(merchantId, credentialId) === null) return false
      pins.forget({ merchantId, credentialId, how: 'passkey', statement: hash, at })
      log.warn(
        { environment, merchant_id: merchantId },
        'a passkey is no longer trusted: a trusted passkey of its merchant revoked it',
      )
      return true
    }
    if (statement.kind !== 'policy') return false
    const { at: statedAt } = statement
    const { approval, approvalsRequired } = statement.policy
    const before = pins.demandOf(merchantId)
    if (statement.environment !== environment || (before !== null && before.statedAt >= statedAt))
      return false
    pins.demand({ merchantId, approval, approvalsRequired, statedAt, how: 'passkey' })
    log.warn(
      { environment, merchant_id: merchantId, approval, approvals_required: approvalsRequired },
      'a trusted passkey changed the approvals that this signer requires',
    )
    return true
  }

  async function tell(store: App['store']): Promise<void> {
    const demands =
      environment === 'live'
        ? pins.merchants().map((merchantId) => ({ merchantId, ...ownDemand(trust, merchantId) }))
        : []
    await store.passkeySigning.tell(environment, pins.all(), demands)
  }
}
