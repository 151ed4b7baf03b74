import { randomBytes } from 'node:crypto'
import { batch } from '../../server/src/app/batch.ts'
import { uuidv7 } from '../../server/src/domain/ids.ts'
import type { NewInvoice } from '../../server/src/store/invoices/invoice-rows.ts'
import { storeOn } from '../../server/src/store/store.ts'
import { openTestDatabase } from '../../server/test/support/database/open-database.ts'
import { interleave, median, type Ratio } from '../measure.ts'

const rounds = 7
const callsEach = 300

/** How long one insert takes with `batch` and without it, one at a time. */
export async function compareMerging(databaseUrl: string, merchantId: string): Promise<Ratio> {
  const database = openTestDatabase(databaseUrl, 2)
  try {
    const { invoices } = storeOn(database.db)
    const like = await invoices.list(
      { merchantId, environment: 'test' },
      { status: null, currency: null, limit: 1, offset: 0 },
    )
    const [model] = like.rows
    if (model?.asset == null) throw new Error('there is no invoice to repeat')
    const asset = { ...model.asset, keychain: 'merging' }
    let position = 0n
    const next = (): NewInvoice => {
      const link = randomBytes(16).toString('base64url')
      return {
        ...model,
        id: uuidv7(new Date()),
        link,
        idempotencyKey: link,
        requestHash: randomBytes(32),
        createdBy: null,
        asset: { ...asset, depositPosition: position++ },
      }
    }
    const insert = (drafts: readonly NewInvoice[]) =>
      invoices.insert(
        drafts,
        drafts.map(({ id }) => ({
          id: uuidv7(new Date()),
          merchantId,
          environment: 'test' as const,
          event: 'invoice.confirming',
          data: { id },
          resourceId: id,
        })),
      )
    const merged = batch(
      async (drafts: readonly NewInvoice[]) => {
        const added = await insert(drafts)
        return drafts.map(({ id }) => added.has(id))
      },
      { maxBatch: 64, maxRunning: 2 },
    )
    const each = async (call: (draft: NewInvoice) => Promise<unknown>): Promise<number> => {
      const times: number[] = []
      for (let calls = 0; calls < callsEach; calls++) {
        const draft = next()
        const startedAt = performance.now()
        await call(draft)
        times.push(performance.now() - startedAt)
      }
      return median(times)
    }
    await each(merged)
    return await interleave(
      rounds,
      () => each((draft) => insert([draft])),
      () => each(merged),
      'ms',
    )
  } finally {
    await database.close()
  }
}
