import { type DatabaseUser, run } from './run-as.ts'

/** Prefixes for a program's command line. */
export type Launch = {
  /** The program ends when this process ends, however it ends. */
  readonly withParent: readonly string[]
  /** The program and every process it starts hold the lock file. It does not start if the lock is already held. */
  holding(lockFile: string): readonly string[]
}

/** Exit code of `flock` when another server holds the cluster. */
export const clusterHeldExitCode = 75

/**
 * Finds out what this machine's tools can do. `setpriv --pdeathsig` (util-linux) ends the server with us even after
 * kill -9. To the kernel, "us" is the thread that spawned it, so start it from the main thread. Without setpriv, the
 * next start ends the server that was left. `flock` keeps two containers that share a volume from running two servers
 * on one cluster: process ids and abstract sockets are not visible across containers.
 */
export async function findLaunch(user: DatabaseUser, log: (message: string) => void): Promise<Launch> {
  const withParent = ['setpriv', '--pdeathsig', 'INT']
  const flock = ['flock', '--nonblock', '--conflict-exit-code', String(clusterHeldExitCode), '--no-fork']
  const [setpriv, lock] = await Promise.all([
    run(user, ['setpriv', '--pdeathsig', 'INT', 'true']),
    run(user, ['flock', '--no-fork', '--nonblock', '--conflict-exit-code', '75', '/dev/null', 'true']),
  ])
  if (!setpriv.ok)
    log(
      'setpriv (util-linux) with --pdeathsig is missing: if Sluice is killed with -9, the database server ' +
        'keeps running until the next start ends it.',
    )
  if (!lock.ok)
    log(
      'flock (util-linux) is missing: never let two containers share one data folder. Nothing would stop them from damaging it.',
    )
  return {
    withParent: setpriv.ok ? withParent : [],
    holding: (lockFile) => (lock.ok ? [...flock, lockFile] : []),
  }
}
