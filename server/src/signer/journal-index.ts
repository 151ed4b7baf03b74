import type { NotedGrant } from '../domain/address-grants.ts'
import type { GateId } from '../domain/networks/network.ts'
import { type FeeKind, feeKindOf } from '../domain/spending-limits.ts'
import { type CoinPlan, isCancelling } from '../domain/spends.ts'
import { coinName, useNamesOf } from '../domain/uses.ts'
import {
  type Acceptance,
  type GrantNote,
  type JournaledPayout,
  planHash,
  type Signature,
} from './journal-lines.ts'

/** A journaled signature, without the data that is only needed to send it again. */
export type Journaled = Pick<
  Signature,
  'spendId' | 'attempt' | 'kind' | 'gateId' | 'hash' | 'maxFeeUnits' | 'value'
> & {
  readonly payoutIds: readonly string[]
  readonly uses: readonly string[]
  readonly planHash: string
  /** Whether it pays nothing and only uses up its nonce. */
  readonly cancels: boolean
  /** The kind under which its fee is limited by day, if it is. */
  readonly feeKind: FeeKind | null
  /** By how much its fee exceeds those of the spend's earlier attempts; on Solana, its whole fee. */
  readonly addedFeeUnits: bigint
  readonly atMs: number
  /** Where its line is in the file, and the checksum of the line before it. */
  readonly place: { readonly offset: number; readonly length: number; readonly sumBefore: string }
}

