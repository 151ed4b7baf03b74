import { expect } from 'vitest'
import { query } from '../database/database.ts'
import { hurry } from '../shop/money-out.ts'
import type { TestService } from '../shop/service.ts'
import type { Row, Shop } from '../shop/shop.ts'

/** Waits for what the service does on a chain that goes on by itself. */
export type Waits = {
  untilInvoice(invoice: { id: string }, expected: object): Promise<Row>
  untilPaidOut(payout: { id: string }, status?: string): Promise<Row>
  /** Returns once no transaction of ours is in progress. */
  untilQuiet(): Promise<void>
}

export function waitsOf(service: TestService, shop: Shop): Waits {
  return {
    async untilInvoice(invoice, expected) {
      await expect.poll(() => shop.get(invoice)).toMatchObject(expected)
      return shop.get(invoice)
    },
    async untilPaidOut(payout, status = 'completed') {
      await expect
        .poll(async () => {
          await hurry(service)
          const { status, waiting_reason } = await shop.payout(payout)
          return { status, waiting_reason }
        })
        .toMatchObject({ status })
      return shop.payout(payout)
    },
    async untilQuiet() {
      const open = async () => {
        await hurry(service)
        return query(service.database.url, `select id, kind from spends where status = 'open'`)
      }
      await expect.poll(open).toEqual([])
    },
  }
}
