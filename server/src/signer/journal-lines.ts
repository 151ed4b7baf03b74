import { createHash } from 'node:crypto'
import { canonicalJson } from '../domain/canonical-json.ts'
import type { Environment } from '../domain/environment.ts'
import type { GateId } from '../domain/networks/network.ts'
import { planFromJson, planToJson } from '../domain/plan-json.ts'
import type { SpendKind, SpendPlan } from '../domain/spends.ts'
import { useNamesOf } from '../domain/uses.ts'
import type { LineBody } from './chained-file.ts'

/** A payout of a signed transaction, as it was approved. */
export type JournaledPayout = {
  readonly id: string
  readonly destination: string
  readonly tag: string | null
  readonly units: bigint
  readonly currency: string
  readonly approvalHash: string
}

/** A signed transaction. */
export type Signature = {
  readonly spendId: string
  readonly attempt: number
  readonly kind: SpendKind
  readonly gateId: GateId
  readonly payouts: readonly JournaledPayout[]
  readonly hash: string
  readonly bytes: Uint8Array
  readonly plan: SpendPlan
  readonly maxFeeUnits: bigint
  /** What it added to the total that has left, by currency: payouts not counted before, and the network fee. */
  readonly value: ReadonlyMap<string, bigint>
  readonly at: Date
}

/** The journal's first line: its environment and wallet. */
export type JournalHeader = { readonly environment: Environment; readonly wallet: string }

/**
 * A signature whose payouts are lost from the database for good, as the operator has accepted. `isLost`: it is put back
 * without them. In older journals some were settled by hand instead.
 */
export type Acceptance = { readonly accepted: string; readonly at: Date; readonly isLost: boolean }

/** How far a keychain's deposit addresses may be given out, recorded before they may be. */
export type GrantNote = {
  readonly keychain: string
  readonly below: number
  /** The same stamp as in the database. */
  readonly stamp: string
  /** Whether no more addresses can be given out until the next grant. */
  readonly isClosed: boolean
}

export type JournalLine =
  | { readonly kind: 'header'; readonly header: JournalHeader }
  | { readonly kind: 'signature'; readonly signature: Signature }
  | { readonly kind: 'acceptance'; readonly acceptance: Acceptance }
  | { readonly kind: 'grant'; readonly grant: GrantNote }

const version = 1

/** A hash that is equal for equal plans, with their members in any order. */
export function planHash(plan: SpendPlan): string {
  return sha256(canonicalJson(JSON.parse(planToJson(plan))))
}

/** The written form of a journal line. */
export function lineBody(line: JournalLine): LineBody {
  return { version, ...bodyOf(line) }
}

/** Reads a journal line; null when it is not one of this version. */
export function journalLine(body: LineBody): JournalLine | null {
  if (body.version !== version) return null
  try {
    return lineOf(body)
  } catch {
    return null
  }
}

function bodyOf(line: JournalLine): Record<string, unknown> {
  switch (line.kind) {
    case 'header':
      return { ...line.header }
    case 'acceptance':
      return {
        accepted: line.acceptance.accepted,
        at: line.acceptance.at.toISOString(),
        ...(line.acceptance.isLost && { lost: true }),
      }
    case 'grant': {
      const { keychain, below, stamp, isClosed } = line.grant
      return { addresses: keychain, below, stamp, closed: isClosed }
    }
    case 'signature': {
      const { spendId, attempt, kind, gateId, payouts, hash, bytes, plan, maxFeeUnits, value, at } =
        line.signature
      return {
        at: at.toISOString(),
        spend_id: spendId,
        attempt,
        kind,
        gate_id: gateId,
        payouts: payouts.map(({ units, approvalHash, ...payout }) => ({
          ...payout,
          units: units.toString(),
          approval_hash: approvalHash,
        })),
        uses: useNamesOf(plan),
        tx_hash: hash,
        bytes: Buffer.from(bytes).toString('hex'),
        max_fee_units: maxFeeUnits.toString(),
        value: Object.fromEntries([...value].map(([currency, units]) => [currency, units.toString()])),
        plan: JSON.parse(planToJson(plan)),
      }
    }
  }
}

// biome-ignore lint/suspicious/noExplicitAny: its checksum has shown that we wrote it
function lineOf(body: any): JournalLine {
  if (body.wallet !== undefined)
    return { kind: 'header', header: { environment: body.environment, wallet: body.wallet } }
  if (body.accepted !== undefined)
    return {
      kind: 'acceptance',
      acceptance: { accepted: body.accepted, at: new Date(body.at), isLost: body.lost === true },
    }
  if (body.addresses !== undefined)
    return {
      kind: 'grant',
      grant: { keychain: body.addresses, below: body.below, stamp: body.stamp, isClosed: body.closed },
    }
  return {
    kind: 'signature',
    signature: {
      spendId: body.spend_id,
      attempt: body.attempt,
      kind: body.kind,
      gateId: body.gate_id,
      payouts: body.payouts.map(
        ({ units, approval_hash, ...payout }: { units: string; approval_hash: string }) => ({
          ...payout,
          units: BigInt(units),
          approvalHash: approval_hash,
        }),
      ),
      hash: body.tx_hash,
      bytes: Buffer.from(body.bytes, 'hex'),
      plan: planFromJson(JSON.stringify(body.plan)),
      maxFeeUnits: BigInt(body.max_fee_units),
      value: new Map(
        Object.entries<string>(body.value).map(([currency, units]) => [currency, BigInt(units)]),
      ),
      at: new Date(body.at),
    },
  }
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}
