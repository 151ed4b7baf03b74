import { expect, it } from 'vitest'
import { noteStatus, readStatus } from '../../src/backup/status.ts'
import { judgeOwnBackups } from '../../src/wire/doctor/check-backups.ts'
import { makeTemporaryFolder } from '../support/processes/temporary-folder.ts'

const now = new Date('2026-11-18T12:00:00Z')
const ago = (hours: number) => new Date(now.getTime() - hours * 3_600_000).toISOString()
const fresh = { baseAt: ago(10), storedAt: ago(0.01), verifiedAt: ago(100), verifiedOk: true }

it.each([
  ['null', false, {}],
  ['problem', true, {}],
  ['ok', true, fresh],
  ['ok', false, fresh],
  ['warning', true, { ...fresh, verifiedAt: ago(24 * 40) }],
  ['warning', true, { baseAt: fresh.baseAt, storedAt: fresh.storedAt }],
  ['problem', true, { ...fresh, verifiedOk: false }],
  ['warning', true, { ...fresh, storedAt: ago(30) }],
  ['problem', true, { ...fresh, storedAt: ago(24 * 4) }],
  ['warning', true, { ...fresh, baseAt: ago(24 * 9) }],
  ['problem', true, { ...fresh, baseAt: ago(24 * 31) }],
] as const)('the doctor says %s: wanted %s, %j', (state, isWanted, status) => {
  expect(judgeOwnBackups(isWanted, status, now)?.state ?? 'null').toBe(state)
})

it('news are added to what was noted before, and a folder that is missing is left alone', async () => {
  const folder = await makeTemporaryFolder()
  try {
    await noteStatus(folder.path, { baseAt: ago(1) })
    await noteStatus(folder.path, { storedAt: ago(0) })
    expect(await readStatus(folder.path)).toEqual({ baseAt: ago(1), storedAt: ago(0) })
    await noteStatus(`${folder.path}/missing`, { storedAt: ago(0) })
    expect(await readStatus(`${folder.path}/missing`)).toEqual({})
  } finally {
    await folder.remove()
  }
})
