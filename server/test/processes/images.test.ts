import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { chmod, chown, mkdir, writeFile } from 'node:fs/promises'
import { type AddressInfo, createConnection, createServer, type Server } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { image, layImage } from '../../../scripts/release/images.ts'
import { filesIn, type Kind, root as project } from '../../../scripts/release/trees.ts'
import type { EmbeddedPostgres } from '../../src/postgres/embedded.ts'
import { canMount } from '../support/processes/contained.ts'
import { startOwnPostgres } from '../support/processes/data-folder.ts'
import { type LaidImage, placesIn, runInImage, seal, startInImage } from '../support/processes/image.ts'
import { factsOf, processTree } from '../support/processes/process-tree.ts'
import { makeTemporaryFolder, type TemporaryFolder } from '../support/processes/temporary-folder.ts'
import { freePort } from '../support/servers/free-port.ts'

const command = `${image.home}/server/bin/sluice.mjs`
const health = `${image.home}/server/bin/health.mjs`
const kinds = ['sluice', 'signer'] as const
// Left to `npm run soak`: compressing the reference, and a worker that sees the invoice paid.
const isSoak = process.env.SLUICE_WHOLE_IMAGES !== undefined

let folder: TemporaryFolder
let postgres: EmbeddedPostgres
let network: Server
const laid = {} as Record<Kind, LaidImage>
const ending: (() => Promise<unknown>)[] = []

beforeAll(async () => {
  folder = await makeTemporaryFolder()
  postgres = await startOwnPostgres(join(folder.path, 'postgres'))
  network = await startNetwork(decodeURIComponent(new URL(postgres.url).hostname))
  for (const kind of kinds) laid[kind] = await lay(kind)
})
afterAll(async () => {
  await Promise.all(ending.map((end) => end()))
  network?.close()
  await postgres?.stop()
  await folder?.remove()
})

/** An image as it would be shipped, and what the operator mounts there. */
async function lay(kind: Kind): Promise<LaidImage> {
  const place = join(folder.path, kind)
  const made = {
    kind,
    root: join(place, 'root'),
    secrets: join(place, 'secrets'),
    dataDir: join(place, 'data'),
  }
  await layImage(kind, made.root)
  await mkdir(made.secrets)
  await mkdir(made.dataDir, { mode: 0o700 })
  await chmod(place, 0o755)
  if (canMount) await chown(made.dataDir, image.uids[kind], image.uids[kind])
  const files = {
    'database-url': overNetwork(postgres.url),
    'secret-key': 'ab'.repeat(32),
    'config.json': JSON.stringify({ addresses: { ready: 20 }, rates: { sources: [] } }),
    ...(kind === 'sluice' && { 'database-owner-url': overNetwork(postgres.ownerUrl) }),
  }
  for (const [name, text] of Object.entries(files)) await writeFile(join(made.secrets, name), text)
  seal(made)
  return made
}

