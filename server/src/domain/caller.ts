import type { Actor } from './audit-log.ts'
import type { Environment } from './environment.ts'
import type { Permission } from './permissions.ts'

/** The caller: a merchant in one environment, and its permissions there. Every merchant-facing query filters by it. */
export type Caller = {
  /** `key:<id>` for an API key, `user:<id>` for a person. */
  readonly actor: string
  /** The calling person, for the audit log; null for an API key. */
  readonly person: Actor | null
  readonly merchantId: string
  readonly environment: Environment
  readonly permissions: ReadonlySet<Permission>
  readonly merchant: MerchantSettings
}

/** The terms that the operator has set for a merchant. */
export type MerchantSettings = {
  /** The fiat currency in which values are recorded. */
  readonly baseCurrency: string
  /** The platform's share of every credit. */
  readonly feeBps: number
  /** The platform's fee on a payout's amount, and on a refund's. */
  readonly payoutFeeBps: number
  readonly refundFeeBps: number
  /** By how much a payment may fall short and still settle an invoice. */
  readonly toleranceBps: number
}
