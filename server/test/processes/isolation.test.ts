import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { chown, mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { canAccess, chooseUser } from '../../src/postgres/run-as.ts'
import { readSettings } from '../../src/settings/settings.ts'
import { nodeFlags, processEnv, type User } from '../../src/wire/isolation.ts'
import { makeDataFolder } from '../support/processes/data-folder.ts'
import {
  childrenOf,
  runSluice,
  type SluiceProcess,
  startSluice,
} from '../support/processes/sluice-process.ts'
import { makeTemporaryFolder, type TemporaryFolder } from '../support/processes/temporary-folder.ts'

const isRoot = process.getuid?.() === 0
const probe = fileURLToPath(new URL('./open-wallet-child.ts', import.meta.url))
const checkout = fileURLToPath(new URL('../../../', import.meta.url))
const refusals =
  /^(ERR_ACCESS_DENIED|ERR_DLOPEN_DISABLED|ERR_UNKNOWN_BUILTIN_MODULE|EPERM|never was another|nothing found)$/

// Deriving addresses is the most expensive computation of a fresh service.
const fewAddresses = JSON.stringify({ addresses: { ready: 20 } })

let folder: TemporaryFolder
let env: Record<string, string>
let running: SluiceProcess[]

async function prepare(): Promise<void> {
  folder = await makeTemporaryFolder("sluice a b'c ü ")
  env = {
    SLUICE_DATA_DIR: join(folder.path, 'data'),
    SLUICE_CONFIG: join(folder.path, 'config.json'),
    SLUICE_WALLET_PASSPHRASE: 'correct horse battery staple',
    SLUICE_WALLET_KEY_FILE: join(folder.path, 'wallet-key'),
  }
  await writeFile(env.SLUICE_CONFIG as string, fewAddresses)
  running = []
}

async function clear(): Promise<void> {
  for (const service of running) await service.end('SIGTERM')
  await folder.remove()
}

async function start(args: readonly string[] = []): Promise<SluiceProcess> {
  await makeDataFolder(env.SLUICE_DATA_DIR ?? '')
  const service = await startSluice(env, args)
  running.push(service)
  return service
}

const pidOf = (service: SluiceProcess, role: string): number => {
  const found = childrenOf(service.child).find((each) => each.role === role)
  if (found === undefined) throw new Error(`no process runs ${role}`)
  return found.pid
}

/** The uids (real, effective, saved, file system) of every thread of a process. */
async function uidsOf(pid: number): Promise<Set<number>> {
  const threads = await readdir(`/proc/${pid}/task`)
  const states = await Promise.all(threads.map((tid) => readFile(`/proc/${pid}/task/${tid}/status`, 'utf8')))
  return new Set(states.flatMap((text) => /^Uid:\s+(.*)$/m.exec(text)?.[1]?.split(/\s+/).map(Number) ?? []))
}

/** The groups of a process, whichever way it has them. */
async function groupsOf(pid: number): Promise<Set<number>> {
  const text = await readFile(`/proc/${pid}/status`, 'utf8')
  const ids = /^Gid:\s+(.*)\nFDSize:.*\nGroups:\s*(.*)$/m.exec(text)?.slice(1).join(' ') ?? ''
  return new Set(ids.split(/\s+/).filter(Boolean).map(Number))
}

const argsOf = async (pid: number) => (await readFile(`/proc/${pid}/cmdline`, 'utf8')).split('\0')

async function databaseUser(): Promise<User> {
  const { uid, gid } = await stat(join(env.SLUICE_DATA_DIR ?? '', 'postgres'))
  return { uid, gid }
}

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
  beforeEach(prepare)
  afterEach(clear)

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

  it('each role can be a process of its own: API and worker are just as restricted, and only the signer creates the wallet', async () => {
    const wallet = join(env.SLUICE_DATA_DIR ?? '', 'wallet')
    await makeDataFolder(env.SLUICE_DATA_DIR ?? '')
    for (const role of ['api', 'worker']) {
      const service = await startSluice(env, ['--role', role])
      running.unshift(service)
      expect(childrenOf(service.child).map((each) => each.role)).toEqual([role])
      const pid = pidOf(service, role)
      expect((await argsOf(pid)).slice(1, -3)).toEqual(nodeFlags('service', readSettings(env), env))
      if (isRoot) {
        const taken = [0, (await databaseUser()).uid]
        expect([...(await uidsOf(pid))].filter((uid) => taken.includes(uid))).toEqual([])
      }
    }
    await expect(readdir(wallet)).rejects.toThrow('ENOENT')
    const signer = await startSluice(env, ['--role', 'signer'])
    running.unshift(signer)
    expect(signer.ready.url).toBeNull()
    expect(await readdir(wallet)).toContain('test-wallet.json')
    // The database's supervisor, which came first, ends last.
    for (const service of running) expect(await service.end('SIGTERM')).toBe(0)
  })

  it('an ordinary user runs every process as itself, and they are just as restricted', async () => {
    // Root becomes one, unless this checkout is in a private folder.
    const nobody = { uid: 65534, gid: 65534 }
    const reachable = isRoot && (await canAccess({ ...nobody, drop: true }, probe, 'r'))
    const user: Partial<User> = reachable ? nobody : {}
    await makeDataFolder(env.SLUICE_DATA_DIR ?? '')
    if (reachable)
      expect(spawnSync('chown', ['-R', `${nobody.uid}:${nobody.gid}`, folder.path]).status).toBe(0)
    const service = await startSluice(env, [], user)
    running.push(service)
    const api = pidOf(service, 'service')
    const settings = readSettings(env)
    const apiArgs = await argsOf(api)
    expect(apiArgs.slice(1, -3)).toEqual(nodeFlags('service', settings, env))
    expect(apiArgs.filter((arg) => arg.includes('--allow') && arg.includes(settings.dataDir))).toEqual([])
    const own = user.uid ?? process.getuid?.()
    expect(await uidsOf(pidOf(service, 'signer'))).toEqual(new Set([own]))
    if (!isRoot || reachable) expect(await uidsOf(api)).toEqual(new Set([own]))
  })

  it('a wallet among the code, which every process can read, is refused', async () => {
    for (const place of ['server/data', 'node_modules/data', 'node_modules/sluice/data']) {
      const dataDir = join(checkout, place)
      const refused = await runSluice(['start', '--json'], { ...env, SLUICE_DATA_DIR: dataDir })
      expect(refused.code).toBe(1)
      expect(refused.stderr).toContain('Move it elsewhere')
      await expect(stat(dataDir)).rejects.toThrow('ENOENT')
    }
    const keyFile = join(checkout, 'server/package.json')
    const refused = await runSluice(['start', '--json'], { ...env, SLUICE_WALLET_KEY_FILE: keyFile })
    expect(refused.stderr).toContain('Move it elsewhere')
  })
})

