/**
 * The cost of our HTTP layer: the same bytes through a bare Fastify route and through the whole service (request id,
 * rate limit, validation, log, metrics; for the list also authentication and the database).
 */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { makeTemporaryFolder } from '../../server/test/support/processes/temporary-folder.ts'
import { compare, startServer } from '../load.ts'
import type { Ratio } from '../measure.ts'

const rounds = 5
const sluice = join(import.meta.dirname, '../../server/bin/sluice.mjs')

export async function run(): Promise<Record<string, Ratio>> {
  const folder = await makeTemporaryFolder('sluice-bench-', 'disk')
  const config = join(folder.path, 'config.json')
  await writeFile(config, JSON.stringify({ limits: { key_per_minute: 1_000_000, ip_per_minute: 1_000_000 } }))
  const service = await startServer<{ url: string; test_key: string }>([sluice, 'start', '--json'], {
    PORT: '0',
    SLUICE_METRICS_PORT: '0',
    SLUICE_DATA_DIR: join(folder.path, 'data'),
    SLUICE_CONFIG: config,
  })
  const { url, test_key } = service.ready
  const headers = { 'X-API-Key': test_key }
  const save = async (name: string, path: string): Promise<string> => {
    const file = join(folder.path, name)
    await writeFile(file, await (await fetch(`${url}${path}`, { headers })).text())
    return file
  }
  const bare = await startServer<{ url: string }>(
    [
      join(import.meta.dirname, 'bare-server.ts'),
      await save('currencies.json', '/api/v1/currencies'),
      await save('events.json', '/api/v1/events'),
    ],
    {},
  )
  try {
    console.log('GET /v1/currencies')
    const currencies = await compare(
      { name: 'currencies', url: `${url}/api/v1/currencies` },
      { name: 'bare currencies', url: `${bare.ready.url}/currencies` },
      rounds,
    )
    console.log('GET /v1/events, authenticated, empty')
    const events = await compare(
      { name: 'events', url: `${url}/api/v1/events`, headers },
      { name: 'bare events', url: `${bare.ready.url}/events`, headers },
      rounds,
    )
    return { 'http: GET /v1/currencies (at least 0.60)': currencies, 'http: GET /v1/events, empty': events }
  } finally {
    await bare.stop()
    await service.stop()
    await folder.remove()
  }
}
