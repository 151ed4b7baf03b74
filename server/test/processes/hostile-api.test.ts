import { execFile, spawnSync } from 'node:child_process'
import { readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startEmbeddedPostgres } from '../../src/postgres/embedded.ts'
import { canAccess } from '../../src/postgres/run-as.ts'
import { readSettings } from '../../src/settings/settings.ts'
import { nodeFlags, processEnv, type User } from '../../src/wire/isolation.ts'
import { makeDataFolder } from '../support/processes/data-folder.ts'
import { factsOf, processTree } from '../support/processes/process-tree.ts'
import { childrenOf, type SluiceProcess, startSluice } from '../support/processes/sluice-process.ts'
import { makeTemporaryFolder, type TemporaryFolder } from '../support/processes/temporary-folder.ts'

const hostile = fileURLToPath(new URL('./hostile-child.ts', import.meta.url))
const isRoot = process.getuid?.() === 0
const nobody = { uid: 65534, gid: 65534 }
const canBecomeOrdinary = !isRoot || (await canAccess({ ...nobody, drop: true }, hostile, 'r'))

/** Refused by Node, by the kernel or by PostgreSQL (no permission, wrong password, no such extension). */
const refusals =
  /^(ERR_ACCESS_DENIED|ERR_DLOPEN_DISABLED|ERR_UNKNOWN_BUILTIN_MODULE|EPERM|EACCES|ECONNREFUSED|42501|28P01|0A000|MODULE_NOT_FOUND|never was another|nothing found|nothing was written|No such (module|binding): .*)$/

const given = ['ab'.repeat(32), 'correct horse battery staple'] as const

let folder: TemporaryFolder
let env: Record<'SLUICE_DATA_DIR' | 'SLUICE_WALLET_KEY_FILE' | 'SLUICE_WALLET_PASSPHRASE_FILE', string>
let service: SluiceProcess | null = null

async function start(starter: Partial<User> | null): Promise<void> {
  folder = await makeTemporaryFolder()
  env = {
    SLUICE_DATA_DIR: join(folder.path, 'data'),
    SLUICE_WALLET_KEY_FILE: join(folder.path, 'wallet-key'),
    SLUICE_WALLET_PASSPHRASE_FILE: join(folder.path, 'passphrase'),
  }
  await makeDataFolder(env.SLUICE_DATA_DIR)
  await writeFile(env.SLUICE_WALLET_KEY_FILE, given[0], { mode: 0o600 })
  await writeFile(env.SLUICE_WALLET_PASSPHRASE_FILE, given[1], { mode: 0o600 })
  if (starter?.uid !== undefined)
    expect(spawnSync('chown', ['-R', `${starter.uid}:${starter.gid}`, folder.path]).status).toBe(0)
  service = await startSluice(env, [], starter ?? {})
}

async function end(): Promise<void> {
  await service?.end('SIGTERM')
  service = null
  await folder?.remove()
}

const pidOf = (role: string) =>
  childrenOf(service?.child as never).find((each) => each.role === role)?.pid ?? 0

describe.runIf(isRoot)('if root started the service', () => {
  beforeAll(() => start(null))
  afterAll(end)

  it('native code in the API process gets nothing of the signer’s', () => {
    expect(nativeCodeGets()).toEqual([])
  })

  it('an attacker’s code in the API process gets nowhere', () => attack(null))
})

describe.runIf(canBecomeOrdinary)('if an ordinary user started the service', () => {
  const starter = isRoot ? nobody : {}
  beforeAll(() => start(starter))
  afterAll(end)

  it.runIf(isRoot)(
    'native code in the API process gets everything of the signer’s: run the signer as another user',
    () => {
      expect(nativeCodeGets()).toEqual([
        'the environment of the signer',
        'the memory map of the signer',
        'the wallet',
        'the wallet, as the signer sees it',
        'the key file',
      ])
    },
  )

  it('an attacker’s code in the API process gets nowhere', () => attack(starter))
})

/**
 * What native code in the API process would get at: Node's permission model, which keeps JavaScript from all of this, is
 * no boundary for it. It is played by programs of that process's user.
 */
