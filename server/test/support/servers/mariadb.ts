import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chownSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { createConnection } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { patienceMs } from '../patience.ts'

export type MariaDb = {
  /** The only way in: it listens on no network. Every user who may open it gets in. */
  readonly socket: string
  stop(): Promise<void>
}

const pollMs = 10

/** Starts Debian's MariaDB, empty and without users, in a folder of its own. Root starts it as `nobody`. */
export async function startMariaDb(): Promise<MariaDb> {
  const folder = await mkdtemp(join(tmpdir(), 'sluice-mariadb-'))
  const isRoot = process.getuid?.() === 0
  const [uid, gid] = isRoot ? [idOf('-u'), idOf('-g')] : []
  if (uid !== undefined && gid !== undefined) chownSync(folder, uid, gid)
  const socket = join(folder, 'socket')
  const settings = [
    '--no-defaults',
    `--datadir=${folder}`,
    `--socket=${socket}`,
    '--skip-networking',
    '--skip-grant-tables',
    '--lc-messages-dir=/usr/share/mysql',
    '--innodb-buffer-pool-size=32M',
    '--innodb-log-file-size=8M',
    '--innodb-flush-log-at-trx-commit=0',
  ]
  const asNobody = isRoot ? [`--reuid=${uid}`, `--regid=${gid}`, '--clear-groups'] : []
  // It ends with the process that runs the test, however that ends.
  const child = spawn('setpriv', [...asNobody, '--pdeathsig', 'KILL', '/usr/sbin/mariadbd', ...settings], {
    stdio: 'ignore',
  })
  const onExit = () => child.kill('SIGKILL')
  process.once('exit', onExit)
  async function stop(): Promise<void> {
    process.off('exit', onExit)
    if (child.exitCode === null && child.signalCode === null) {
      child.kill('SIGKILL')
      await once(child, 'exit')
    }
    await rm(folder, { recursive: true, force: true })
  }
  if (await isUp(child, socket)) return { socket, stop }
  await stop()
  throw new Error('mariadbd did not start')
}

async function isUp(child: ChildProcess, socket: string): Promise<boolean> {
  const deadline = performance.now() + patienceMs
  while (child.exitCode === null && performance.now() < deadline) {
    const connection = createConnection(socket)
    try {
      await once(connection, 'connect')
      return true
    } catch {
      await sleep(pollMs) // not listening yet
    } finally {
      connection.destroy()
    }
  }
  return false
}

function idOf(flag: '-u' | '-g'): number {
  return Number(spawnSync('id', [flag, 'nobody'], { encoding: 'utf8' }).stdout)
}
