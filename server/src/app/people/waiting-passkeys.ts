import type { Environment } from '../../domain/environment.ts'
import { passkeyFingerprint } from '../../domain/webauthn.ts'
import type { Store } from '../../store/store.ts'

/** A passkey that the signer will trust when its time has come. */
export type ComingPasskey = {
  /** Whose it is, by name or email address. */
  readonly person: string
  readonly name: string
  readonly fingerprint: string
  readonly from: Date
}

/** The passkeys of a merchant that its people can still withdraw before they count, the soonest first. */
export async function waitingPasskeys(
  { store }: { readonly store: Pick<Store, 'signerChanges' | 'passkeyEnrolments'> },
  merchantId: string,
  environment: Environment,
): Promise<ComingPasskey[]> {
  const waiting = await store.signerChanges.passkeysOf(merchantId, environment)
  if (waiting.length === 0) return []
  const offered = await store.passkeyEnrolments.list(merchantId, environment)
  const byFingerprint = new Map(offered.map((each) => [passkeyFingerprint(each), each]))
  return waiting.map(({ fingerprint, from }) => {
    const found = byFingerprint.get(fingerprint)
    const person = found === undefined ? fingerprint : found.userName || found.userEmail
    return { person, name: found?.name ?? fingerprint, fingerprint, from }
  })
}
