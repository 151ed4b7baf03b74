import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { makeDataFolder } from '../support/processes/data-folder.ts'
import { factsOf, processTree } from '../support/processes/process-tree.ts'
import { runCommand } from '../support/processes/run-command.ts'
import { runSluice, type SluiceProcess, startSluice } from '../support/processes/sluice-process.ts'
import { makeTemporaryFolder, type TemporaryFolder } from '../support/processes/temporary-folder.ts'

const passphrase = 'correct horse battery staple'

let folder: TemporaryFolder
let running: SluiceProcess | null
let env: Record<string, string>
beforeEach(async () => {
  folder = await makeTemporaryFolder()
  await mkdir(join(folder.path, 'tmp'))
  running = null
  // A temporary folder of its own shows what is left there.
  env = { SLUICE_DATA_DIR: join(folder.path, 'data'), TMPDIR: join(folder.path, 'tmp') }
  await makeDataFolder(env.SLUICE_DATA_DIR ?? '')
})
afterEach(async () => {
  await running?.end('SIGTERM')
  await folder.remove()
})

const initTest = ['wallet', 'init', '--environment', 'test', '--json']

/** Where the passphrase can be read in the processes of a service, by anyone of their user. */
function exposures({ child }: SluiceProcess): string[] {
  return processTree(child.pid ?? 0).flatMap((pid) =>
    (['environ', 'cmdline'] as const)
      .filter((name) => factsOf(pid, name).includes(passphrase))
      .map((name) => `${name} of ${factsOf(pid, 'cmdline').replaceAll('\0', ' ')}`),
  )
}

describe('a passphrase', () => {
  it('in the environment is accepted for the test environment with a warning, and leaves it: no process shows it, and another opens nothing', async () => {
    const set = { ...env, SLUICE_WALLET_PASSPHRASE: passphrase }
    expect((await runCommand(initTest, set)).code).toBe(0)
    running = await startSluice(set)
    const tree = processTree(running.child.pid ?? 0)
    // The supervisor, the service, the signer, the database and its own processes.
    expect(tree.length).toBeGreaterThan(5)
    expect(exposures(running)).toEqual([])
    expect(running.stderr()).toContain('SLUICE_WALLET_PASSPHRASE_FILE')
    expect((await fetch(`${running.ready.url}/healthz`)).status).toBe(200)
    expect((await readdir(env.TMPDIR ?? '')).filter((name) => name.startsWith('sluice'))).toEqual([])
    // The signer, when it starts again, still gets it.
    expect(running.stderr()).not.toContain(passphrase)
    await running.end('SIGTERM')
    // In a file it opens the wallet too (`hostile-api.test.ts`); another one there does not.
    const wrong = join(folder.path, 'wrong')
    await writeFile(wrong, 'something else entirely')
    const refused = await runSluice(['start', '--role', 'signer'], {
      ...env,
      SLUICE_WALLET_PASSPHRASE_FILE: wrong,
    })
    expect(refused.stderr).toContain('is not the passphrase it was encrypted with')
  })

  it('in the environment is refused where live money is, with the way out', async () => {
    const set = { ...env, SLUICE_WALLET_PASSPHRASE: passphrase }
    const wayOut = 'Put the passphrase in a file that only the signer’s user can read'
    const made = await runCommand(['wallet', 'init', '--json'], set)
    expect([made.code, made.stdout]).toEqual([1, ''])
    expect(made.stderr).toContain(wayOut)

    const wallet = join(env.SLUICE_DATA_DIR ?? '', 'wallet')
    await mkdir(wallet, { mode: 0o700 })
    await writeFile(join(wallet, 'live-wallet.json'), '{}', { mode: 0o600 })
    const started = await runCommand(['start', '--json'], set)
    expect([started.code, started.stdout]).toEqual([1, ''])
    expect(started.stderr).toContain(wayOut)
    expect(started.stderr).not.toContain(passphrase)
  })
})
