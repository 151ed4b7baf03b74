import { readdirSync } from 'node:fs'
import { mkdir, rename } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../../src/postgres/embedded.ts'
import { query, runSql } from '../support/database/database.ts'
import { makeDataFolder } from '../support/processes/data-folder.ts'
import { makeGround, untilStored } from './ground.ts'

let ground: Awaited<ReturnType<typeof makeGround>>
let postgres: EmbeddedPostgres | null
let follower: ReturnType<typeof ground.follow> | null
beforeEach(async () => {
  ground = await makeGround()
  postgres = null
  follower = null
})
afterEach(async () => {
  await follower?.kill()
  await postgres?.stop()
  await ground.remove()
})

async function open(dataDir: string): Promise<EmbeddedPostgres> {
  await postgres?.stop()
  postgres = await startEmbeddedPostgres({ dataDir: ground.at(dataDir), purpose: 'service', log: () => {} })
  return postgres
}

/** Adds rows that take about this many megabytes of the log. */
const write = ({ ownerUrl }: EmbeddedPostgres, name: string, megabytes: number) =>
  runSql(
    ownerUrl,
    'create table if not exists rows (name text, filling text)',
    `insert into rows select '${name}', repeat(md5(random()::text), 30) from generate_series(1, ${megabytes * 1000})`,
  )
const counted = async ({ ownerUrl }: EmbeddedPostgres) =>
  Object.fromEntries(
    (await query(ownerUrl, 'select name, count(*)::integer as count from rows group by name')).map(
      ({ name, count }) => [name, count],
    ),
  )

// Without what the killed follower had not finished: it is no object of the store.
const segments = () =>
  readdirSync(join(ground.store, 'log'), { recursive: true, encoding: 'utf8' }).filter(
    (name) => /\/[0-9A-F]{24}\//.test(name) && !name.endsWith('.tmp'),
  )
const restore = (dataDir: string, ...more: string[]) =>
  ground.told(['restore', '--identity', ground.identityFile, '--data', ground.at(dataDir), ...more])

it('every change is stored across segments, a killed follower and a new timeline, and a gap is told', async () => {
  await makeDataFolder(ground.at('data'))
  const first = await open('data')
  follower = ground.follow()
  await write(first, 'before the kill', 18)
  await untilStored(first.superuserUrl)
  await follower.kill()
  await write(first, 'while it was gone', 18)
  follower = ground.follow()
  await write(first, 'after the kill', 1)
  await untilStored(first.superuserUrl)
  await follower.end()
  const written = { 'before the kill': 18_000, 'while it was gone': 18_000, 'after the kill': 1_000 }
  // A finished segment is one object.
  const whole = segments().filter((name) => name.includes('/000000000000-000016777216-'))
  expect(whole.length).toBeGreaterThanOrEqual(2)
  const inWhole = whole.map((name) => name.slice(0, name.lastIndexOf('/')))
  expect(segments().filter((name) => inWhole.some((folder) => name.startsWith(folder)))).toEqual(whole)

  const [missing, kept] = [join(ground.store, 'log', whole.at(-1) ?? ''), ground.at('kept')]
  await rename(missing, kept)
  const gap = await ground.run(['restore', '--identity', ground.identityFile, '--data', ground.at('gap')])
  expect([gap.code, gap.stderr]).toEqual([1, expect.stringContaining('The stored log has a gap')])
  expect(readdirSync(ground.at('gap'))).toEqual([])
  await mkdir(dirname(missing), { recursive: true })
  await rename(kept, missing)

  await restore('second')
  const second = await open('second')
  expect(await counted(second)).toEqual(written)

  // The restored database goes on in the same store, on a timeline of its own.
  follower = ground.follow('second')
  await write(second, 'after the restore', 1)
  await untilStored(second.superuserUrl)
  await follower.end()
  follower = null
  expect(segments().some((name) => name.includes('/00000002'))).toBe(true)
  await restore('third')
  const third = await open('third')
  expect(await counted(third)).toEqual({ ...written, 'after the restore': 1_000 })
  const [timeline] = await query(third.superuserUrl, 'select timeline_id from pg_control_checkpoint()')
  expect(timeline?.timeline_id).toBe(3)
})