/** The embedded database listens on a socket in the file system; an image reaches its database over TCP. */
async function startNetwork(socketFolder: string): Promise<Server> {
  const server = createServer((from) => {
    const to = createConnection(join(socketFolder, '.s.PGSQL.5432'))
    for (const each of [from, to])
      each.on('error', () => {
        from.destroy()
        to.destroy()
      })
    from.pipe(to).pipe(from)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return server
}

function overNetwork(url: string): string {
  const { username, password, pathname } = new URL(url)
  return `postgres://${username}:${password}@127.0.0.1:${(network.address() as AddressInfo).port}${pathname}`
}

/** The settings of a container, as the compose files give them. */
function environment(kind: Kind, more: Record<string, string> = {}): Record<string, string> {
  const { secrets, dataDir } = placesIn(laid[kind])
  return {
    NODE_ENV: 'production',
    DATABASE_URL_FILE: `${secrets}/database-url`,
    SLUICE_SECRET_KEY_FILE: `${secrets}/secret-key`,
    SLUICE_CONFIG: `${secrets}/config.json`,
    SLUICE_PUBLIC_URL: 'https://pay.example.com',
    SLUICE_DATA_DIR: dataDir,
    PORT: '0',
    ...more,
  }
}

/** The text of every file of Sluice in an image, by its path there. */
function ownFiles(kind: Kind): Map<string, string> {
  const home = join(laid[kind].root, image.home)
  return new Map(filesIn(home).map((name) => [name, readFileSync(join(home, name), 'latin1')]))
}

describe('what is in an image', () => {
  const expected: Record<Kind, RegExp> = {
    sluice:
      /^(package\.json|LICENSE|server\/(bin\/[a-z-]+\.mjs|dist\/[\w.-]+\.js|src\/store\/migrations\/\w+\.sql)|web\/(home|checkout\/dist|dashboard\/dist|guides\/dist)\/.+|node_modules\/@scalar\/fastify-api-reference\/(package\.json|LICENSE|dist\/index\.js))$/,
    signer:
      /^(package\.json|LICENSE|server\/(bin\/[a-z-]+\.mjs|dist\/[\w.-]+\.js|src\/store\/migrations\/\w+\.sql))$/,
  }

  it.each(kinds)('%s: Node, its libraries and Sluice, and nothing else', (kind) => {
    const { root } = laid[kind]
    const system = filesIn(root).filter((name) => !name.startsWith(image.home.slice(1)))
    expect(
      system.filter(
        (name) => !/^(usr\/local\/bin\/node|etc\/(passwd|group)|(usr\/)?lib(64)?\/.*\.so[.\d]*)$/.test(name),
      ),
    ).toEqual([])
    expect(system.length).toBeLessThan(15)
    const own = [...ownFiles(kind).keys()]
    expect(own.filter((name) => !expected[kind].test(name))).toEqual([])
    expect(own.length).toBeGreaterThan(30)
  })

  it.each(kinds)(
    '%s: no source, no test, no source map, and nothing that tells where it was built',
    (kind) => {
      for (const [name, text] of ownFiles(kind)) {
        expect(name).not.toMatch(/\.(ts|svelte|map)$|(^|\/)test\//)
        expect([name, text.includes('sourceMappingURL=data:')]).toEqual([name, false])
        expect([name, text.includes(project)]).toEqual([name, false])
      }
    },
  )

  it('the signer has no HTTP server for callers, no HTTP client, no mail and no Redis; the service has', () => {
    const has = (kind: Kind, mark: string) => [...ownFiles(kind).values()].some((text) => text.includes(mark))
    for (const mark of ['FST_ERR_', 'undici:request', 'smtp-connection', 'MaxRetriesPerRequestError'])
      expect([mark, has('sluice', mark), has('signer', mark)]).toEqual([mark, true, false])
  })
})

describe('a running image', () => {
  it('writes nowhere but to /tmp and its data folder, and not as root', async () => {
    const { dataDir } = placesIn(laid.signer)
    const places = ['/tmp', dataDir, image.home, '/', '/etc', '/run/secrets', '/usr/local/bin']
    const probe = `console.log(JSON.stringify({ uid: process.getuid(), can: process.argv.slice(1).filter((place) => {
      try { require('node:fs').mkdirSync(place + '/probe'); return true } catch { return false }
    }) }))`
    const { stdout, stderr } = await runInImage(laid.signer, ['-e', probe, ...places], {})
    const { uid, can } = JSON.parse(stdout || stderr)
    expect(can).toEqual(canMount ? ['/tmp', dataDir] : expect.arrayContaining([dataDir]))
    expect(uid).toBe(canMount ? image.uids.signer : process.getuid?.())
  })

  it('migrates, signs and serves from three containers: a first invoice, its page and the dashboard', async () => {
    const { secrets } = placesIn(laid.sluice)
    const owner = { DATABASE_MIGRATION_URL_FILE: `${secrets}/database-owner-url` }
    const sluice = async (...args: string[]) => {
      const { code, stdout, stderr } = await runInImage(
        laid.sluice,
        [command, ...args, '--json'],
        environment('sluice', owner),
      )
      expect([code, stderr]).toEqual([0, ''])
      return JSON.parse(stdout)
    }
    expect(await sluice('migrate')).toEqual({ migrated: true })

    const [signerPort, apiPort] = [String(await freePort()), String(await freePort())]
    const ofSigner = environment('signer', { SLUICE_METRICS_PORT: signerPort })
    const signer = await startInImage(laid.signer, [command, 'start', '--role', 'signer'], ofSigner)
    ending.push(signer.stop)
    const ofApi = environment('sluice', { SLUICE_METRICS_PORT: apiPort })
    const api = await startInImage(laid.sluice, [command, 'start', '--role', 'api'], ofApi)
    ending.push(api.stop)
    for (const [kind, env] of [['signer', ofSigner] as const, ['sluice', ofApi] as const])
      expect((await runInImage(laid[kind], [health], env)).code).toBe(0)

    const { merchant_id: merchant } = await sluice('merchant', 'create', '--name', 'Shop')
    const { key } = await sluice(
      'key',
      'create',
      '--merchant',
      merchant,
      '--environment',
      'test',
      '--permissions',
      'all',
    )
    const { url } = api.ready
    const call = async (path: string, json?: object) => {
      const answer = await fetch(`${url}/api/v1${path}`, {
        method: json === undefined ? 'GET' : 'POST',
        headers: { 'X-API-Key': key, 'Content-Type': 'application/json' },
        body: json === undefined ? null : JSON.stringify(json),
      })
      expect([path, answer.ok]).toEqual([path, true])
      return ((await answer.json()) as { data: Record<string, string> }).data
    }
    const invoice = await call('/invoices', { currency: 'BTC', amount: '0.01' })
    expect(invoice.checkout_url).toMatch(/^https:\/\/pay\.example\.com\/pay\//)
    const pages = [new URL(invoice.checkout_url ?? '').pathname, '/dashboard', '/', '/docs', '/readyz']
    for (const page of [...pages, ...(isSoak ? ['/docs/js/scalar.js'] : [])])
      expect([page, (await fetch(`${url}${page}`)).status]).toEqual([page, 200])

    if (isSoak) {
      const ofWorker = environment('sluice', { SLUICE_METRICS_PORT: '0' })
      const worker = await startInImage(laid.sluice, [command, 'start', '--role', 'worker'], ofWorker)
      ending.push(worker.stop)
      const { deposit_address: address, amount, currency } = invoice
      await call('/test/deposits', { address, amount, currency })
      await call('/test/blocks', { network: 'bitcoin', count: 2 })
      await expect.poll(async () => (await call(`/invoices/${invoice.id}`)).status).toBe('paid')
      expect(await worker.stop()).toBe(0)
    }

    for (const { child } of [signer, api])
      for (const pid of processTree(child.pid ?? 0)) {
        expect(factsOf(pid, 'environ')).not.toContain('ab'.repeat(32))
        if (!canMount) continue
        expect(factsOf(pid, 'status')).toMatch(/^NoNewPrivs:\t1$/m)
        expect(factsOf(pid, 'status')).toMatch(/^CapEff:\t0{16}$/m)
        expect(factsOf(pid, 'status')).toMatch(/^Uid:\t1000[12]\t/m)
        // No shell is there to lower the limit, so a dump would be empty.
        const mayDump = !/^Max core file size +0 +0 /m.test(factsOf(pid, 'limits'))
        if (mayDump) expect(readFileSync(`/proc/${pid}/coredump_filter`, 'utf8').trim()).toBe('00000000')
      }
    expect(readdirSync(laid.sluice.dataDir)).toEqual([])
    expect(readdirSync(laid.signer.dataDir)).toContain('wallet')
    expect([await api.stop(), await signer.stop()]).toEqual([0, 0])
    expect((await runInImage(laid.sluice, [health], ofApi)).code).toBe(1)
  })

  it('the signer’s image refuses the other roles and says where to run them', async () => {
    const args = [command, 'start', '--role', 'api']
    const { code, stderr } = await runInImage(
      laid.signer,
      args,
      environment('signer', { SLUICE_METRICS_PORT: '0' }),
    )
    expect([code, stderr]).toEqual([1, expect.stringContaining('This installation holds the signer alone')])
  })
})
