import type { Actor } from './audit-log.ts'
import type { Environment } from './environment.ts'
import type { Permission } from './permissions.ts'

/** Who asks: a merchant in one environment, with what is allowed there. Every merchant-facing query filters through it. */
export type Caller = {
  /** In whose name: `key:<id>` for a program, `user:<id>` for a person. */
  readonly actor: string
  /** The person who asks, for the audit log; null for a program. */
  readonly person: Actor | null
  readonly merchantId: string
  readonly environment: Environment
  readonly permissions: ReadonlySet<Permission>
  readonly merchant: MerchantSettings
}

/** What the operator has agreed with a merchant. */
export type MerchantSettings = {
  /** The fiat currency in which values are noted. */
  readonly baseCurrency: string
  /** The platform's share of every credit. */
  readonly feeBps: number
  /** The platform's fee on a payout's amount, and on a refund's. */
  readonly payoutFeeBps: number
  readonly refundFeeBps: number
  /** By how much a payment may fall short and still settle an invoice. */
  readonly toleranceBps: number
}
