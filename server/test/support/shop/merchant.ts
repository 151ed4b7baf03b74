import { randomBytes } from 'node:crypto'
import { createKey } from '../../../src/app/keys/create-key.ts'
import { createMerchant } from '../../../src/app/merchants/create-merchant.ts'
import { permissions } from '../../../src/domain/permissions.ts'
import { storeOn } from '../../../src/store/store.ts'
import { openTestDatabase } from '../database/open-database.ts'

/** Creates a merchant in a migrated database, and a test key for it with all permissions. */
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
