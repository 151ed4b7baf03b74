import { setTimeout as delay } from 'node:timers/promises'
import { createKey } from '../../server/src/app/keys/create-key.ts'
import { createMerchant } from '../../server/src/app/merchants/create-merchant.ts'
import { permissions } from '../../server/src/domain/permissions.ts'
import type { Opened } from '../../server/src/wire/app.ts'
import { makeEndpoint } from '../../server/test/support/shop/webhook-shop.ts'

const blocks = 60
const perBlock = 5
const gateId = 'xrp-test'

/** Pays invoices, several per block, and reports how long after the block each `invoice.paid` arrived. */
export async function measureDelays({ app, database }: Opened, serviceUrl: string, receiverUrl: string) {
  const { merchantId } = await createMerchant(app, { name: 'Bench' })
  const { key } = await createKey(app, { merchantId, environment: 'test', name: 'bench', permissions })
  await makeEndpoint(app, merchantId, `${receiverUrl}/hook`)
  const post = async (path: string, body: object) => {
    const answer = await fetch(`${serviceUrl}/api/v1${path}`, {
      method: 'POST',
      headers: { 'X-API-Key': key, 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    })
    if (answer.status !== 201) throw new Error(`${path}: ${answer.status} ${await answer.text()}`)
    return ((await answer.json()) as { data: Record<string, string> }).data
  }
  const took: number[] = []
  for (let block = 0; block < blocks; block++) {
    for (let n = 0; n < perBlock; n++) {
      const invoice = await post('/invoices', {
        currency: 'XRP',
        amount: '10',
        idempotency_key: crypto.randomUUID(),
      })
      const { deposit_address: address, deposit_address_tag: tag } = invoice
      await post('/test/deposits', {
        address,
        amount: '10',
        currency: 'XRP',
        ...(tag && { address_tag: tag }),
      })
    }
    await fetch(`${receiverUrl}/forget`)
    await app.store.simulatedChains.mine(gateId, 1)
    const minedAt = performance.timeOrigin + performance.now()
    const arrived = await paidArrivals(database.pool, merchantId, receiverUrl)
    took.push(...arrived.map((at) => at - minedAt))
  }
  took.sort((a, b) => a - b)
  const quantile = (part: number) => took[Math.floor(took.length * part)]?.toFixed(0)
  console.log(`  median ${quantile(0.5)} ms, p99 ${quantile(0.99)} ms, of ${took.length}`)
}

/** When the block's `invoice.paid` events arrived, once all have. */
async function paidArrivals(pool: Opened['database']['pool'], merchantId: string, receiverUrl: string) {
  for (;;) {
    const arrivals = (await (await fetch(receiverUrl)).json()) as [id: string, at: number][]
    const { rows } = await pool.query<{ id: string }>(
      `select 'evt_' || id as id from events where merchant_id = $1 and event = 'invoice.paid'
       order by position desc limit $2`,
      [merchantId, perBlock],
    )
    const paid = new Set(rows.map(({ id }) => id))
    const found = new Map(arrivals.filter(([id]) => paid.has(id)))
    if (found.size === perBlock) return [...found.values()]
    await delay(20)
  }
}
