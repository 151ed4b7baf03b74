import pg from 'pg'
import { withDatabase } from '../service.ts'
import { ownDatabase } from './fill.ts'

type Sent = { readonly text: string; readonly values: readonly unknown[] }
type Send = (this: pg.Client, ...args: unknown[]) => unknown
type Plan = { readonly 'Shared Hit Blocks': number; readonly 'Shared Read Blocks': number }

/** How many pages the statements touch that `work` sends, in memory or on disk. What they write is undone. */
export async function pagesTouched(superuserUrl: string, work: () => Promise<unknown>): Promise<number> {
  const sent = await record(work)
  return withDatabase(ownDatabase(superuserUrl), async (client) => {
    let pages = 0
    for (const { text, values } of sent) {
      if (!/^\s*\(*(select|with|update|delete|insert)\b/i.test(text)) continue
      await client.query('begin')
      // The first run also reads the catalogue; the second is what a prepared statement costs.
      for (const isCounted of [false, true]) {
        const { rows } = await client.query<{ 'QUERY PLAN': [{ Plan: Plan }] }>(
          `explain (analyze, buffers, format json) ${text}`,
          [...values],
        )
        const plan = rows[0]?.['QUERY PLAN'][0].Plan
        if (isCounted && plan !== undefined) pages += plan['Shared Hit Blocks'] + plan['Shared Read Blocks']
        if (process.env.SLUICE_BENCH_PLANS === 'yes' && isCounted) {
          const shown = await client.query(`explain (analyze, buffers) ${text}`, [...values])
          console.log(text, values, shown.rows.map((row) => row['QUERY PLAN']).join('\n'))
        }
      }
      await client.query('rollback')
    }
    return pages
  })
}

async function record(work: () => Promise<unknown>): Promise<Sent[]> {
  const sent: Sent[] = []
  const client = pg.Client.prototype as unknown as { query: Send }
  const send = client.query
  client.query = function (...args) {
    const [config] = args as [{ text?: string; values?: unknown[] } | string]
    if (typeof config === 'object' && config.text !== undefined)
      sent.push({ text: config.text, values: config.values ?? [] })
    return send.apply(this, args)
  }
  try {
    await work()
  } finally {
    client.query = send
  }
  return sent
}