function nativeCodeGets(): string[] {
  const status = factsOf(pidOf('service'), 'status')
  const uid = Number(/^Uid:\s+(\d+)/m.exec(status)?.[1])
  const gid = Number(/^Gid:\s+(\d+)/m.exec(status)?.[1])
  const signer = `/proc/${pidOf('signer')}`
  const wallet = join(env.SLUICE_DATA_DIR, 'wallet', 'test-wallet.json')
  const ways = {
    'the environment of the signer': `${signer}/environ`,
    'the memory map of the signer': `${signer}/maps`,
    'the wallet': wallet,
    'the wallet, as the signer sees it': `${signer}/root${wallet}`,
    'the key file': env.SLUICE_WALLET_KEY_FILE,
  }
  return Object.entries(ways)
    .filter(([, path]) => spawnSync('head', ['-c', '1', path], { uid, gid }).stdout.length > 0)
    .map(([name]) => name)
}

async function attack(starter: Partial<User> | null): Promise<void> {
  if (service === null) throw new Error('The service was not started.')
  const dataDir = env.SLUICE_DATA_DIR
  const secrets: string[] = [...given]
  const supervisor = service.child.pid ?? 0
  const before = processTree(supervisor)
  const postmaster = before.find((pid) => factsOf(pid, 'cmdline').includes('unix_socket')) ?? 0
  expect([pidOf('signer'), pidOf('service'), postmaster]).not.toContain(0)

  // The owner may read what the attacker must not.
  const wallet = join(dataDir, 'wallet', 'test-wallet.json')
  secrets.push(JSON.parse(await readFile(wallet, 'utf8')).words)
  for (const name of ['postgres-password', 'secret-key'])
    secrets.push((await readFile(join(dataDir, name), 'utf8')).trim())
  const guest = await startEmbeddedPostgres({ dataDir, purpose: 'command', log: () => {} })
  secrets.push(new URL(guest.ownerUrl).password)

  const status = factsOf(pidOf('service'), 'status')
  const user = {
    uid: Number(/^Uid:\s+(\d+)/m.exec(status)?.[1]),
    gid: Number(/^Gid:\s+(\d+)/m.exec(status)?.[1]),
    groups: /^Groups:\t(.*)$/m.exec(status)?.[1]?.trim().split(/\s+/).filter(Boolean).map(Number) ?? [],
  }
  const files = [
    wallet,
    join(dataDir, 'wallet', 'test-journal.jsonl'),
    join(dataDir, 'wallet', 'test-passkeys.jsonl'),
    env.SLUICE_WALLET_KEY_FILE,
    env.SLUICE_WALLET_PASSPHRASE_FILE,
    join(dataDir, 'postgres-password'),
    join(dataDir, 'secret-key'),
    join(dataDir, 'postgres', 'pg_hba.conf'),
  ]
  for (const path of files) expect((await stat(path)).isFile(), path).toBe(true)
  const orders = JSON.stringify({
    user: starter === null ? user : null,
    files,
    processes: { supervisor, signer: pidOf('signer'), postmaster },
    dataDir,
    databaseUrl: guest.url,
  })
  // Exactly as the process of the API is run.
  const flags = nodeFlags('service', readSettings(env), env)
  expect(
    factsOf(pidOf('service'), 'cmdline')
      .split('\0')
      .slice(1, 1 + flags.length),
  ).toEqual(flags)
  const { stdout } = await promisify(execFile)(process.execPath, [...flags, hostile, orders], {
    ...starter,
    cwd: '/',
    env: processEnv('service', { PATH: process.env.PATH, ...env }),
    maxBuffer: 10_000_000,
  })
  const found = JSON.parse(stdout) as { came: Record<string, string>; works: string; uid: number }
  expect(Object.entries(found.came).filter(([, what]) => !refusals.test(what))).toEqual([])
  expect(Object.keys(found.came).length).toBeGreaterThan(150)
  for (const secret of secrets) expect(stdout).not.toContain(secret)
  // It was no weaker than the real one.
  expect(found.works).toContain('sluice_service')
  expect(found.uid).toBe(user.uid)

  // Nothing was changed, ended or opened by it.
  expect(await readFile(wallet, 'utf8')).toContain(secrets[2])
  expect(await readdir(dataDir)).not.toContain('mine')
  expect([supervisor, pidOf('signer'), pidOf('service')].every((pid) => before.includes(pid))).toBe(true)
  expect((await fetch(`${service.ready.url}/healthz`)).status).toBe(200)
  expect(service.stderr()).not.toContain('Debugger')
}
