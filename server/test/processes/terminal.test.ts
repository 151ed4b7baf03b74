import { readdir, readlink } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { makeTemporaryFolder, type TemporaryFolder } from '../support/processes/temporary-folder.ts'
import { linesOf, runInTerminal } from '../support/processes/terminal.ts'

const rounds = Number(process.env.SLUICE_CTRL_C ?? 1)
const root = join(import.meta.dirname, '../../..')

let folder: TemporaryFolder
let env: NodeJS.ProcessEnv
beforeEach(async () => {
  folder = await makeTemporaryFolder()
  const { PATH, HOME } = process.env
  const SLUICE_CONFIG = join(import.meta.dirname, '../support/processes/few-addresses.json')
  const SLUICE_DATA_DIR = join(folder.path, 'data')
  env = { PATH, HOME, PORT: '0', SLUICE_METRICS_PORT: '0', SLUICE_CONFIG, SLUICE_DATA_DIR, TERM: 'xterm' }
})
afterEach(() => folder.remove())

/** The processes whose working folder is inside the test's folder, such as a PostgreSQL in its cluster. */
async function leftRunning(): Promise<string[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
  const places = await Promise.all(pids.map((pid) => readlink(`/proc/${pid}/cwd`).catch(() => '')))
  return pids.filter((_, n) => places[n]?.startsWith(folder.path))
}

it(`the first screen is short and ends with key and login, and Ctrl-C ends it cleanly, in each round of ${rounds}: one line, and no process is left`, async () => {
  for (let round = 0; round < rounds; round++) {
    // A first start, which also creates the database.
    const SLUICE_DATA_DIR = join(folder.path, `first ${round}`)
    const { before, after, code } = await runInTerminal(['npm', 'start'], 'Password', {
      cwd: root,
      env: { ...env, SLUICE_DATA_DIR },
    })
    expect([0, 130], before + after).toContain(code)
    const shown = linesOf(before)
    expect(before).not.toMatch(/\{"level"|EBADENGINE|0001_/)
    expect(shown.length, before).toBeLessThan(25)
    expect(shown.slice(-6).join('\n')).toMatch(
      /Demo shop.*\n.*sk_test_[0-9a-f]{64}.*\n.*\/dashboard.*\n.*demo@example/,
    )
    // A busy machine takes so long that it also reports that it is stopping.
    const lines = linesOf(after.slice(after.indexOf('^C'))).filter((line) => !line.includes(' stopping: '))
    expect(lines).toEqual([expect.stringMatching(/^\d\d:\d\d:\d\d stopped$/)])
    expect(await leftRunning()).toEqual([])
  }
})

it('Ctrl-C during the start is a clean end too', async () => {
  const early = await runInTerminal(['npm', 'start'], 'Creating a new database', { cwd: root, env })
  expect([0, 130], early.before + early.after).toContain(early.code)
  expect(early.after).not.toMatch(/Error|\bat .*:\d+:\d+/)
  expect(await leftRunning()).toEqual([])
})