/** The tests run in this order on one service: starting one takes longer than all of them. */
describe('the running service', () => {
  beforeAll(async () => {
    await prepare()
    // Files that it is given may be inside the data folder as well.
    const dataDir = env.SLUICE_DATA_DIR as string
    env.SLUICE_CONFIG = join(dataDir, 'config.json')
    env.SLUICE_WALLET_KEY_FILE = join(dataDir, 'key-of-wallet')
    await mkdir(dataDir, { mode: 0o711 })
    await writeFile(env.SLUICE_CONFIG, fewAddresses)
  })
  afterAll(clear)
  let starting: Promise<SluiceProcess> | null = null
  const started = (): Promise<SluiceProcess> => {
    starting ??= start()
    return starting
  }

  it('has exactly these flags, this user and this environment, and only the signer gets the secret', async () => {
    const service = await started()
    const [api, signer] = [pidOf(service, 'service'), pidOf(service, 'signer')]
    const settings = readSettings(env)
    const apiArgs = await argsOf(api)
    expect(apiArgs.slice(1, -3)).toEqual(nodeFlags('service', settings, env))
    expect((await argsOf(signer)).slice(1, -3)).toEqual(nodeFlags('signer', settings, env))
    expect(apiArgs.filter((arg) => arg.includes('--allow') && arg.includes(settings.dataDir))).toEqual([
      `--allow-fs-read=${env.SLUICE_CONFIG}`,
    ])
    expect(apiArgs.filter((arg) => /--allow-(?!fs-read)/.test(arg))).toEqual([])
    expect(await readdir(join(settings.dataDir, 'wallet'))).toContain('test-wallet.json')

    const own = process.getuid?.() ?? 0
    const wallet = await stat(join(settings.dataDir, 'wallet'))
    expect(await uidsOf(signer)).toEqual(new Set([wallet.uid]))
    if (isRoot) {
      const database = await databaseUser()
      const [uid = 0, ...further] = await uidsOf(api)
      expect(further).toEqual([])
      expect(new Set([0, database.uid, wallet.uid, uid]).size).toBe(4)
      // Of the database's group they reach the socket, and nothing else there.
      expect(await groupsOf(signer)).toEqual(new Set([wallet.gid, database.gid]))
      expect(await groupsOf(api)).toEqual(new Set([uid, database.gid]))
    } else {
      expect(wallet.uid).toBe(own)
      expect(await uidsOf(api)).toEqual(new Set([own]))
    }

    const environ = (pid: number) => readFile(`/proc/${pid}/environ`, 'utf8')
    expect(await environ(api)).not.toContain('SLUICE_WALLET')
    expect(await environ(signer)).toContain('SLUICE_WALLET_KEY_FILE=')
    expect(await environ(signer)).not.toContain('correct horse')
    expect((await argsOf(signer)).join(' ')).not.toContain('correct horse')
    const password = (await readFile(join(settings.dataDir, 'postgres-password'), 'utf8')).trim()
    for (const pid of [api, signer, service.child.pid ?? 0]) {
      expect((await argsOf(pid)).join(' ')).not.toContain(password)
      expect(await environ(pid)).not.toContain(password)
    }
    // What root creates belongs to root, including the key that the service is given; so it was in earlier versions.
    expect((await stat(join(settings.dataDir, 'secret-key'))).uid).toBe(own)
  })

  it('no process opens a debugger when another tells it to, and Ctrl-C, which a terminal sends to every process, is an orderly stop', async () => {
    const service = await started()
    const ours = [service.child.pid ?? 0, pidOf(service, 'service'), pidOf(service, 'signer')]
    for (const pid of ours) process.kill(pid, 'SIGUSR1')
    expect((await fetch(`${service.ready.url}/healthz`)).status).toBe(200)
    const postmaster = join(env.SLUICE_DATA_DIR ?? '', 'postgres', 'postmaster.pid')
    const all = [...ours, Number.parseInt(await readFile(postmaster, 'utf8'), 10)]
    const exit = once(service.child, 'exit')
    service.signalAll('SIGINT')
    // It also shows that the first signal has ended no process.
    expect(await exit).toEqual([0, null])
    expect(all.filter((pid) => existsSync(`/proc/${pid}`))).toEqual([])
    expect(service.stderr()).toContain('"msg":"stopped"')
    expect(service.stderr()).not.toContain('"level":50')
    expect(service.stderr()).not.toContain('Debugger')
  })

  it.runIf(isRoot)(
    'a wallet that root or the API’s user owned passes to the signer’s user, who keeps it',
    async () => {
      const first = await started()
      const wallet = join(env.SLUICE_DATA_DIR ?? '', 'wallet')
      const { uid, gid } = await stat(wallet)
      await first.end('SIGTERM')
      const files = [wallet, ...(await readdir(wallet)).map((name) => join(wallet, name))]
      expect(files.length).toBeGreaterThan(4)
      const owners = async () => new Set(await Promise.all(files.map(async (path) => (await stat(path)).uid)))
      expect(await owners()).toEqual(new Set([uid]))
      for (const before of [{ uid: 0, gid: 0 }, await databaseUser()]) {
        for (const path of files) await chown(path, before.uid, before.gid)
        const service = await startSluice(env)
        running.push(service)
        expect(await owners()).toEqual(new Set([uid]))
        expect(await uidsOf(pidOf(service, 'signer'))).toEqual(new Set([uid]))
        await service.end('SIGTERM')
      }
      // What root's commands add there is the signer's as well.
      const made = await runSluice(
        ['wallet', 'init', '--environment', 'live', '--key-file', `${wallet}-key`, '--json'],
        env,
      )
      expect(made.code, made.stderr).toBe(0)
      expect(await stat(join(wallet, 'live-wallet.json'))).toMatchObject({ uid, gid, mode: 0o100600 })
    },
  )
})
