import { passkeyFingerprint } from '../domain/webauthn.ts'
import type { WaitingChange } from '../store/payouts/signer-changes.ts'
import { isRelaxed, type PinBook } from './pin-book.ts'
import { waitingAt } from './standing.ts'

/** What a merchant's people have relaxed and the signer does not yet allow. */
export function waitingChanges(pins: PinBook, now: Date): WaitingChange[] {
  const passkeys = pins.all().flatMap((pin): WaitingChange[] => {
    const { merchantId, at, from } = pin
    return from <= now
      ? []
      : [{ kind: 'passkey', merchantId, subject: passkeyFingerprint(pin), details: '', at, from }]
  })
  const policies = pins.merchantsWithPolicy().flatMap((merchantId): WaitingChange[] => {
    const newest = waitingAt(pins.policiesOf(merchantId), now)
    if (newest === null || !isRelaxed(pins, newest, now)) return []
    const { at, from } = newest
    return [{ kind: 'policy', merchantId, subject: newest.statedAt.toISOString(), details: '', at, from }]
  })
  const destinations = pins.destinations().flatMap((said): WaitingChange[] => {
    const newest = waitingAt(said, now)
    if (newest === null || !newest.isAllowed) return []
    const { merchantId, network, address, tag, at, from } = newest
    const subject = [network, address, ...(tag === null ? [] : [tag])].join(' ')
    return [{ kind: 'destination', merchantId, subject, details: '', at, from }]
  })
  return [...passkeys, ...policies, ...destinations]
}
