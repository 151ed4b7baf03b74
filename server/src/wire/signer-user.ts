import { readFile, realpath, stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { Log } from '../log.ts'
import { findCluster } from '../postgres/place.ts'
import { canAccess, chooseUser, ownUid, run } from '../postgres/run-as.ts'
import type { Settings } from '../settings/settings.ts'
import { connectionFiles, type User, walletFolder } from './isolation.ts'

/** An operator may create it; otherwise the signer gets a number that no user has. */
const userName = 'sluice-signer'
// Of a range that neither distributions nor systemd give out.
const firstUid = 60_900
const lastUid = 61_100

/**
 * The user that the signer runs as after root has started it: one that owns nothing but the wallet folder. An existing folder
 * keeps its user, unless that is root or another process's. Null when we are not root, or when such a user could not work; then
 * the log says why.
 */
export async function chooseSignerUser(settings: Settings, log: Log): Promise<User | null> {
  if (ownUid() !== 0) return null
  const cluster = settings.databaseUrl === null ? await findCluster(await realpath(settings.dataDir)) : null
  const others = [0, (await chooseUser(cluster)).uid]
  const folder = await stat(walletFolder(settings)).catch(() => null)
  const { uid, gid } =
    folder !== null && !others.includes(folder.uid)
      ? folder
      : unusedUser(await readFile('/etc/passwd', 'utf8'))
  const user = { uid, gid, groups: cluster === null ? [] : [cluster.gid] }
  const problem = await problemOf(user, settings)
  if (problem === null) return user
  const isOfApi = folder !== null && folder.uid !== 0 && others.includes(folder.uid)
  log.warn(
    { uid },
    `the signer keeps running as root, because ${problem}${isOfApi ? '; the wallet belongs to the user that API and worker run as' : ''}`,
  )
  return null
}

/** The user of that name in `/etc/passwd`, or a number that is not there. */
function unusedUser(passwd: string): { uid: number; gid: number } {
  const users = passwd.split('\n').map((line) => line.split(':'))
  const named = users.find(([name]) => name === userName)
  if (named !== undefined) return { uid: Number(named[2]), gid: Number(named[3]) }
  const taken = new Set(users.flatMap((fields) => [Number(fields[2]), Number(fields[3])]))
  for (let id = firstUid; id <= lastUid; id += 1) if (!taken.has(id)) return { uid: id, gid: id }
  throw new Error(`Every user from ${firstUid} to ${lastUid} exists.`)
}

/** Why the signer could not work as this user; null if it can. */
async function problemOf({ uid, gid }: User, settings: Settings): Promise<string | null> {
  const user = { uid, gid, drop: true }
  if (!(await run(user, ['true'])).ok) return `this machine has no user ${uid}`
  for (const [path, how] of [
    [settings.dataDir, 'x'],
    ...connectionFiles(settings).map((file) => [resolve(file), 'r'] as const),
  ] as const)
    if (!(await canAccess(user, path, how))) return `user ${uid} has no access to ${path}`
  return null
}
