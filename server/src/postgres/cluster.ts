import { chmod, chown, mkdtemp, readdir, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { syncFolder, writeDurably } from '../durable-file.ts'
import { EmbeddedPostgresError, errorCode, onPath } from './error.ts'
import type { Launch } from './launch.ts'
import { passwordFingerprint } from './password.ts'
import { clusterProcesses } from './processes.ts'
import type { UsablePrograms } from './programs.ts'
import { type DatabaseUser, run } from './run-as.ts'

const stagingPrefix = 'postgres.new-'
const fingerprintName = 'sluice-password-fingerprint'

/** How often to retry removing an unfinished cluster while the processes that fill it are dying. */
const maxRemovals = 50

/**
 * Creates a new cluster at `<home>/postgres`. It is created under another name, synced by initdb, and renamed when
 * complete, so a process killed at any moment leaves the next start to begin anew.
 */
export async function createCluster(
  programs: UsablePrograms,
  user: DatabaseUser,
  launch: Launch,
  home: string,
  password: string,
): Promise<string> {
  const cluster = join(home, 'postgres')
  await onPath(cluster, 'create the database in', async () => {
    const staging = await mkdtemp(join(home, stagingPrefix))
    try {
      await chmod(staging, 0o700)
      if (user.drop) await chown(staging, user.uid, user.gid)
      const passwordFile = join(staging, 'password')
      await writeDurably(passwordFile, `${password}\n`, user)
      const fresh = join(staging, 'cluster')
      await initialise(programs, user, launch, { staging, fresh, passwordFile, cluster })
      await writeFingerprint(fresh, user, password)
      await rename(fresh, cluster)
      await syncFolder(home)
    } finally {
      await removeUnfinished(home)
    }
  })
  return cluster
}

async function initialise(
  programs: UsablePrograms,
  user: DatabaseUser,
  launch: Launch,
  paths: { staging: string; fresh: string; passwordFile: string; cluster: string },
): Promise<void> {
  // Locale C and encoding UTF-8: text sorts and compares by code point on every version and machine.
  const args = [
    '--username=postgres',
    '--auth=scram-sha-256',
    '--data-checksums',
    '--encoding=UTF8',
    '--locale=C',
  ]
  const files = [`--pwfile=${paths.passwordFile}`, `--pgdata=${paths.fresh}`]
  // If we are killed in between, initdb is found again by its working folder.
  const result = await run(user, [...launch.withParent, programs.initdb, ...args, ...files], {
    cwd: paths.staging,
  })
  if (result.ok) return
  const reason = /No space left on device/.test(result.output) ? 'the disk is full. ' : ''
  throw new EmbeddedPostgresError(
    `Cannot create the database in ${paths.cluster}: ${reason}initdb said:\n${result.output}`,
  )
}

/** Removes what a killed first start left in `home`, after ending the processes that still write there. */
export async function removeUnfinished(home: string): Promise<void> {
  for (const name of await readdir(home)) {
    if (!name.startsWith(stagingPrefix)) continue
    const staging = join(home, name)
    for (let attempt = 1; ; attempt += 1) {
      for (const { pid } of clusterProcesses(staging, 'within')) kill(pid)
      try {
        await rm(staging, { recursive: true, force: true })
        break
      } catch (error) {
        if (errorCode(error) !== 'ENOTEMPTY' || attempt >= maxRemovals) throw error
      }
    }
  }
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch (error) {
    if (errorCode(error) !== 'ESRCH') throw error
  }
}

/** Whether the cluster's superuser has this password. */
export async function hasPassword(cluster: string, password: string): Promise<boolean> {
  try {
    const text = await readFile(join(cluster, fingerprintName), 'utf8')
    return text.trim() === passwordFingerprint(password)
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return false
    throw error
  }
}

/**
 * Gives the superuser of a stopped cluster the password of the data folder, after the password file was lost or the
 * cluster was brought from elsewhere. This opens nothing new: the owner of the files owns the database.
 */
export async function adoptPassword(
  programs: UsablePrograms,
  user: DatabaseUser,
  cluster: string,
  password: string,
): Promise<void> {
  const result = await run(user, [programs.postgres, '--single', '-D', cluster, 'postgres'], {
    cwd: cluster,
    input: `alter role postgres with login superuser password '${password}';\n`,
  })
  // Single-user mode exits successfully even when a statement failed.
  if (!result.ok || /\bERROR: /.test(result.output))
    throw new EmbeddedPostgresError(
      `Cannot give the database in ${cluster} the password of the data folder:\n` +
        result.output.replaceAll(password, '…'),
    )
  await writeFingerprint(cluster, user, password)
}

async function writeFingerprint(cluster: string, user: DatabaseUser, password: string): Promise<void> {
  await writeDurably(join(cluster, fingerprintName), `${passwordFingerprint(password)}\n`, user)
}
