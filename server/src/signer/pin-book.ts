import { noPolicy, type PayoutPolicy } from '../domain/payout-policy.ts'
import { relaxedRules, strictest } from '../domain/policy-strength.ts'
import { type Accepted, always, standingAt } from './standing.ts'

/** A passkey whose approvals this signer accepts for a merchant, from `from` on. */
export type Pin = Accepted & {
  readonly merchantId: string
  readonly userId: string
  readonly credentialId: Buffer
  readonly publicKey: Buffer
  /** `first_sight`: the merchant's first; `vouched`: trusted passkeys vouched for it; `operator`: trusted by hand here. */
  readonly how: 'first_sight' | 'vouched' | 'operator'
}

/** A policy from the merchant's people, or from the operator on this host. */
export type PinnedPolicy = Accepted & {
  readonly merchantId: string
  readonly policy: PayoutPolicy
  /** The currency of its limits; null where it has none. */
  readonly baseCurrency: string | null
  /** When its people signed it. An older policy never replaces a newer one. */
  readonly statedAt: Date
  readonly how: 'passkey' | 'operator'
}

/** What the merchant's people said about a destination. */
export type PinnedDestination = Accepted &
  Place & { readonly merchantId: string; readonly isAllowed: boolean; readonly statedAt: Date }

export type Place = { readonly network: string; readonly address: string; readonly tag: string | null }

/** Why a passkey is no longer trusted. `statement` is the hash of the signed statement, which takes effect only once. */
export type Forgetting = {
  readonly merchantId: string
  readonly credentialId: Buffer
  readonly how: 'passkey' | 'operator'
  readonly statement: string | null
  readonly at: Date
}

/** What a signer believes about its merchants' passkeys, policies and destinations. */
export type PinBook = ReturnType<typeof createPinBook>

export function createPinBook() {
  const pins = new Map<string, Map<string, Pin>>()
  const forgotten = new Set<string>()
  const used = new Set<string>()
  const policies = new Map<string, readonly PinnedPolicy[]>()
  const destinations = new Map<string, readonly PinnedDestination[]>()
  let newestMs = 0
  const seen = ({ at }: { at: Date }) => {
    newestMs = Math.max(newestMs, at.getTime())
  }

  return {
    all: (): Pin[] => [...pins.values()].flatMap((each) => [...each.values()]),
    /** Every merchant that ever had a trusted passkey. */
    merchants: (): string[] => [...pins.keys()],
    /** Whether a merchant ever had a trusted passkey: then no other is trusted on first sight. */
    hasEver: (merchantId: string): boolean => pins.has(merchantId),
    /** A passkey that is trusted, or will be when its time has come. */
    find: (merchantId: string, credentialId: Buffer): Pin | null =>
      pins.get(merchantId)?.get(hex(credentialId)) ?? null,
    isForgotten: (merchantId: string, credentialId: Buffer): boolean =>
      forgotten.has(`${merchantId} ${hex(credentialId)}`),
    isUsed: (statement: string): boolean => used.has(statement),
    /** A merchant's policies, oldest first. Those that no longer count may be missing. */
    policiesOf: (merchantId: string): readonly PinnedPolicy[] => [
      firstPolicy(merchantId, pins.has(merchantId)),
      ...(policies.get(merchantId) ?? []),
    ],
    merchantsWithPolicy: (): string[] => [...policies.keys()],
    /** What was said about a destination, oldest first. */
    destinationOf: (merchantId: string, place: Place): readonly PinnedDestination[] => [
      { ...place, ...always, merchantId, isAllowed: false, statedAt: always.at },
      ...(destinations.get(placeKey(merchantId, place)) ?? []),
    ],
    /** What was said about each destination, oldest first. */
    destinations: (): (readonly PinnedDestination[])[] => [...destinations.values()],
    /** The newest time in the book. */
    newestMs: (): number => newestMs,

    notePin(pin: Pin): void {
      seen(pin)
      const own = pins.get(pin.merchantId) ?? new Map<string, Pin>()
      pins.set(pin.merchantId, own.set(hex(pin.credentialId), pin))
      forgotten.delete(`${pin.merchantId} ${hex(pin.credentialId)}`)
    },
    noteForgetting({ merchantId, credentialId, statement, at }: Forgetting): void {
      seen({ at })
      const own = pins.get(merchantId) ?? new Map<string, Pin>()
      own.delete(hex(credentialId))
      pins.set(merchantId, own)
      forgotten.add(`${merchantId} ${hex(credentialId)}`)
      if (statement !== null) used.add(statement)
    },
    notePolicy(policy: PinnedPolicy): void {
      seen(policy)
      const known = policies.get(policy.merchantId)
      policies.set(policy.merchantId, added(known, policy))
    },
    noteDestination(said: PinnedDestination): void {
      seen(said)
      const key = placeKey(said.merchantId, said)
      destinations.set(key, added(destinations.get(key), said))
    },
  }
}

/** The strictest of all policies that count at a moment. */
export function policyInForce(book: PinBook, merchantId: string, now: Date): PayoutPolicy {
  return standingAt(book.policiesOf(merchantId), now)
    .map(({ policy }) => policy)
    .reduce(strictest)
}

/** Whether another policy would allow anything that those which count do not. */
export function isRelaxed(
  book: PinBook,
  { merchantId, policy, baseCurrency }: Pick<PinnedPolicy, 'merchantId' | 'policy' | 'baseCurrency'>,
  now: Date,
): boolean {
  const standing = standingAt(book.policiesOf(merchantId), now)
  return standing.some(
    (each) =>
      relaxedRules(each.policy, policy).length > 0 ||
      // Limits in another currency cannot be compared.
      (each.baseCurrency !== null && each.baseCurrency !== baseCurrency && isLimited(each.policy)),
  )
}

/** Whether the signer's own list allows a destination at a moment. */
export function isAllowedDestination(book: PinBook, merchantId: string, place: Place, now: Date): boolean {
  return standingAt(book.destinationOf(merchantId, place), now).every(({ isAllowed }) => isAllowed)
}

function isLimited({ maxPayout, maxDay }: PayoutPolicy): boolean {
  return maxPayout !== null || maxDay !== null
}

/** What counts before anyone has said anything: a merchant with passkeys needs them. */
function firstPolicy(merchantId: string, hasPasskeys: boolean): PinnedPolicy {
  return {
    ...always,
    merchantId,
    policy: { ...noPolicy, approval: hasPasskeys ? 'passkey' : 'any' },
    baseCurrency: null,
    statedAt: always.at,
    how: 'operator',
  }
}

/** Adds the newest, and drops what can never count again. */
function added<T extends Accepted>(known: readonly T[] = [], newest: T): readonly T[] {
  const last = known.findLastIndex(({ from }) => from <= newest.at)
  return [...known.slice(Math.max(last, 0)), newest]
}

function placeKey(merchantId: string, { network, address, tag }: Place): string {
  return JSON.stringify([merchantId, network, address, tag])
}

function hex(bytes: Buffer): string {
  return bytes.toString('hex')
}
