import { type ChildProcess, spawn } from 'node:child_process'
import type { FileHandle } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { databaseUrl, probe, setUpRoles } from './connect.ts'
import { EmbeddedPostgresError } from './error.ts'
import { clusterHeldExitCode, type Launch } from './launch.ts'
import { heldElsewhere, lockFileName, stopClusterProcesses, stopSteps } from './leftovers.ts'
import { logTail } from './log-file.ts'
import { clusterName } from './processes.ts'
import type { UsablePrograms } from './programs.ts'
import { type DatabaseUser, spawnOptions } from './run-as.ts'

/** Everything needed to run the server of one cluster. */
export type ServerSetup = {
  readonly cluster: string
  readonly socketFolder: string
  readonly user: DatabaseUser
  readonly launch: Launch
  readonly programs: UsablePrograms
  readonly password: string
  readonly log: FileHandle
}

export type Server = {
  readonly process: ChildProcess
  /** Resolves when the server has ended, and says in words how it ended. */
  readonly ended: Promise<string>
  readonly logStart: number
}

const pollMs = 10
const maxSetUps = 3
const endNoticeMs = 1_000

/**
 * Settings are on the command line, where neither postgresql.conf nor ALTER SYSTEM can override them: this database
 * keeps the books, so its durability is not open to tuning.
 */
function settings({ cluster, socketFolder, user }: ServerSetup): string[] {
  // The list of folders is comma-separated; in quotes, a name may contain any character.
  const socketFolders = `"${socketFolder.replaceAll('"', '""')}"`
  const values = {
    fsync: 'on',
    synchronous_commit: 'on',
    full_page_writes: 'on',
    listen_addresses: '',
    port: '5432',
    cluster_name: clusterName(cluster),
    unix_socket_directories: socketFolders,
    // Root's service runs as other users, of the database's group.
    unix_socket_permissions: user.drop ? '0770' : '0700',
    max_connections: '200',
    // A backup that follows the log and is away too long loses its place, not the disk.
    max_slot_wal_keep_size: '4GB',
    shared_buffers: '128MB',
    jit: 'off',
    timezone: 'UTC',
    log_timezone: 'UTC',
    log_destination: 'stderr',
    logging_collector: 'off',
    log_checkpoints: 'off',
    log_line_prefix: '%m [%p] ',
  }
  return Object.entries(values).flatMap(([name, value]) => ['-c', `${name}=${value}`])
}

/** Starts the server. It ends with this process, and logs only to the log file. */
export async function startServer(setup: ServerSetup): Promise<Server> {
  const { cluster, launch, programs, log } = setup
  const logStart = (await log.stat()).size
  const [program = '', ...args] = [
    ...launch.withParent,
    ...launch.holding(join(cluster, lockFileName)),
    programs.postgres,
    '-D',
    cluster,
    ...settings(setup),
  ]
  const child = spawn(program, args, { ...spawnOptions(setup.user, '/'), stdio: ['ignore', log.fd, log.fd] })
  const ended = new Promise<string>((resolve) => {
    child.on('error', (error) => resolve(`could not be started (${error.message})`))
    child.on('exit', (code, signal) => resolve(signal === null ? `exit code ${code}` : signal))
  })
  return { process: child, ended, logStart }
}

/**
 * Waits until the owner and the service can connect, and creates their roles and database if they are missing. Throws when the
 * server ends first, with the last lines of its log, or after `timeoutMs`.
 */
export async function untilReady(setup: ServerSetup, server: Server, timeoutMs: number): Promise<void> {
  const { password, socketFolder } = setup
  const [serviceUrl, ownerUrl, adminUrl] = (['sluice_service', 'sluice', 'postgres'] as const).map((role) =>
    databaseUrl({ role, password, socketFolder }),
  ) as [string, string, string]
  const deadline = Date.now() + timeoutMs
  let ended: string | null = null
  void server.ended.then((how) => {
    ended = how
  })
  for (let setUps = 0; ended === null; await sleep(pollMs)) {
    try {
      const first = await probe(serviceUrl)
      const state = first === 'ready' ? await probe(ownerUrl) : first
      if (state === 'ready') return
      if (state === 'not_set_up') {
        if (setUps === maxSetUps)
          throw new EmbeddedPostgresError(
            `The roles sluice and sluice_service cannot connect to ${setup.cluster}.`,
          )
        setUps += 1
        await setUpRoles(adminUrl, password)
      }
    } catch (error) {
      // If the server ends while we are connected, report that; the exit event may reach us a little later.
      await Promise.race([server.ended, sleep(endNoticeMs)])
      if (ended === null) throw error
    }
    if (Date.now() > deadline)
      throw new EmbeddedPostgresError(
        `PostgreSQL did not accept connections within ${timeoutMs / 1000} s. Its log ends:\n` +
          (await logTail(setup.log, server.logStart)),
      )
  }
  throw await endedEarly(setup, server, ended)
}

async function endedEarly(setup: ServerSetup, server: Server, how: string): Promise<Error> {
  if (server.process.exitCode === clusterHeldExitCode) return heldElsewhere(setup.cluster)
  const tail = await logTail(setup.log, server.logStart)
  const full = /No space left on device/.test(tail) ? ' The disk is full.' : ''
  return new EmbeddedPostgresError(
    `PostgreSQL ended while starting on ${setup.cluster} (${how}).${full} Its log ends:\n${tail || '(nothing)'}`,
  )
}

/** Stops the server, cleanly first, and all its processes. Safe to call when it has already ended. */
export async function stopServer(setup: ServerSetup, server: Server): Promise<void> {
  let running = true
  const ended = server.ended.then(() => {
    running = false
  })
  for (const step of stopSteps) {
    if (server.process.exitCode === null && server.process.signalCode === null)
      server.process.kill(step.signal)
    const timer = new AbortController()
    await Promise.race([ended, sleep(step.waitMs, null, { signal: timer.signal }).catch(() => {})])
    timer.abort()
    if (!running) break
  }
  await stopClusterProcesses(setup.cluster)
}
