import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { App } from '../../../src/app/app.ts'
import { createKey } from '../../../src/app/keys/create-key.ts'
import { createMerchant } from '../../../src/app/merchants/create-merchant.ts'
import type { Environment } from '../../../src/domain/environment.ts'
import type { Network } from '../../../src/domain/networks/network.ts'
import { shippedNetworks } from '../../../src/domain/networks/shipped.ts'
import { type Permission, permissions } from '../../../src/domain/permissions.ts'
import { createLog } from '../../../src/log.ts'
import { readSettings } from '../../../src/settings/settings.ts'
import { startService } from '../../../src/wire.ts'
import { createTestDatabase, query, type TestDatabase } from '../database/database.ts'
import { patienceMs } from '../patience.ts'
import { layWallet } from './known-wallet.ts'

export type TestService = {
  readonly app: App
  readonly url: string
  readonly database: TestDatabase
  /** Where its wallet and journal are. */
  readonly dataDir: string
  /** Every line logged so far, parsed. */
  readonly logged: Record<string, unknown>[]
  makeMerchant(): Promise<string>
  makeKey(
    merchantId: string,
    options?: { environment?: Environment; permissions?: readonly Permission[] },
  ): Promise<{ keyId: string; key: string }>
  stop(): Promise<void>
}

// Deriving addresses is the most expensive computation of a fresh service, and few tests use many. An operator may not keep
// so few.
const fewAddresses = { ready: 8, ready_at_most: 8 }

/** The whole service on a database of its own and a free port, in this process, over real sockets. */
export async function startTestService(
  options: {
    config?: object
    env?: Record<string, string>
    database?: TestDatabase
    /** Those that the service ships with, unless others are given. */
    networks?: readonly Network[]
    /** Creates its own test wallet, as a first start does. */
    makesWallet?: boolean
    /** The folder of the payment page. */
    page?: URL
  } = {},
): Promise<TestService> {
  const database = options.database ?? (await createTestDatabase())
  const folder = mkdtempSync(join(tmpdir(), 'sluice-test-'))
  const configPath = join(folder, 'config.json')
  writeFileSync(configPath, JSON.stringify({ rates: { sources: [] }, ...options.config }))
  const logged: Record<string, unknown>[] = []
  const log = createLog('debug', { write: (line) => logged.push(JSON.parse(line)) })
  const env = {
    PORT: '0',
    SLUICE_METRICS_PORT: '0',
    SLUICE_DATA_DIR: folder,
    DATABASE_URL: database.serviceUrl,
    DATABASE_MIGRATION_URL: database.url,
    SLUICE_CONFIG: configPath,
    SLUICE_DATABASE_CONNECTIONS: '3',
    SLUICE_DATABASE_WAIT_SECONDS: String(patienceMs / 1000),
    SLUICE_SECRET_KEY: '5e'.repeat(32),
    SLUICE_WEBHOOK_ALLOW: '127.0.0.1',
    ...options.env,
  }
  const { gates = [] } = (options.config ?? {}) as { gates?: readonly object[] }
  if (options.makesWallet !== true && gates.length === 0 && (await isNew(database)))
    await layWallet(env.SLUICE_DATA_DIR)
  const read = readSettings(env, options.networks ?? shippedNetworks)
  const settings =
    options.config !== undefined && 'addresses' in options.config
      ? read
      : { ...read, config: { ...read.config, addresses: fewAddresses } }
  const service = await startService(
    settings,
    'all',
    log,
    options.page === undefined ? {} : { page: options.page },
  )
  if (service.url === null) throw new Error('the service does not listen')
  return {
    app: service.app,
    url: service.url,
    database,
    dataDir: env.SLUICE_DATA_DIR,
    logged,
    makeMerchant: async () => (await createMerchant(service.app, { name: 'Test shop' })).merchantId,
    makeKey: (merchantId, { environment = 'test', permissions: granted = permissions } = {}) =>
      createKey(service.app, { merchantId, environment, name: 'test', permissions: granted }),
    async stop() {
      await service.stop()
      if (options.database === undefined) await database.drop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

async function isNew({ url }: TestDatabase): Promise<boolean> {
  const [table] = await query<{ is_there: boolean }>(
    url,
    `select to_regclass('wallet_keys') is not null as is_there`,
  )
  // A database of a test's own may not be migrated yet.
  return table?.is_there !== true || (await query(url, 'select from wallet_keys limit 1')).length === 0
}
