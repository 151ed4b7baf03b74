import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { EmbeddedPostgresError, errorCode } from './error.ts'
import { clusterHeldExitCode, type Launch } from './launch.ts'
import { type ClusterProcess, clusterProcesses } from './processes.ts'
import { type DatabaseUser, run } from './run-as.ts'

type StopStep = { readonly signal: NodeJS.Signals; readonly waitMs: number }
type SendSignal = (pid: number, signal: NodeJS.Signals) => void

/** How long a server gets for each signal; the first wait includes a last checkpoint. */
export const stopSteps: readonly StopStep[] = [
  { signal: 'SIGINT', waitMs: 20_000 },
  { signal: 'SIGQUIT', waitMs: 5_000 },
  { signal: 'SIGKILL', waitMs: 10_000 },
]

const pollMs = 10
const maxLockWaitMs = 3_000

/** A file in the cluster that a running server and all its processes keep locked. */
export const lockFileName = 'sluice-server.lock'

/**
 * Ends every PostgreSQL process of this cluster, cleanly first, and returns when none is left. Signals no other
 * process. Returns how many there were.
 */
export async function stopClusterProcesses(
  cluster: string,
  signal: SendSignal = process.kill,
  steps: readonly StopStep[] = stopSteps,
): Promise<number> {
  const found = clusterProcesses(cluster).length
  for (const step of steps) {
    const deadline = Date.now() + step.waitMs
    const asked = new Set<number>()
    for (let left = clusterProcesses(cluster); ; left = clusterProcesses(cluster)) {
      if (left.length === 0) return found
      for (const { pid } of step.signal === 'SIGKILL' ? left : heads(left)) {
        if (asked.has(pid)) continue
        asked.add(pid)
        send(pid, step.signal, signal, cluster)
      }
      // Checked after signalling: the search takes time too, and each process must get each signal at least once.
      if (Date.now() > deadline) break
      await sleep(pollMs)
    }
  }
  const pids = clusterProcesses(cluster).map(({ pid }) => pid)
  throw new EmbeddedPostgresError(
    `PostgreSQL processes of ${cluster} do not end even when killed (pid ${pids.join(', ')}): they are probably waiting ` +
      'for a disk that does not answer.',
  )
}

/** The postmaster, which ends its own children; or, if it is dead, each orphan it left. */
function heads(processes: readonly ClusterProcess[]): ClusterProcess[] {
  const pids = new Set(processes.map(({ pid }) => pid))
  return processes.filter(({ parent }) => !pids.has(parent))
}

function send(pid: number, name: NodeJS.Signals, signal: SendSignal, cluster: string): void {
  try {
    signal(pid, name)
  } catch (error) {
    if (errorCode(error) === 'ESRCH') return
    if (errorCode(error) !== 'EPERM') throw error
    throw new EmbeddedPostgresError(
      `A PostgreSQL server left by an earlier run still uses ${cluster} (pid ${pid}) and belongs to another user. ` +
        `End it with "sudo kill -INT ${pid}", or start Sluice as that user.`,
      { cause: error },
    )
  }
}

/**
 * Prepares the cluster for a new server after one that did not end cleanly. It ends leftover processes and removes the
 * pid files: they would block the new server if their pid now belongs to another process.
 */
export async function clearLeftovers(
  server: { cluster: string; socketFolder: string; user: DatabaseUser; launch: Launch },
  log: (message: string) => void,
): Promise<void> {
  const stopped = await stopClusterProcesses(server.cluster)
  if (stopped > 0) log(`Ended ${stopped} PostgreSQL processes left by an earlier run.`)
  const pidFiles = [
    join(server.cluster, 'postmaster.pid'),
    join(server.socketFolder, '.s.PGSQL.5432.lock'),
    join(server.socketFolder, '.s.PGSQL.5432'),
  ]
  // A server in another container is invisible above, and would end at once if its pid file disappeared.
  await waitForLock(server)
  for (const path of pidFiles) await rm(path, { force: true })
}

async function waitForLock(server: { cluster: string; user: DatabaseUser; launch: Launch }): Promise<void> {
  const holding = server.launch.holding(join(server.cluster, lockFileName))
  if (holding.length === 0) return
  for (const deadline = Date.now() + maxLockWaitMs; ; ) {
    const result = await run(server.user, [...holding, 'true'])
    if (result.code !== clusterHeldExitCode) return
    if (Date.now() > deadline) throw heldElsewhere(server.cluster)
    await sleep(pollMs * 10)
  }
}

/** A server that is not visible from here uses the cluster. */
export function heldElsewhere(cluster: string): EmbeddedPostgresError {
  return new EmbeddedPostgresError(
    `Another PostgreSQL server that is not visible from here runs on ${cluster}, probably in another container ` +
      'that shares this folder. Stop it first.',
  )
}
