import { expect } from 'vitest'
import { query } from '../database/database.ts'
import { hurry } from '../shop/money-out.ts'
import type { TestService } from '../shop/service.ts'

type Attempt = Awaited<ReturnType<typeof consolidationAttempts>>[number]

/** Every attempt of every consolidation of a gate, oldest first. */
export async function consolidationAttempts({ database }: TestService, gateId: string) {
  return query(
    database.url,
    `select spends.id, spends.status, attempt, plan, t.tx_hash as hash, max_fee_units::text as fee, sent_at, refusal,
       fee_units::text as took, encode(t.bytes, 'hex') as bytes
     from spends join spend_transactions as t on t.spend_id = spends.id
     where kind = 'consolidation' and gate_id = $1 order by spends.created_at, attempt`,
    [gateId],
  )
}

/** Returns the newest attempt of the open consolidation once it was sent to the network. */
export async function untilConsolidationSent(service: TestService, gateId: string, attempt = 1) {
  const newest = async () => (await consolidationAttempts(service, gateId)).at(-1)
  await expect
    .poll(async () => {
      await hurry(service)
      const found = await newest()
      return found?.status === 'open' && found.sent_at !== null ? found.attempt : null
    })
    .toBe(attempt)
  return (await newest()) as Attempt
}

/** The operator's float on a network, in units. */
export async function floatOn({ database }: TestService, network: string): Promise<bigint> {
  const [row] = await query(
    database.url,
    `select coalesce(sum(balance_units), 0)::text as units from ledger_accounts where kind = 'float' and network = $1`,
    [network],
  )
  return BigInt(row?.units)
}
