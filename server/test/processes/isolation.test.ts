import { spawnSync } from 'node:child_process'
import { mkdir, readdir, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { chooseUser } from '../../src/postgres/run-as.ts'
import { readSettings } from '../../src/settings/settings.ts'
import { checkWalletPlace, nodeFlags, processEnv, type User } from '../../src/wire/isolation.ts'
import { runSluice } from '../support/processes/sluice-process.ts'
import { makeTemporaryFolder, type TemporaryFolder } from '../support/processes/temporary-folder.ts'

// What the processes of a running service may do: `hostile-api.test.ts`; one role alone: `roles.test.ts`.
const isRoot = process.getuid?.() === 0
const probe = fileURLToPath(new URL('./open-wallet-child.ts', import.meta.url))
const checkout = fileURLToPath(new URL('../../../', import.meta.url))
const refusals =
  /^(ERR_ACCESS_DENIED|ERR_DLOPEN_DISABLED|ERR_UNKNOWN_BUILTIN_MODULE|EPERM|never was another|nothing found)$/

let folder: TemporaryFolder
let env: Record<string, string>

beforeEach(async () => {
  folder = await makeTemporaryFolder("sluice a b'c ü ")
  env = {
    SLUICE_DATA_DIR: join(folder.path, 'data'),
    SLUICE_WALLET_PASSPHRASE: 'correct horse battery staple',
    SLUICE_WALLET_KEY_FILE: join(folder.path, 'wallet-key'),
  }
})
afterEach(() => folder.remove())

/** Runs the probe exactly as a process of the service is run. */
function tryToRead(path: string, user: User | null, part: 'service' | 'signer' = 'service') {
  const settings = readSettings(env)
  const given = JSON.stringify({ path, readable: probe, user })
  const { stdout, stderr } = spawnSync(process.execPath, [...nodeFlags(part, settings, env), probe, given], {
    env: processEnv(part, { PATH: process.env.PATH, ...env }),
    encoding: 'utf8',
  })
  if (stdout === '') throw new Error(stderr)
  return JSON.parse(stdout) as {
    came: Record<string, string>
    permitted: boolean
    uid: number
    env: Record<string, string>
  }
}

describe('the wallet is out of reach of API and worker', () => {
  it.each(
    isRoot ? (['as its owner', 'as the user that root makes them'] as const) : (['as its owner'] as const),
  )('code inside a process finds no way in, run %s', async (how) => {
    const wallet = join(env.SLUICE_DATA_DIR ?? '', 'wallet')
    await mkdir(wallet, { recursive: true })
    const path = join(wallet, 'test-wallet.json')
    await writeFile(path, '{"words":"abandon"}', { mode: 0o600 })
    const user = how === 'as its owner' ? null : await chooseUser(null)
    const found = tryToRead(path, user)
    expect(Object.keys(found.came).length).toBeGreaterThan(40)
    const got = Object.entries(found.came).filter(([, what]) => !refusals.test(what))
    // Another user cannot even see that the file exists.
    const unseen = /MODULE_NOT_FOUND$/
    expect(got.filter(([, what]) => user === null || !unseen.test(what))).toEqual([])
    expect(JSON.stringify(found)).not.toContain('abandon')
    expect(found.permitted).toBe(true)
    expect(found.uid).toBe(user?.uid ?? process.getuid?.())
    expect(Object.keys(found.env)).not.toContain('SLUICE_WALLET_PASSPHRASE')
    expect(Object.keys(found.env)).not.toContain('SLUICE_WALLET_KEY_FILE')
    expect(await readdir(wallet)).toEqual(['test-wallet.json'])
    // The ways are real: the signer can use them.
    if (user === null) expect(tryToRead(path, null, 'signer').came.readFile).toContain('abandon')
    if (user !== null) {
      const plain = spawnSync('cat', [path], { uid: user.uid, gid: user.gid, encoding: 'utf8' })
      expect([plain.status, plain.stdout]).toEqual([1, ''])
    }
  })

  it('a wallet among the code, which every process can read, is refused', async () => {
    const keyFile = join(checkout, 'server/package.json')
    const places = ['server/data', 'node_modules/data', 'node_modules/sluice/data']
    const wrong = [
      ...places.map((place) => ({ SLUICE_DATA_DIR: join(checkout, place) })),
      { SLUICE_WALLET_KEY_FILE: keyFile },
    ]
    for (const each of wrong) {
      const given = { ...env, ...each }
      await expect(checkWalletPlace(readSettings(given), given)).rejects.toThrow('Move it elsewhere')
    }
    const dataDir = join(checkout, places.at(-1) ?? '')
    const refused = await runSluice(['start', '--json'], { ...env, SLUICE_DATA_DIR: dataDir })
    expect(refused.code).toBe(1)
    expect(refused.stderr).toContain('Move it elsewhere')
    await expect(stat(dataDir)).rejects.toThrow('ENOENT')
  })
})
