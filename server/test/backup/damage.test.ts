import { once } from 'node:events'
import { existsSync, readdirSync } from 'node:fs'
import { readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { makeIdentity } from '../../src/backup/age.ts'
import { startEmbeddedPostgres } from '../../src/postgres/embedded.ts'
import { query, runSql } from '../support/database/database.ts'
import { makeDataFolder } from '../support/processes/data-folder.ts'
import { spawnCommand } from '../support/processes/sluice-process.ts'
import { makeGround } from './ground.ts'

let ground: Awaited<ReturnType<typeof makeGround>>
let base: { id: string; finished_at: string }
beforeAll(async () => {
  ground = await makeGround()
  await makeDataFolder(ground.at('data'))
  await mark('before')
  base = (await ground.told(['backup'])).base
})
afterAll(() => ground.remove())

async function onDatabase<T>(dataDir: string, work: (url: string) => Promise<T>): Promise<T> {
  const postgres = await startEmbeddedPostgres({
    dataDir: ground.at(dataDir),
    purpose: 'command',
    log: () => {},
  })
  try {
    return await work(postgres.ownerUrl)
  } finally {
    await postgres.stop()
  }
}

const mark = (text: string) =>
  onDatabase('data', (url) =>
    runSql(url, 'create table if not exists marks (mark text)', `insert into marks values ('${text}')`),
  )
const marks = (dataDir: string) =>
  onDatabase(dataDir, async (url) =>
    (await query(url, 'select mark from marks')).map(({ mark: each }) => each),
  )

const restore = (dataDir: string, ...more: string[]) =>
  ground.run(['restore', '--identity', ground.identityFile, '--data', ground.at(dataDir), ...more])

const objects = () =>
  readdirSync(ground.store, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(ground.store.length + 1))

it('a backup that is killed leaves the one before as the newest that counts', async () => {
  await mark('after')
  const before = objects()
  const child = spawnCommand(['backup'], ground.env('data'))
  await expect.poll(() => objects().filter((name) => !before.includes(name)).length).toBeGreaterThan(0)
  child.kill('SIGKILL')
  await once(child, 'exit')
  expect(objects().filter((name) => name.includes('/manifest-')).length).toBe(1)
  const { code, stderr } = await restore('survived')
  expect(code, stderr).toBe(0)
  expect(await marks('survived')).toEqual(['before'])
  expect((await stat(ground.at('survived/wallet')).catch(() => null))?.mode).toBe(undefined)
  for (const name of objects()) if (!before.includes(name)) await rm(join(ground.store, name))
})

it('a changed byte in any file is refused by its name, and nothing stays in the folder', async () => {
  const all = objects()
  expect(all.length).toBeGreaterThan(5)
  for (const name of all) {
    const path = join(ground.store, name)
    const content = await readFile(path)
    const changed = Buffer.from(content)
    const at = Math.floor(content.length / 2)
    changed[at] = (changed[at] ?? 0) ^ 1
    await writeFile(path, changed)
    const { code, stdout, stderr } = await restore('damaged')
    expect([code, stdout]).toEqual([1, ''])
    expect(stderr).toContain(`${name} in ${ground.store} is damaged`)
    if (existsSync(ground.at('damaged'))) expect(readdirSync(ground.at('damaged'))).toEqual([])
    await writeFile(path, content)
  }
})

it('a missing file, another identity, a moment that is not stored and a folder in use are refused in words', async () => {
  const slice = objects().find((name) => /\/000001-/.test(name)) ?? ''
  const content = await readFile(join(ground.store, slice))
  await rm(join(ground.store, slice))
  expect((await restore('refused')).stderr).toContain(`${slice} is missing in ${ground.store}`)
  await writeFile(join(ground.store, slice), content)

  const other = ground.at('other-identity.txt')
  await writeFile(other, makeIdentity().identity)
  const wrong = await ground.run(['restore', '--identity', other, '--data', ground.at('refused')])
  expect(wrong.stderr).toContain('it is sealed to another key: this identity does not open it')
  const early = await restore('refused', '--at', '2020-01-01T00:00:00Z')
  expect(early.stderr).toContain(
    `The earliest moment that ${ground.store} can restore is ${base.finished_at}`,
  )
  const late = await restore('refused', '--at', '2099-01-01T00:00:00Z')
  expect(late.stderr).toContain(`so only its own moment can be restored: --at ${base.finished_at}`)
  const used = await restore('data')
  expect(used.stderr).toContain('is not empty')
  for (const { code } of [wrong, early, late, used]) expect(code).toBe(1)
  expect((await restore('exact', '--at', base.finished_at)).code).toBe(0)
})

it('wrong books are found by backup verify, and only as many bases are kept as were asked for', async () => {
  await onDatabase('data', (url) =>
    runSql(
      url,
      `insert into audit_heads (chain, seq) values ('00000000-0000-0000-0000-000000000000', 7)
       on conflict (chain) do update set seq = 7`,
    ),
  )
  await ground.told(['backup', '--keep', '1'])
  const manifests = objects().filter((name) => name.includes('/manifest-'))
  expect(manifests).toHaveLength(1)
  expect(manifests[0]).not.toContain(base.id)
  expect(objects().filter((name) => name.includes(base.id))).toEqual([])
  const { code, stdout } = await ground.run([
    'backup',
    'verify',
    '--json',
    '--identity',
    ground.identityFile,
    '--scratch',
    ground.at(''),
  ])
  expect(code).toBe(1)
  expect(JSON.parse(stdout)).toMatchObject({ ok: false, differences: [expect.any(String)] })
})
