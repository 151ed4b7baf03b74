import { execFile } from 'node:child_process'
import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
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
  it('in the environment is accepted for the test environment with a warning, and leaves it: no process shows it', async () => {
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
  })

  it('in a file opens the wallet, no process shows it, and none leaves a core dump, the database’s included', async () => {
    const path = join(folder.path, 'passphrase')
    await writeFile(path, `${passphrase}\n`, { mode: 0o600 })
    const set = { ...env, SLUICE_WALLET_PASSPHRASE_FILE: path }
    expect((await runCommand(initTest, set)).code).toBe(0)
    const wrong = join(folder.path, 'wrong')
    await writeFile(wrong, 'something else entirely')
    const refused = await runSluice(['start'], { ...env, SLUICE_WALLET_PASSPHRASE_FILE: wrong })
    expect(refused.stderr).toContain('is not the passphrase it was encrypted with')
    running = await startSluice(set, [], {}, await allowingCoreDumps())
    expect(exposures(running)).toEqual([])
    expect(running.stderr()).not.toContain('SLUICE_WALLET_PASSPHRASE')
    const tree = processTree(running.child.pid ?? 0)
    expect(tree.length).toBeGreaterThan(5)
    expect(tree.filter((pid) => factsOf(pid, 'cmdline').includes('postgres')).length).toBeGreaterThan(1)
    const limits = tree.map((pid) => core.exec(factsOf(pid, 'limits'))?.slice(1).join(' '))
    expect(new Set(limits)).toEqual(new Set(['0 0']))
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
    const started = await runSluice(['start', '--json'], set)
    expect([started.code, started.stdout]).toEqual([1, ''])
    expect(started.stderr).toContain(wayOut)
    expect(started.stderr).not.toContain(passphrase)
  })
})

const core = /^Max core file size\s+(\S+)\s+(\S+)/m

/** A shell that allows core dumps, as many systems do, and runs a command. */
async function allowingCoreDumps(): Promise<readonly string[]> {
  const shell = ['sh', '-c', 'ulimit -c unlimited; exec "$@"', 'sh'] as const
  const [program, ...args] = shell
  const { stdout: allowed } = await promisify(execFile)(program, [...args, 'cat', '/proc/self/limits'])
  expect(core.exec(allowed)?.slice(1)).toEqual(['unlimited', 'unlimited'])
  return shell
}
