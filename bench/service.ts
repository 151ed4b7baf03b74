import { hash } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import { createProver } from '../server/src/domain/address-proofs.ts'
import { startEmbeddedPostgres } from '../server/src/postgres/embedded.ts'
import { shareSuperuser } from '../server/test/support/database/database.ts'
import { makeTemporaryFolder } from '../server/test/support/processes/temporary-folder.ts'
import { startServer } from './load.ts'

const sluice = join(import.meta.dirname, '../server/bin/sluice.mjs')
const secretKey = '5e'.repeat(32)
// Limits are on but never reached: their cost is part of the measurement.
const config = { limits: { key_per_minute: 1_000_000, ip_per_minute: 1_000_000 } }

export type BenchService = {
  readonly url: string
  readonly key: string
  readonly merchantId: string
  readonly databaseUrl: string
  readonly pid: number
  stop(): Promise<void>
}

/** The real service in its own process, on its embedded PostgreSQL with its usual settings. */
export async function startBenchService(
  options: { program?: readonly string[]; env?: Record<string, string> } = {},
): Promise<BenchService> {
  const folder = await makeTemporaryFolder('sluice-bench-', 'disk')
  const configPath = join(folder.path, 'config.json')
  const dataDir = join(folder.path, 'data')
  await writeFile(configPath, JSON.stringify(config))
  const service = await startServer<{ url: string; test_key: string; merchant_id: string }>(
    options.program ?? [sluice, 'start', '--json'],
    {
      PORT: '0',
      SLUICE_METRICS_PORT: '0',
      SLUICE_DATA_DIR: dataDir,
      SLUICE_CONFIG: configPath,
      SLUICE_SECRET_KEY: secretKey,
      ...options.env,
    },
  )
  const guest = await startEmbeddedPostgres({ dataDir, purpose: 'command', log: () => {} })
  await shareSuperuser(guest)
  return {
    url: service.ready.url,
    key: service.ready.test_key,
    merchantId: service.ready.merchant_id,
    databaseUrl: guest.ownerUrl,
    pid: service.pid,
    async stop() {
      await guest.stop()
      await service.stop()
      await folder.remove()
    },
  }
}

export async function withDatabase<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

/**
 * Fills the pool of a keychain with made-up addresses and real proofs, for benchmarks that need very many and do not measure
 * how fast invoices are created: deriving real addresses takes a millisecond each.
 */
export async function fillWithMadeUpAddresses(
  databaseUrl: string,
  keychain: string,
  count: number,
): Promise<void> {
  await withDatabase(databaseUrl, async (client) => {
    await client.query('begin')
    await client.query('insert into deposit_address_counters (keychain) values ($1) on conflict do nothing', [
      keychain,
    ])
    const { rows } = await client.query<{ derived: string }>(
      'select derived from deposit_address_counters where keychain = $1 for update',
      [keychain],
    )
    const from = Number(rows[0]?.derived)
    const addresses = Array.from(
      { length: count },
      (_, n) => `tb1q${hash('md5', `${keychain}${from + n}`)}${String(from + n).padStart(7, '0')}`,
    )
    const prover = createProver(Buffer.from(secretKey, 'hex'))
    const proofs = addresses.map((address, n) =>
      prover.ofAddress({ keychain, position: from + n, address, tag: null }),
    )
    await client.query(
      `insert into deposit_addresses (keychain, position, address, proof)
       select $1, $2 + nth - 1, address, proof
       from unnest($3::text[], $4::text[]) with ordinality as made (address, proof, nth)`,
      [keychain, from, addresses, proofs],
    )
    await client.query('update deposit_address_counters set derived = derived + $2 where keychain = $1', [
      keychain,
      count,
    ])
    await client.query('commit')
    await client.query('vacuum analyze deposit_addresses')
  })
}
