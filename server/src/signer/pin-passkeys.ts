import type { App } from '../app/app.ts'
import type { Environment } from '../domain/environment.ts'
import { isUsableKey, passkeyFingerprint } from '../domain/webauthn.ts'
import type { Log } from '../log.ts'
import type { OfferedPasskey } from '../store/payouts/passkey-signing.ts'
import { type Agreed, statementGatherer } from './gather-statements.ts'
import type { PasskeyPins } from './passkey-pins.ts'
import { ownDemand, type PasskeySettings } from './passkey-trust.ts'
import type { Pin } from './pin-book.ts'
import { type Accepted, latest } from './standing.ts'
import { waitingChanges } from './waiting-changes.ts'

export type PinningOptions = Pick<PasskeySettings, 'relyingParty'> & {
  readonly environment: Environment
  readonly log: Pick<Log, 'warn'>
}

/** The operator's settings that are in force. */
export type PinningRules = Pick<PasskeySettings, 'requireAll'> & {
  /** The delay before a weakening change counts. */
  readonly delayMs: number
}

const maxAtOnce = 200
const tellEveryMs = 2_000

/**
 * Keeps the signer's record of passkeys, policies and destinations up to date with the statements of a merchant's people,
 * as far as it trusts them: a merchant's first passkey on first sight, anything else only with the signatures of enough
 * trusted passkeys. Returns the function that does so, and returns how many statements it has heard.
 */
export function passkeyPinner(pins: PasskeyPins, options: PinningOptions) {
  const { environment, log } = options
  const statements = statementGatherer({ ...options, pins })
  let [heard, toldAt, told] = [0n, 0, '']

  return async ({ store }: Pick<App, 'store'>, time: Date, rules: PinningRules): Promise<number> => {
    const now = latest(time, pins.newestMs())
    const trustsOnSight = !(rules.requireAll && environment === 'live')
    const offered = trustsOnSight ? await store.passkeySigning.offered(environment, maxAtOnce) : []
    for (const each of offered) trustFirst(each, now)
    const said = await store.passkeySigning.statements(heard, maxAtOnce)
    said.forEach(statements.hear)
    const isNew = offered.length > 0 || said.length > 0
    const isDue = isNew || Math.abs(now.getTime() - toldAt) > tellEveryMs
    if (isDue) for (const agreed of statements.agreed(now)) await accept(store, agreed, now, rules)
    // On disk before the database is told.
    await pins.save()
    heard = said.at(-1)?.position ?? heard
    if (isDue) await tell(store, now, rules)
    return said.length
  }

  function trustFirst({ merchantId, userId, credentialId, publicKey }: OfferedPasskey, at: Date): void {
    if (pins.hasEver(merchantId) || !isUsableKey(publicKey)) return
    const pin: Pin = { merchantId, userId, credentialId, publicKey, how: 'first_sight', at, from: at }
    pins.pin(pin)
    log.warn(
      { environment, merchant_id: merchantId, user_id: userId, fingerprint: passkeyFingerprint(pin) },
      'THE FIRST PASSKEY OF A MERCHANT IS TRUSTED ON FIRST SIGHT: compare its fingerprint with the person',
    )
  }

  async function accept(
    store: App['store'],
    { statement, hash, isWeaker }: Agreed,
    at: Date,
    { delayMs }: PinningRules,
  ): Promise<void> {
    const { merchantId } = statement
    const times: Accepted = { at, from: new Date(at.getTime() + delayMs) }
    const said = { environment, merchant_id: merchantId, ...(isWeaker && { from: times.from }) }
    switch (statement.kind) {
      case 'trust_passkey': {
        // The database may only narrow it: whose passkey it is was signed.
        if (!(await store.passkeySigning.isApprovers(statement))) return
        const { userId, credentialId, publicKey } = statement
        pins.pin({ merchantId, userId, credentialId, publicKey, how: 'vouched', ...times })
        const fingerprint = passkeyFingerprint(statement)
        return log.warn({ ...said, user_id: userId, fingerprint }, 'trusted passkeys vouched for another one')
      }
      case 'distrust_passkey': {
        const { credentialId } = statement
        pins.forget({ merchantId, credentialId, how: 'passkey', statement: hash, at })
        return log.warn(said, 'a passkey is no longer trusted: a trusted passkey of its merchant revoked it')
      }
      case 'policy': {
        const { policy, baseCurrency, at: statedAt } = statement
        pins.setPolicy({ merchantId, policy, baseCurrency, statedAt, how: 'passkey', ...times })
        const { approval, approvalsRequired: approvals_required } = policy
        return log.warn({ ...said, approval, approvals_required }, 'trusted passkeys changed a policy')
      }
      case 'destination': {
        const { network, address, tag, isAllowed, at: statedAt } = statement
        pins.setDestination({ merchantId, network, address, tag, isAllowed, statedAt, ...times })
        return log.warn(
          { ...said, network, address, tag, allowed: isAllowed },
          'trusted passkeys changed a destination',
        )
      }
    }
  }

  /** Publishes what is trusted and required, and what waits, whenever that has changed, if only with time. */
  async function tell(store: App['store'], now: Date, { requireAll }: PinningRules): Promise<void> {
    toldAt = now.getTime()
    const trust = { pins, requireAll, ownNow: now }
    const demands =
      environment === 'live'
        ? [...new Set([...pins.merchants(), ...pins.merchantsWithPolicy()])].map((merchantId) => ({
            merchantId,
            ...ownDemand(trust, merchantId),
          }))
        : []
    const waiting = waitingChanges(pins, now)
    const state = JSON.stringify([pins.all(), demands, waiting])
    if (state !== told) {
      await store.passkeySigning.tell(environment, pins.all(), demands)
      await store.signerChanges.tell(environment, ['passkey', 'policy', 'destination'], waiting)
      told = state
    }
    if (requireAll && environment === 'live') await store.passkeySigning.demandOfAll(environment)
  }
}
