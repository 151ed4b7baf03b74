import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { App } from '../../server/src/app/app.ts'
import { createMerchant } from '../../server/src/app/merchants/create-merchant.ts'
import { createLog } from '../../server/src/log.ts'
import { startEmbeddedPostgres } from '../../server/src/postgres/embedded.ts'
import { readSettings } from '../../server/src/settings/settings.ts'
import { openTestWallet } from '../../server/src/signer/kept-wallet.ts'
import { openApp } from '../../server/src/wire/app.ts'
import { Closers } from '../../server/src/wire/closers.ts'

export type BenchApp = {
  readonly app: App
  readonly url: string
  readonly superuserUrl: string
  readonly merchantId: string
  close(): Promise<void>
}

/** The service's use cases in this process, on an embedded PostgreSQL, without its loops. */
export async function openBenchApp(
  folder: string,
  config: object = {},
  env: Record<string, string> = {},
): Promise<BenchApp> {
  const log = createLog('silent', process.stderr)
  const closers = new Closers()
  const dataDir = join(folder, 'data')
  const postgres = await startEmbeddedPostgres({ dataDir, purpose: 'service', log: () => {} })
  closers.add(() => postgres.stop())
  const configPath = join(folder, 'config.json')
  await writeFile(configPath, JSON.stringify(config))
  const settings = readSettings({
    SLUICE_DATA_DIR: dataDir,
    DATABASE_URL: postgres.url,
    DATABASE_MIGRATION_URL: postgres.ownerUrl,
    SLUICE_CONFIG: configPath,
    ...env,
  })
  const { app, gates } = await openApp(settings, 'service', log, closers)
  await openTestWallet(app, { dataDir, log })
  await gates.open(closers)
  const { merchantId } = await createMerchant(app, { name: 'Followed' })
  const { url, superuserUrl } = postgres
  return { app, url, superuserUrl, merchantId, close: () => closers.close() }
}
