import { execFile, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { chown, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startEmbeddedPostgres } from '../../src/postgres/embedded.ts'
import { canAccess } from '../../src/postgres/run-as.ts'
import { readSettings } from '../../src/settings/settings.ts'
import { nodeFlags, processEnv, type User } from '../../src/wire/isolation.ts'
import { makeDataFolder } from '../support/processes/data-folder.ts'
import { argsOf, groupsOf, uidsOf } from '../support/processes/process-facts.ts'
import { factsOf, processTree } from '../support/processes/process-tree.ts'
import {
  childrenOf,
  runSluice,
  type SluiceProcess,
  startSluice,
} from '../support/processes/sluice-process.ts'
import { makeTemporaryFolder, type TemporaryFolder } from '../support/processes/temporary-folder.ts'

const hostile = fileURLToPath(new URL('./hostile-child.ts', import.meta.url))
const isRoot = process.getuid?.() === 0
const nobody = { uid: 65534, gid: 65534 }
const canBecomeOrdinary = !isRoot || (await canAccess({ ...nobody, drop: true }, hostile, 'r'))

/** Refused by Node, by the kernel or by PostgreSQL (no permission, wrong password, no such extension). */
const refusals =
  /^(ERR_ACCESS_DENIED|ERR_DLOPEN_DISABLED|ERR_UNKNOWN_BUILTIN_MODULE|EPERM|EACCES|ECONNREFUSED|42501|28P01|0A000|MODULE_NOT_FOUND|never was another|nothing found|nothing was written|No such (module|binding): .*)$/

const [givenKey, given] = ['ab'.repeat(32), 'correct horse battery staple']

let folder: TemporaryFolder
let env: Record<
  'SLUICE_DATA_DIR' | 'SLUICE_CONFIG' | 'SLUICE_WALLET_KEY_FILE' | 'SLUICE_WALLET_PASSPHRASE_FILE',
  string
>
let service: SluiceProcess

async function start(starter: Partial<User> | null): Promise<void> {
  folder = await makeTemporaryFolder("sluice a b'c ü ")
  const dataDir = join(folder.path, 'data')
  env = {
    SLUICE_DATA_DIR: dataDir,
    // Files that it is given may be inside the data folder as well.
    SLUICE_CONFIG: join(dataDir, 'config.json'),
    SLUICE_WALLET_KEY_FILE: join(dataDir, 'key-of-wallet'),
    SLUICE_WALLET_PASSPHRASE_FILE: join(folder.path, 'passphrase'),
  }
  await makeDataFolder(dataDir)
  await writeFile(env.SLUICE_CONFIG, JSON.stringify({ addresses: { ready: 20 } }))
  await writeFile(env.SLUICE_WALLET_KEY_FILE, givenKey, { mode: 0o600 })
  await writeFile(env.SLUICE_WALLET_PASSPHRASE_FILE, given, { mode: 0o600 })
  if (starter?.uid !== undefined)
    expect(spawnSync('chown', ['-R', `${starter.uid}:${starter.gid}`, folder.path]).status).toBe(0)
  service = await startSluice(env, [], starter ?? {}, await allowingCoreDumps())
}

async function end(): Promise<void> {
  await service?.end('SIGTERM')
  await folder?.remove()
}

const core = /^Max core file size\s+(\S+)\s+(\S+)/m

/** A shell that allows core dumps, as many systems do, and runs a command. */
async function allowingCoreDumps(): Promise<readonly string[]> {
  const shell = ['sh', '-c', 'ulimit -c unlimited; exec "$@"', 'sh'] as const
  const [program, ...args] = shell
  const { stdout: allowed } = await promisify(execFile)(program, [...args, 'cat', '/proc/self/limits'])
  expect(core.exec(allowed)?.slice(1)).toEqual(['unlimited', 'unlimited'])
  return shell
}

const pidOf = (role: string) => childrenOf(service.child).find((each) => each.role === role)?.pid ?? 0

async function databaseUser(): Promise<User> {
  const { uid, gid } = await stat(join(env.SLUICE_DATA_DIR, 'postgres'))
  return { uid, gid }
}

/** The tests of each run in this order on one service: starting one takes longer than most of them. */
describe.runIf(isRoot)('if root started the service', () => {
  beforeAll(() => start(null))
  afterAll(end)

  it('the processes have exactly these flags and this environment, and no secret', hasExactlyTheseFlags)

  it('database, wallet and API each have a user of their own, and of the database’s group only the socket is in reach', async () => {
    const database = await databaseUser()
    const wallet = await stat(join(env.SLUICE_DATA_DIR, 'wallet'))
    expect(await uidsOf(pidOf('signer'))).toEqual(new Set([wallet.uid]))
    const [uid = 0, ...further] = await uidsOf(pidOf('service'))
    expect(further).toEqual([])
    expect(new Set([0, database.uid, wallet.uid, uid]).size).toBe(4)
    expect(await groupsOf(pidOf('signer'))).toEqual(new Set([wallet.gid, database.gid]))
    expect(await groupsOf(pidOf('service'))).toEqual(new Set([uid, database.gid]))
    // What root creates belongs to root, including the key that the service is given; so it was in earlier versions.
    expect((await stat(join(env.SLUICE_DATA_DIR, 'secret-key'))).uid).toBe(0)
  })

  it('none leaves a core dump, the database’s included', leavesNoCoreDump)

  it('native code in the API process gets nothing of the signer’s', () => {
    expect(nativeCodeGets()).toEqual([])
  })

  it('an attacker’s code in the API process gets nowhere', () => attack(null))

  it(
    'no process opens a debugger when another tells it to, and Ctrl-C, which a terminal sends to every process, is an orderly stop',
    endsInOrder,
  )

  it('a wallet that root or the API’s user owned passes to the signer’s user, who keeps it', async () => {
    const wallet = join(env.SLUICE_DATA_DIR, 'wallet')
    const { uid, gid } = await stat(wallet)
    const files = [wallet, ...(await readdir(wallet)).map((name) => join(wallet, name))]
    expect(files.length).toBeGreaterThan(4)
    const owners = async () => new Set(await Promise.all(files.map(async (path) => (await stat(path)).uid)))
    expect(await owners()).toEqual(new Set([uid]))
    // Root has the folder and every other file, the user of earlier versions the rest.
    const before = [{ uid: 0, gid: 0 }, await databaseUser()]
    for (const [nth, path] of files.entries()) {
      const owner = before[nth % 2] as User
      await chown(path, owner.uid, owner.gid)
    }
    service = await startSluice(env)
    expect(await owners()).toEqual(new Set([uid]))
    expect(await uidsOf(pidOf('signer'))).toEqual(new Set([uid]))
    await service.end('SIGTERM')
    // What root's commands add there is the signer's as well.
    const { SLUICE_DATA_DIR } = env
    const made = await runSluice(
      ['wallet', 'init', '--environment', 'live', '--key-file', `${wallet}-key`, '--json'],
      { SLUICE_DATA_DIR },
    )
    expect(made.code, made.stderr).toBe(0)
    expect(await stat(join(wallet, 'live-wallet.json'))).toMatchObject({ uid, gid, mode: 0o100600 })
  })
})

describe.runIf(canBecomeOrdinary)('if an ordinary user started the service', () => {
  const starter: Partial<User> = isRoot ? nobody : {}
  beforeAll(() => start(starter))
  afterAll(end)

  it('every process is run as that user, and they are just as restricted', async () => {
    await hasExactlyTheseFlags()
    const own = starter.uid ?? process.getuid?.()
    for (const role of ['signer', 'service']) expect(await uidsOf(pidOf(role))).toEqual(new Set([own]))
    expect((await stat(join(env.SLUICE_DATA_DIR, 'wallet'))).uid).toBe(own)
    expect((await stat(join(env.SLUICE_DATA_DIR, 'secret-key'))).uid).toBe(own)
  })

  it.runIf(!isRoot)('none leaves a core dump, the database’s included', leavesNoCoreDump)

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

  it.runIf(!isRoot)('no process opens a debugger, and Ctrl-C is an orderly stop', endsInOrder)
})

async function hasExactlyTheseFlags(): Promise<void> {
  const [api, signer] = [pidOf('service'), pidOf('signer')]
  const settings = readSettings(env)
  const apiArgs = await argsOf(api)
  expect(apiArgs.slice(1, -3)).toEqual(nodeFlags('service', settings, env))
  expect((await argsOf(signer)).slice(1, -3)).toEqual(nodeFlags('signer', settings, env))
  expect(apiArgs.filter((arg) => arg.includes('--allow') && arg.includes(settings.dataDir))).toEqual([
    `--allow-fs-read=${env.SLUICE_CONFIG}`,
  ])
  expect(apiArgs.filter((arg) => /--allow-(?!fs-read)/.test(arg))).toEqual([])
  expect(await readdir(join(settings.dataDir, 'wallet'))).toContain('test-wallet.json')

  expect(factsOf(api, 'environ')).not.toContain('SLUICE_WALLET')
  expect(factsOf(signer, 'environ')).toContain('SLUICE_WALLET_KEY_FILE=')
  const secrets = [
    givenKey,
    given,
    (await readFile(join(settings.dataDir, 'postgres-password'), 'utf8')).trim(),
  ]
  // The supervisor, the service, the signer, the database and its own processes.
  const tree = processTree(service.child.pid ?? 0)
  expect(tree.length).toBeGreaterThan(5)
  for (const pid of tree)
    for (const name of ['cmdline', 'environ'] as const)
      for (const secret of secrets) expect(factsOf(pid, name)).not.toContain(secret)
  // The passphrase is where it should be, and there is nothing to warn of.
  expect(service.stderr()).not.toContain('SLUICE_WALLET_PASSPHRASE')
}

async function leavesNoCoreDump(): Promise<void> {
  const tree = processTree(service.child.pid ?? 0)
  expect(tree.filter((pid) => factsOf(pid, 'cmdline').includes('postgres')).length).toBeGreaterThan(1)
  const limits = tree.map((pid) => core.exec(factsOf(pid, 'limits'))?.slice(1).join(' '))
  expect(new Set(limits)).toEqual(new Set(['0 0']))
}

async function endsInOrder(): Promise<void> {
  const ours = [service.child.pid ?? 0, pidOf('service'), pidOf('signer')]
  for (const pid of ours) process.kill(pid, 'SIGUSR1')
  expect((await fetch(`${service.ready.url}/healthz`)).status).toBe(200)
  const postmaster = join(env.SLUICE_DATA_DIR, 'postgres', 'postmaster.pid')
  const all = [...ours, Number.parseInt(await readFile(postmaster, 'utf8'), 10)]
  const exit = once(service.child, 'exit')
  service.signalAll('SIGINT')
  // It also shows that the first signal has ended no process.
  expect(await exit).toEqual([0, null])
  expect(all.filter((pid) => existsSync(`/proc/${pid}`))).toEqual([])
  expect(service.stderr()).toContain('"msg":"stopped"')
  expect(service.stderr()).not.toContain('"level":50')
  expect(service.stderr()).not.toContain('Debugger')
}

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
  const dataDir = env.SLUICE_DATA_DIR
  const secrets: string[] = [givenKey, given]
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
