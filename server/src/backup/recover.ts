import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { open, readFile, rm, rmdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { findLaunch } from '../postgres/launch.ts'
import type { UsablePrograms } from '../postgres/programs.ts'
import { type DatabaseUser, spawnOptions } from '../postgres/run-as.ts'
import { chooseSocketFolder } from '../postgres/socket-folder.ts'
import { BackupError } from './error.ts'

/** A cluster that is being restored, and what runs it. */
export type Scratch = {
  readonly cluster: string
  readonly user: DatabaseUser
  readonly programs: UsablePrograms
}

const pollMs = 20
const shownLogCharacters = 2_000
const targetMissed = 'recovery ended before configured recovery target was reached'

/**
 * Runs the stored log over a base until the moment, or to its end, and stops the server cleanly. `lastCommit` is the
 * time of the last commit, null if there was none after the base, and `isAll` says whether everything stored was needed.
 */
export async function recover(
  scratch: Scratch,
  at: Date | null,
): Promise<{ readonly lastCommit: Date | null; readonly isAll: boolean }> {
  const signal = join(scratch.cluster, 'recovery.signal')
  await writeFile(signal, '', { mode: 0o600 })
  const to =
    at === null
      ? []
      : [`recovery_target_time=${at.toISOString().replace('Z', '+00')}`, 'recovery_target_action=promote']
  let isAll = at === null
  let said: string
  try {
    said = await recoverOnce(scratch, to)
  } catch (error) {
    // Nothing was committed after the moment: everything that is stored belongs to it.
    if (at === null || !(error instanceof BackupError) || !error.message.includes(targetMissed)) throw error
    isAll = true
    said = await recoverOnce(scratch, [])
  }
  await rm(signal, { force: true })
  const last = [...said.matchAll(/last completed transaction was at log time (\S+ \S+)/g)].at(-1)?.[1]
  const lastCommit = last === undefined ? null : new Date(`${last.replace(' ', 'T').replace('+00', '')}Z`)
  return { lastCommit, isAll }
}

async function recoverOnce(scratch: Scratch, settings: readonly string[]): Promise<string> {
  const server = await startScratch(scratch, [
    // Without it PostgreSQL does not recover at all; the log is where it looks next.
    'restore_command=false',
    'recovery_target_timeline=current',
    'hot_standby=off',
    'archive_mode=off',
    ...settings,
  ])
  await server.stop()
  return server.said()
}

export type ScratchServer = {
  readonly socketFolder: string
  said(): string
  stop(): Promise<void>
}

/** Starts a server on the cluster, and returns when it takes connections, of which there are none unless settings say so. */
export async function startScratch(
  { cluster, user, programs }: Scratch,
  settings: readonly string[],
): Promise<ScratchServer> {
  const launch = await findLaunch(user, () => {})
  const socketFolder = await chooseSocketFolder(cluster, user)
  const logPath = join(cluster, 'sluice-recovery.log')
  const log = await open(logPath, 'w', 0o600)
  const own = [
    'listen_addresses=',
    'port=5432',
    'max_connections=200',
    'timezone=UTC',
    'log_timezone=UTC',
    'jit=off',
    'log_destination=stderr',
    'logging_collector=off',
    'ssl=off',
    'shared_preload_libraries=',
    'lc_messages=C',
    'fsync=on',
    `unix_socket_directories="${socketFolder.replaceAll('"', '""')}"`,
    ...settings,
  ].flatMap((setting) => ['-c', setting])
  const [program = '', ...args] = [...launch.withParent, programs.postgres, '-D', cluster, ...own]
  let child: ChildProcess
  try {
    child = spawn(program, args, { ...spawnOptions(user, '/'), stdio: ['ignore', log.fd, log.fd] })
  } finally {
    await log.close()
  }
  let ended = false
  const end = once(child, 'exit').then(
    () => {
      ended = true
    },
    () => {
      ended = true
    },
  )
  const said = () => readFile(logPath, 'utf8').catch(() => '')
  const stop = async () => {
    if (!ended) child.kill('SIGINT')
    await end
    if (socketFolder !== cluster) await rmdir(socketFolder).catch(() => {})
    if (child.exitCode !== 0) throw await failed()
    await rm(logPath, { force: true })
  }
  let lastWords = ''
  const failed = async () => {
    lastWords = await said()
    return new BackupError(
      `PostgreSQL ended on the restored database. It said:\n${lastWords.slice(-shownLogCharacters)}`,
    )
  }
  // Not bounded: recovery takes as long as there is log, and the server ends by itself if it cannot go on.
  while (!ended) {
    if (await isReady(cluster)) {
      lastWords = await said()
      return { socketFolder, stop, said: () => lastWords }
    }
    await Promise.race([end, sleep(pollMs)])
  }
  throw await failed()
}

/** PostgreSQL notes in the last line of its pid file whether it takes connections. */
async function isReady(cluster: string): Promise<boolean> {
  const text = await readFile(join(cluster, 'postmaster.pid'), 'utf8').catch(() => '')
  return text.split('\n')[7]?.trim() === 'ready'
}
