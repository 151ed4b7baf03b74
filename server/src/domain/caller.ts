import type { Environment } from './environment.ts'
import type { Permission } from './permissions.ts'

/** Who asks: a merchant in one environment, with what its key allows. Every merchant-facing query filters through it. */
export type Caller = {
  readonly keyId: string
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
