import { randomBytes } from 'node:crypto'
import { createKey } from '../../../src/app/keys/create-key.ts'
import { createMerchant } from '../../../src/app/merchants/create-merchant.ts'
import { permissions } from '../../../src/domain/permissions.ts'
import { storeOn } from '../../../src/store/store.ts'
import { openTestDatabase } from '../database/open-database.ts'

/** Makes a merchant in a migrated database, and a test key of its that may do everything. */
export async function makeTestKey(databaseUrl: string): Promise<string> {
  const database = openTestDatabase(databaseUrl, 2)
  try {
    const app = { store: storeOn(database.db), now: () => new Date(), random: randomBytes }
    const { merchantId } = await createMerchant(app, { name: 'Test shop' })
    return (await createKey(app, { merchantId, environment: 'test', name: 'test', permissions })).key
  } finally {
    await database.close()
  }
}
