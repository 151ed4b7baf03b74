import { createHash } from 'node:crypto'
import { canonicalJson } from '../domain/canonical-json.ts'
import type { Environment } from '../domain/environment.ts'
import type { GateId } from '../domain/networks/network.ts'
import { planFromJson, planToJson, type SpendKind, type SpendPlan } from '../domain/spends.ts'
import { useNamesOf } from '../domain/uses.ts'
import type { LineBody } from './chained-file.ts'

/** What a payout of a signed transaction was approved as. */
export type JournaledPayout = {
  readonly id: string
  readonly destination: string
  readonly tag: string | null
  readonly units: bigint
  readonly currency: string
  readonly approvalHash: string
}

/** A signature that was made. */
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
  /** What it added, by currency, to what has left: payouts not counted before, and the network's fee. */
  readonly value: ReadonlyMap<string, bigint>
  readonly at: Date
}

/** Whose journal it is; its first line. */
export type JournalHeader = { readonly environment: Environment; readonly wallet: string }

/**
 * A signature whose payouts the database will never know, as the operator has accepted. `isLost`: it is put back without them;
 * older journals have some that were settled by hand.
 */
export type Acceptance = { readonly accepted: string; readonly at: Date; readonly isLost: boolean }

/** How far deposit addresses of a keychain may be given, noted before they may. */
export type GrantNote = {
  readonly keychain: string
  readonly below: number
  /** The same as in the database. */
  readonly stamp: string
  /** Whether nothing can be given any more until the next. */
  readonly isClosed: boolean
}

export type JournalLine =
  | { readonly kind: 'header'; readonly header: JournalHeader }
  | { readonly kind: 'signature'; readonly signature: Signature }
  | { readonly kind: 'acceptance'; readonly acceptance: Acceptance }
  | { readonly kind: 'grant'; readonly grant: GrantNote }

const version = 1

/** The same for equal plans, in whatever order their members are written. */
export function planHash(plan: SpendPlan): string {
  return sha256(canonicalJson(JSON.parse(planToJson(plan))))
}

/** What a line of the journal is written as. */
export function lineBody(line: JournalLine): LineBody {
  return { version, ...bodyOf(line) }
}

/** What a line says; null when it is none of a journal of this version. */
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

// biome-ignore lint/suspicious/noExplicitAny: its sum has shown that we wrote it
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
