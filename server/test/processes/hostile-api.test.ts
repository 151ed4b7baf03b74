import { execFile } from 'node:child_process'
import { chown, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { startEmbeddedPostgres } from '../../src/postgres/embedded.ts'
import { canAccess } from '../../src/postgres/run-as.ts'
import { readSettings } from '../../src/settings/settings.ts'
import { nodeFlags, processEnv, type User } from '../../src/wire/isolation.ts'
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

let folder: TemporaryFolder
let service: SluiceProcess | null
beforeEach(async () => {
  folder = await makeTemporaryFolder()
  service = null
})
afterEach(async () => {
  await service?.end('SIGTERM')
  await folder.remove()
})

describe('an attacker’s code in the API process', () => {
  it.runIf(isRoot)('gets nowhere if root started the service', () => attack(null))
  it.runIf(canBecomeOrdinary)('gets nowhere if an ordinary user started it', () =>
    attack(isRoot ? nobody : {}),
  )
})

async function attack(starter: Partial<User> | null): Promise<void> {
  const dataDir = join(folder.path, 'data')
  const env = {
    SLUICE_DATA_DIR: dataDir,
    SLUICE_WALLET_KEY_FILE: join(folder.path, 'wallet-key'),
    SLUICE_WALLET_PASSPHRASE_FILE: join(folder.path, 'passphrase'),
  }
  const secrets = ['ab'.repeat(32), 'correct horse battery staple']
  await writeFile(env.SLUICE_WALLET_KEY_FILE, secrets[0] ?? '', { mode: 0o600 })
  await writeFile(env.SLUICE_WALLET_PASSPHRASE_FILE, secrets[1] ?? '', { mode: 0o600 })
  if (starter?.uid !== undefined)
    for (const path of ['', 'wallet-key', 'passphrase'])
      await chown(join(folder.path, path), starter.uid, starter.gid ?? starter.uid)
  service = await startSluice(env, [], starter ?? {})
  const supervisor = service.child.pid ?? 0
  const pidOf = (role: string) =>
    childrenOf(service?.child as never).find((each) => each.role === role)?.pid ?? 0
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
  const given = JSON.stringify({
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
  const { stdout } = await promisify(execFile)(process.execPath, [...flags, hostile, given], {
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
