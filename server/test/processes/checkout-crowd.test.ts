import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { makeCheckoutToken } from '../../src/domain/checkout-token.ts'
import type { EmbeddedPostgres } from '../../src/postgres/embedded.ts'
import { query } from '../support/database/database.ts'
import { startOwnPostgres } from '../support/processes/data-folder.ts'
import { childrenOf, type SluiceProcess, startSluice } from '../support/processes/sluice-process.ts'
import { makeTemporaryFolder, type TemporaryFolder } from '../support/processes/temporary-folder.ts'
import { call } from '../support/shop/contract-client.ts'
import { makeTestKey } from '../support/shop/merchant.ts'
import type { Arrivals, Orders } from './crowd-child.ts'

const crowd = Number(process.env.SLUICE_CROWD ?? 200)
const lanes = 32
const quarterHourMs = 15 * 60_000

let folder: TemporaryFolder
let postgres: EmbeddedPostgres
let service: SluiceProcess
let pages: ChildProcess

beforeAll(async () => {
  folder = await makeTemporaryFolder()
  postgres = await startOwnPostgres(join(folder.path, 'postgres'))
  const config = join(folder.path, 'config.json')
  const limits = { key_per_minute: 1_000_000, ip_per_minute: 1_000_000, checkout_per_minute: 1_000_000 }
  await writeFile(config, JSON.stringify({ limits, rates: { sources: [] }, addresses: { ready: 100 } }))
  await mkdir(join(folder.path, 'data'))
  service = await startSluice({
    DATABASE_URL: postgres.url,
    SLUICE_DATA_DIR: join(folder.path, 'data'),
    SLUICE_CONFIG: config,
    SLUICE_SANDBOX_BLOCK_SECONDS: '0',
    SLUICE_TRUSTED_PROXIES: '127.0.0.1',
  })
})
afterAll(async () => {
  pages?.kill()
  await service?.end('SIGTERM')
  await postgres?.stop()
  await folder?.remove()
})

it(`a change of ${crowd} invoices reaches all ${crowd} open pages, and stopping does not wait for them`, async () => {
  const key = await makeTestKey(postgres.url)
  const tokens = await makeTokens(key)
  const before = await memoryBytes()

  pages = fork(new URL('./crowd-child.ts', import.meta.url), {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  const port = Number(new URL(service.ready.url).port)
  pages.send({ port, tokens, phase: 'cancelled' } satisfies Orders)
  expect(await answerOf<string>(pages)).toBe('open')
  const perPage = ((await memoryBytes()) - before) / crowd

  const arriving = answerOf<Arrivals>(pages)
  await query(postgres.url, `update invoices set status = 'cancelled', due_at = null where link is not null`)
  const committedMs = Date.now()
  const { firstMs, lastMs } = await arriving
  const took = (ms: number) => `${ms - committedMs} ms`
  process.stdout.write(
    `${crowd} pages: the first was updated after ${took(firstMs)}, the last after ${took(lastMs)}; ` +
      `${Math.round(perPage / 1024)} KiB of memory a page\n`,
  )

  const stoppedAt = Date.now()
  expect(await service.end('SIGTERM')).toBe(0)
  process.stdout.write(`stopped after ${Date.now() - stoppedAt} ms\n`)
  // Requests in flight are given up to 15 s; streams are not.
  expect(Date.now() - stoppedAt).toBeLessThan(12_000)
}, 300_000)

async function makeTokens(key: string): Promise<string[]> {
  const tokens: string[] = []
  const until = new Date(Date.now() + quarterHourMs)
  let left = crowd
  await Promise.all(
    Array.from({ length: lanes }, async () => {
      while (left-- > 0) {
        const made = await call(service.ready.url, 'createInvoice', {
          key,
          body: JSON.stringify({ currency: 'BTC', amount: '0.001' }),
        })
        expect(made.status, made.text).toBe(201)
        const { id, checkout_url } = made.body.data
        tokens.push(makeCheckoutToken({ id, link: checkout_url.split('/').at(-1) }, until))
      }
    }),
  )
  return tokens
}

/** The memory used by the process that serves the pages. */
async function memoryBytes(): Promise<number> {
  const { pid } = childrenOf(service.child).find(({ role }) => role === 'service') ?? {}
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]) * 1024
}

async function answerOf<T>(child: ChildProcess): Promise<T> {
  const ended = once(child, 'exit').then(([code]) => {
    throw new Error(`the crowd ended with ${code}`)
  })
  const [message] = (await Promise.race([once(child, 'message'), ended])) as [T]
  return message
}
