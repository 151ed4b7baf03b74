import { execFile, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { describe, it, vi } from 'vitest'
import { wordpressRoot } from '../../../../scripts/wordpress-program.ts'
import { patienceMs } from '../patience.ts'
import { makeTemporaryFolder } from '../processes/temporary-folder.ts'
import { freePort } from './free-port.ts'
import { startMariaDb } from './mariadb.ts'
import { WordpressPerson } from './wordpress-person.ts'

const missing = 'skipped: no WordPress for this machine'
const run = promisify(execFile)
const parts = fileURLToPath(new URL('../../../../shops/woocommerce/test/wordpress/', import.meta.url))
// Requests of shoppers and webhooks meet, as on a real server.
const workers = '3'

// biome-ignore lint/suspicious/noExplicitAny: tests read the fields they need
type Row = any

export type Wordpress = {
  readonly url: string
  readonly version: string
  /** Where WordPress keeps plugins. */
  readonly plugins: string
  /** A signed-in person, or `null` for a visitor. */
  person(name: 'admin' | 'manager' | 'customer' | null): Promise<WordpressPerson>
  /** What the checkout block or the test asks over WordPress's REST API. */
  rest(path: string, input?: object): Promise<Row>
  /** Rows of its database. */
  sql(query: string): Promise<Row[]>
  /** Holds a named lock of the database, as another process would, until it is released. */
  hold(lock: string): Promise<{ release(): Promise<void> }>
  /** What PHP complained about. */
  complaints(): string
  stop(): Promise<void>
}

/** Defines tests on a real WordPress. If there is none here, the run says so. */
export function describeWordpress(define: () => void): void {
  if (wordpressRoot() !== null) describe('on WordPress', define)
  else {
    process.stdout.write(`${missing}\n`)
    it.skip(missing)
  }
}

/** Debian's WordPress in Debian's PHP on Debian's MariaDB, installed anew, with a stand-in for WooCommerce and three users. */
export async function startWordpress(): Promise<Wordpress> {
  const root = wordpressRoot()
  if (root === null) throw new Error('There is no WordPress. Run "npm run provision" first.')
  const folder = await makeTemporaryFolder('sluice-wordpress-')
  const database = await startMariaDb()
  const plugins = join(folder.path, 'wp-content/plugins')
  for (const name of ['wp-content/plugins', 'temporary', 'state'])
    mkdirSync(join(folder.path, name), { recursive: true })
  symlinkSync(join(parts, 'woocommerce'), join(plugins, 'woocommerce'))
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const password = randomBytes(12).toString('hex')
  const env = {
    SLUICE_TEST_CONFIG: join(parts, 'config.php'),
    SLUICE_TEST_PASSWORD: password,
    SLUICE_TEST_ROOT: root,
    SLUICE_TEST_SOCKET: database.socket,
    SLUICE_TEST_STATE: join(folder.path, 'state'),
    SLUICE_TEST_URL: url,
    SLUICE_TEST_WORDPRESS: folder.path,
    PHP_CLI_SERVER_WORKERS: workers,
  }
  const settings = ['-d', 'sendmail_path=/bin/true', '-d', 'opcache.enable_cli=1']
  const php = async (...args: string[]) => (await run('/usr/bin/php', [...settings, ...args], { env })).stdout
  const sql = async (query: string, name = 'wordpress') =>
    JSON.parse(await php('-r', ask, database.socket, name, query))
  await sql('create database wordpress character set utf8mb4', '')
  const version = await php(join(parts, 'install.php'))
  // Its workers do not end with it, but the whole group ends with the process that runs the test, however that ends.
  const server = spawn(
    'setpriv',
    [
      ...['--pdeathsig', 'TERM', 'sh', '-c', `trap 'trap - TERM; kill -TERM 0' TERM; "$@" & wait`, 'sh'],
      ...['/usr/bin/php', ...settings, '-S', `127.0.0.1:${port}`, '-t', root, join(parts, 'router.php')],
    ],
    { env, stdio: 'ignore', detached: true },
  )
  const end = () => process.kill(-(server.pid as number), 'SIGTERM')
  process.once('exit', end)
  await vi.waitFor(() => fetch(`${url}/wp-login.php`), { timeout: patienceMs, interval: 20 })

  return {
    url,
    version,
    plugins,
    sql,
    async person(name) {
      const person = new WordpressPerson(url)
      if (name !== null) await person.signIn(name, password)
      return person
    },
    async rest(path, input = {}) {
      const headers = { 'Content-Type': 'application/json' }
      const answer = await fetch(`${url}/wp-json/${path}`, {
        method: 'POST',
        body: JSON.stringify(input),
        headers,
      })
      const text = await answer.text()
      if (answer.status !== 200) throw new Error(`WordPress answered ${answer.status}: ${text}`)
      return text === '' ? null : JSON.parse(text)
    },
    async hold(lock) {
      const holder = spawn('/usr/bin/php', ['-r', holding, database.socket, lock], {
        stdio: ['pipe', 'pipe', 'inherit'],
      })
      const ended = once(holder, 'exit')
      await once(holder.stdout, 'data')
      return {
        async release() {
          holder.stdin.end()
          await ended
        },
      }
    },
    complaints() {
      const log = join(folder.path, 'debug.log')
      return existsSync(log) ? readFileSync(log, 'utf8') : ''
    },
    async stop() {
      process.off('exit', end)
      end()
      await once(server, 'exit')
      await database.stop()
      await folder.remove()
    },
  }
}

const ask = `
mysqli_report(MYSQLI_REPORT_ERROR | MYSQLI_REPORT_STRICT);
[, $socket, $name, $query] = $argv;
$rows = (new mysqli('localhost', 'root', '', $name, 0, $socket))->query($query);
echo json_encode($rows instanceof mysqli_result ? $rows->fetch_all(MYSQLI_ASSOC) : []);`

const holding = `
mysqli_report(MYSQLI_REPORT_ERROR | MYSQLI_REPORT_STRICT);
$database = new mysqli('localhost', 'root', '', 'wordpress', 0, $argv[1]);
echo $database->query("select get_lock('$argv[2]', 0)")->fetch_column();
fgets(STDIN);`