/** An index of the journal in memory, so that lookups need not read the file again. */
export function createJournalIndex() {
  const all: Journaled[] = []
  const byAttempt = new Map<string, Journaled>()
  const byPayout = new Map<string, Journaled[]>()
  const byGate = new Map<GateId, Journaled[]>()
  const bySpend = new Map<string, Journaled[]>()
  const byUse = new Map<string, Journaled[]>()
  const signedPayouts = new Map<string, JournaledPayout>()
  const amounts = new Map<string, bigint>()
  const highestFees = new Map<string, bigint>()
  const coldUses = new Map<GateId, Map<number, string>>()
  const hashes = new Set<string>()
  const accepted = new Set<string>()
  const lost = new Set<string>()
  const grants = new Map<string, NotedGrant>()
  const stampsOf = new Map<string, Set<string>>()

  return {
    add(signature: Signature, place: Journaled['place']): void {
      const { spendId, attempt, kind, gateId, hash, maxFeeUnits, value } = signature
      const journaled: Journaled = {
        spendId,
        attempt,
        kind,
        gateId,
        hash,
        maxFeeUnits,
        value,
        place,
        payoutIds: signature.payouts.map(({ id }) => id),
        uses: useNamesOf(signature.plan),
        planHash: planHash(signature.plan),
        cancels: isCancelling(signature.plan),
        feeKind: feeKindOf(kind, signature.plan),
        addedFeeUnits: addedFee(spendId, maxFeeUnits),
        atMs: signature.at.getTime(),
      }
      // On Solana one that fails takes its fee, and does not always rule out the others.
      if (journaled.addedFeeUnits > 0n && signature.plan.kind !== 'solana')
        highestFees.set(spendId, maxFeeUnits)
      all.push(journaled)
      byAttempt.set(`${spendId} ${attempt}`, journaled)
      hashes.add(hash)
      put(byGate, gateId, journaled)
      put(bySpend, spendId, journaled)
      for (const use of journaled.uses) put(byUse, `${gateId} ${use}`, journaled)
      for (const id of journaled.payoutIds) put(byPayout, id, journaled)
      for (const payout of signature.payouts) putFirst(signedPayouts, payout.id, payout)
      if (signature.plan.kind === 'coins') noteCold(gateId, signature.plan)
      if (signature.plan.kind === 'coins')
        for (const coin of signature.plan.inputs) putFirst(amounts, `${gateId} ${coinName(coin)}`, coin.units)
    },
    accept({ accepted: hash, isLost }: Acceptance): void {
      if (isLost) lost.add(hash)
      else accepted.add(hash)
    },
    addGrant({ keychain, below, stamp, isClosed }: GrantNote): void {
      const stamps = stampsOf.get(keychain) ?? new Set()
      stampsOf.set(keychain, stamps.add(stamp))
      grants.set(keychain, { below, stamp, isClosed, knows: (other) => stamps.has(other) })
    },

    all: (): readonly Journaled[] => all,
    find: (spendId: string, attempt: number): Journaled | undefined => byAttempt.get(`${spendId} ${attempt}`),
    ofPayout: (id: string): readonly Journaled[] => byPayout.get(id) ?? [],
    ofSpend: (id: string): readonly Journaled[] => bySpend.get(id) ?? [],
    addedFee,
    /** A payout as it was when something was first signed for it; null when nothing was. */
    signedPayout: (id: string): JournaledPayout | null => signedPayouts.get(id) ?? null,
    /** The amount with which a coin was first signed; null when it was not. */
    amountOf: (gateId: GateId, coin: string): bigint | null => amounts.get(`${gateId} ${coin}`) ?? null,
    /** What was signed for a coin or an account's nonce, by its name. */
    ofUse: (gateId: GateId, use: string): readonly Journaled[] => byUse.get(`${gateId} ${use}`) ?? [],
    /** The addresses of cold wallets that were signed for on a gate, by index, highest first; the newest of each index. */
    coldUses: (gateId: GateId): readonly { readonly index: number; readonly address: string }[] =>
      [...(coldUses.get(gateId) ?? [])]
        .map(([index, address]) => ({ index, address }))
        .sort((a, b) => b.index - a.index),
    has: (hash: string): boolean => hashes.has(hash),
    /** The last record of how far a keychain's addresses may be given out; null when there is none. */
    grantOf: (keychain: string): NotedGrant | null => grants.get(keychain) ?? null,
    /** Settled by hand: the database need not have it. */
    isAccepted: (hash: string): boolean => accepted.has(hash),
    /** Its payouts are lost, but the transaction stands. */
    isLost: (hash: string): boolean => lost.has(hash),
    /** The newest signatures of a gate. */
    newest: (gateId: GateId, count: number): readonly Journaled[] => byGate.get(gateId)?.slice(-count) ?? [],
    /**
     * The time of the newest signature. None may be older than the one before it, even if the clock is set back: otherwise
     * limits would forget what was spent.
     */
    newestMs: (): number => all.at(-1)?.atMs ?? 0,
    /** What has left a gate since then, according to the journal. */
    spentSince: (gateId: GateId, currency: string, sinceMs: number): bigint =>
      since(gateId, sinceMs, ({ value }) => value.get(currency) ?? 0n),
    /** The fees that transactions of one kind have added on a gate since then. */
    feesSince: (gateId: GateId, kind: FeeKind, sinceMs: number): bigint =>
      since(gateId, sinceMs, (each) => (each.feeKind === kind ? each.addedFeeUnits : 0n)),
  }

  function noteCold(gateId: GateId, { cold, outputs }: CoinPlan): void {
    const address = cold === undefined ? undefined : outputs[cold.outputIndex]?.address
    if (cold === undefined || cold.index === null || address === undefined) return
    const uses = coldUses.get(gateId) ?? new Map<number, string>()
    coldUses.set(gateId, uses.set(cold.index, address))
  }

  /** By how much a fee exceeds what was signed for its spend before. Attempts rule each other out, so only one is paid. */
  function addedFee(spendId: string, feeUnits: bigint): bigint {
    const signedUnits = highestFees.get(spendId) ?? 0n
    return feeUnits > signedUnits ? feeUnits - signedUnits : 0n
  }

  function since(gateId: GateId, sinceMs: number, unitsOf: (journaled: Journaled) => bigint): bigint {
    const list = byGate.get(gateId) ?? []
    let units = 0n
    for (let at = list.length - 1; at >= 0; at--) {
      const journaled = list[at] as Journaled
      if (journaled.atMs <= sinceMs) break
      units += unitsOf(journaled)
    }
    return units
  }
}

export type JournalIndex = ReturnType<typeof createJournalIndex>

function putFirst<K, V>(map: Map<K, V>, key: K, value: V): void {
  if (!map.has(key)) map.set(key, value)
}

function put<K>(map: Map<K, Journaled[]>, key: K, journaled: Journaled): void {
  const list = map.get(key)
  if (list === undefined) map.set(key, [journaled])
  else list.push(journaled)
}
