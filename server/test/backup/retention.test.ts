import { existsSync, mkdirSync, statSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { rename } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { folderTarget } from '../../src/backup/folder-target.ts'
import { type BaseManifest, writeManifest } from '../../src/backup/manifest.ts'
import { prune } from '../../src/backup/retention.ts'
import { type Target, writeSummed } from '../../src/backup/target.ts'
import { makeTemporaryFolder, type TemporaryFolder } from '../support/processes/temporary-folder.ts'

const hour = 3_600_000
const now = new Date('2026-11-19T12:00:00Z')
const ago = (hours: number) => new Date(now.getTime() - hours * hour)
const log = 'log/7000000000000000001'
const old = '000000010000000000000003'
const current = '000000010000000000000009'

let folder: TemporaryFolder
let target: Target
beforeEach(async () => {
  folder = await makeTemporaryFolder()
  target = folderTarget(folder.path)
  await object(`${log}/${current}/000000000000-000000000100`, 1)
  await base('20261119T090000Z-0000000a', 3)
})
afterEach(() => folder.remove())

const at = (name: string) => join(folder.path, name)

/** As if last changed this number of hours ago, by the clock of the store. */
function touch(name: string, hours: number): string {
  utimesSync(at(name), ago(hours), ago(hours))
  return name
}

async function object(stem: string, hours: number): Promise<string> {
  return touch(await writeSummed(target, stem, '.zst.age', Buffer.from(stem)), hours)
}

/** What a process leaves that is killed while it writes. */
function unfinished(stem: string, hours: number): string {
  const name = `${stem}-${'ab'.repeat(32)}.zst.age.0123456789ab.tmp`
  return foreign(name, hours)
}

function foreign(name: string, hours: number): string {
  mkdirSync(dirname(at(name)), { recursive: true })
  writeFileSync(at(name), '')
  touch(dirname(name), hours)
  return touch(name, hours)
}

async function base(id: string, hours: number): Promise<void> {
  const manifest = {
    version: 1,
    id,
    startedAt: ago(hours).toISOString(),
    finishedAt: ago(hours).toISOString(),
    systemId: '7000000000000000001',
    timeline: 1,
    segmentBytes: 16 * 1024 * 1024,
    start: '0/9000028',
    end: '0/9000100',
  } as BaseManifest
  await writeManifest(target, manifest)
  for (const name of await target.list(`base/${id}/`)) touch(name, hours)
}

const swept = async () => (await prune(target, 1, now)).foreign

it('what a killed backup left unfinished goes with the old segment or base that it is in', async () => {
  await object(`${log}/${old}/000000000000-000000000100`, 60)
  unfinished(`${log}/${old}/000000000100-000000000200`, 60)
  // Killed at its first object, and between removing the last one and its folder.
  unfinished('base/20261117T000000Z-0000000b/000001', 60)
  mkdirSync(at(`${log}/000000010000000000000004`))
  touch(`${log}/000000010000000000000004`, 60)
  unfinished('log/6000000000000000001/000000010000000000000001/000000000000-000000000100', 60)
  expect(await swept()).toEqual([])
  for (const gone of [`${log}/${old}`, `${log}/000000010000000000000004`, 'log/6000000000000000001'])
    expect(existsSync(at(gone)), gone).toBe(false)
  expect(existsSync(at('base/20261117T000000Z-0000000b'))).toBe(false)
  expect(existsSync(at(`${log}/${current}`))).toBe(true)
})

it('an unfinished file goes later, when the objects beside it are long gone', async () => {
  const left = unfinished(`${log}/${old}/000000000100-000000000200`, 20)
  await object(`${log}/${old}/000000000000-000000000100`, 20)
  await swept()
  expect(existsSync(at(left))).toBe(true)
  touch(left, 60)
  await swept()
  expect(existsSync(at(`${log}/${old}`))).toBe(false)
})

it('a file that is being written stays, and what a backup still writes to is left alone however old it looks', async () => {
  const being = [
    unfinished(`${log}/${old}/000000000100-000000000200`, 0),
    unfinished(`${log}/${old}/000000000200-000000000300`, 23),
    // A day old, in folders that are needed or have no end.
    unfinished(`${log}/${current}/000000000100-000000000200`, 60),
    unfinished(`${log}/00000002.history`, 60),
    unfinished('base/20261119T090000Z-0000000a/000001', 60),
    unfinished('base/20261119T113000Z-0000000c/000001', 60),
    unfinished('wallet/20261101T000000.000Z', 60),
    unfinished('journal/live-0123456789abcdef/000000000000-000000000100', 60),
  ]
  mkdirSync(at(`${log}/000000010000000000000004`))
  expect(await swept()).toEqual([])
  expect(being.filter((name) => !existsSync(at(name)))).toEqual([])
  // Just made: it is about to be written to.
  expect(existsSync(at(`${log}/000000010000000000000004`))).toBe(true)
})

it('a store whose clock is days behind does not make a file that is being written look old', async () => {
  for (const name of await target.list('')) touch(name, 73)
  const being = unfinished(`${log}/${old}/000000000100-000000000200`, 72)
  await swept()
  expect(existsSync(at(being))).toBe(true)
  // Nor one whose clock is ahead.
  for (const name of await target.list('')) touch(name, -73)
  touch(being, 2)
  await swept()
  expect(existsSync(at(being))).toBe(true)
})

it('a writer whose file was removed after days fails, and the object is neither there nor half there', async () => {
  const left = unfinished(`${log}/${old}/000000000100-000000000200`, 60)
  const finished = left.replace(/\.[0-9a-f]{12}\.tmp$/, '')
  await swept()
  await expect(rename(at(left), at(finished))).rejects.toMatchObject({ code: 'ENOENT' })
  expect(await target.list(`${log}/${old}/`)).toEqual([])
})

it('what no backup wrote stays with its folder, and is reported', async () => {
  await object(`${log}/${old}/000000000000-000000000100`, 60)
  const files = [
    foreign(`${log}/${old}/notes.txt`, 60),
    foreign(`${log}/${old}/000000000000-000000000100.tmp`, 60),
    foreign(`${log}/${old}/editor.0123456789ab.tmp`, 60),
    foreign('base/20261117T000000Z-0000000b/README', 60),
  ]
  // A link with the name of a file of ours is none.
  const link = unfinished(`${log}/${old}/000000000300-000000000400`, 60).replace(
    '000000000300',
    '000000000200',
  )
  symlinkSync(at(files[0] ?? ''), at(link))
  const reported = [...files, link].sort()
  expect(await swept()).toEqual(reported)
  expect(reported.filter((name) => !existsSync(at(name)))).toEqual([])
  expect(await target.list(`${log}/${old}/`)).toEqual([`${log}/${old}/notes.txt`])
  // Where no backup goes on, nothing is looked at.
  foreign('lost+found/notes.tmp', 60)
  foreign('base/copy/notes.txt', 60)
  expect(await swept()).toEqual(reported)
  expect(statSync(at('base/copy/notes.txt')).isFile()).toBe(true)
})

it('two sweeps at once end as one does', async () => {
  for (let n = 0; n < 20; n++) unfinished(`${log}/${old}/${String(n).padStart(12, '0')}-000000000200`, 60)
  await Promise.all([swept(), swept(), swept()])
  expect(existsSync(at(`${log}/${old}`))).toBe(false)
  expect(await target.list('base/')).toHaveLength(1)
})
