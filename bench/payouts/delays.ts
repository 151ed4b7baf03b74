import { setTimeout as delay } from 'node:timers/promises'
import { type BenchService, withDatabase } from '../service.ts'

const payouts = 240
// People approve one after another. Each payout on the XRP Ledger is its own transaction.
const paceMs = 25
const currency = 'XRP'
const destination = { destination: 'rPT1Sjq2YGrBMTttX4GZHjKu9dyfzbpAYe', destination_tag: '7' }
const longestMs = 60_000

type Post = (path: string, body?: object) => Promise<Record<string, string>>

/** Approves payouts of a running service one by one, and reports how long afterwards each was sent to the network. */
export async function measureBroadcasts({ databaseUrl }: BenchService, post: Post): Promise<void> {
  const ids: string[] = []
  for (let n = 0; n < payouts; n++)
    ids.push((await post('payouts', { currency, amount: '1', ...destination })).id as string)
  for (const id of ids) {
    await post(`test/payouts/${id}/approve`)
    await delay(paceMs)
  }
  const took = await untilSent(databaseUrl, ids)
  took.sort((a, b) => a - b)
  const quantile = (part: number) => took[Math.floor(took.length * part)]?.toFixed(0)
  console.log(`  median ${quantile(0.5)} ms, p99 ${quantile(0.99)} ms, of ${took.length}`)
}

/** The time from the approval to the first broadcast, both by the database's clock, once all are sent. */
async function untilSent(databaseUrl: string, ids: readonly string[]): Promise<number[]> {
  return withDatabase(databaseUrl, async (client) => {
    for (const endMs = performance.now() + longestMs; performance.now() < endMs; await delay(100)) {
      const { rows } = await client.query<{ ms: number }>(
        `select (extract(epoch from min(sent_at) - approved_at) * 1000)::float8 as ms
         from payouts join spend_transactions using (spend_id)
         where payouts.id = any($1) and sent_at is not null group by payouts.id, approved_at`,
        [ids],
      )
      if (rows.length === ids.length) return rows.map(({ ms }) => ms)
    }
    throw new Error(`Not all of ${ids.length} payouts were sent within ${longestMs} ms.`)
  })
}
