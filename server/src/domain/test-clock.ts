import type { Environment } from './environment.ts'

/** Whose time it is: a merchant's, in one environment. */
export type ClockOwner = { readonly merchantId: string; readonly environment: Environment }

/** How much a move of the clock made due. */
export type Brought = {
  /** Invoices whose window has ended. */
  readonly invoices: number
  /** Approved payouts that have cooled off. */
  readonly payouts: number
  /** Deliveries of webhooks that waited to be tried again. */
  readonly deliveries: number
}

const daySeconds = 24 * 60 * 60

/** The furthest one request moves a clock. */
export const maxAdvanceSeconds = 366 * daySeconds

/**
 * The furthest that a clock is ever ahead. Nothing waits for ten years, and what is dated so far ahead is also kept so much
 * longer: what deletes old rows goes by the real time.
 */
export const maxAheadSeconds = 3660 * daySeconds
