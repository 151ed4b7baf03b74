import { symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { compare, runTests } from '../../scripts/run-tests.ts'
import { makeTemporaryFolder, type TemporaryFolder } from './support/processes/temporary-folder.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))

let folder: TemporaryFolder
beforeEach(async () => {
  folder = await makeTemporaryFolder()
  await symlink(join(root, 'node_modules'), join(folder.path, 'node_modules'))
  await write('vitest.config.ts', 'export default { test: { isolate: false } }')
})
afterEach(() => folder.remove())

const file = { project: 'unit', path: 'some.test.ts', seconds: 1, isBroken: false, tests: [] }

const write = (name: string, text: string) => writeFile(join(folder.path, name), text)

/** A test file. In it `isFirst(mark)` is true only the first time that it is called, over all runs. */
const writeTests = (name: string, text: string) =>
  write(
    `${name}.test.ts`,
    `import { existsSync, writeFileSync } from 'node:fs'
     import { beforeAll, expect, it } from 'vitest'
     const isFirst = (mark: string) => {
       if (existsSync(mark)) return false
       writeFileSync(mark, '')
       return true
     }
     ${text}`,
  )

it('runs a failed test once more: if it then passes it is flaky, otherwise it has failed', async () => {
  await writeTests('sound', `it('holds', () => {})`)
  await writeTests(
    'mixed',
    `it('holds', () => {})
     it('at times', () => expect(isFirst('a')).toBe(false))
     it('never', async () => {
       Promise.reject(new Error('not awaited'))
       await new Promise((resolve) => setTimeout(resolve, 50))
       expect(1).toBe(2)
     })`,
  )
  await writeTests(
    'hook',
    `beforeAll(() => { if (isFirst('b')) throw new Error('the first time') })
     it('is not reached', () => {})`,
  )
  const { slowest, ...outcome } = await runTests(folder.path, 'ignore')
  expect(outcome).toEqual({
    passed: 4,
    failed: [
      'mixed.test.ts: never\n    expected 1 to be 2 // Object.is equality',
      'mixed.test.ts: an error outside its tests\n    not awaited',
    ],
    flaky: [
      'hook.test.ts: an error outside its tests\n    the first time',
      'mixed.test.ts: at times\n    expected true to be false // Object.is equality',
    ],
  })
  expect(slowest.map(({ name }) => name).sort()).toEqual(['hook.test.ts', 'mixed.test.ts', 'sound.test.ts'])
})

it('fails a run that finds no tests', async () => {
  expect((await runTests(folder.path, 'ignore')).failed).toEqual(['the test run itself'])
})

it('treats a test that the second run did not reach as failed', () => {
  const first = { ...file, tests: [{ name: 'one', state: 'failed' as const }] }
  const failed = ['some.test.ts (unit): one']
  expect(compare(first, null)).toEqual({ recovered: 0, failed, flaky: [] })
  expect(compare(first, { ...file, tests: [{ name: 'one', state: 'skipped' }] }).failed).toEqual(failed)
  expect(compare(first, file).failed).toEqual(failed)
})

it('reports a test that failed only in the second run as flaky', () => {
  const first = {
    ...file,
    tests: [
      { name: 'one', state: 'failed' as const },
      { name: 'two', state: 'passed' as const },
    ],
  }
  const again = {
    ...file,
    tests: [
      { name: 'one', state: 'passed' as const },
      { name: 'two', state: 'failed' as const },
    ],
  }
  expect(compare(first, again)).toEqual({
    recovered: 1,
    failed: [],
    flaky: ['some.test.ts (unit): one', 'some.test.ts (unit): two'],
  })
})
