import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { folderTarget } from '../../src/backup/folder-target.ts'
import { makeTemporaryFolder, type TemporaryFolder } from '../support/processes/temporary-folder.ts'

let folder: TemporaryFolder
beforeEach(async () => {
  folder = await makeTemporaryFolder()
})
afterEach(async () => {
  await folder.remove()
})

it('what a killed process left unfinished is no object, and goes with the last object beside it', async () => {
  const target = folderTarget(folder.path)
  const [first, last] = ['log/1/piece', 'log/1/whole']
  for (const name of [first, last]) await target.write(name, Buffer.from(name))
  const unfinished = join(folder.path, 'log/1/other.0123456789ab.tmp')
  writeFileSync(unfinished, '')
  expect(await target.list('log/')).toEqual([first, last])
  await target.remove(first)
  // Another object may be on its way beside it.
  expect(existsSync(unfinished)).toBe(true)
  await target.remove(last)
  expect(existsSync(join(folder.path, 'log'))).toBe(false)
})
