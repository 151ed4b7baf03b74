import { readFile, realpath, stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { Log } from '../log.ts'
import { type Cluster, findCluster } from '../postgres/place.ts'
import { canAccess, chooseUser, ownUid, run } from '../postgres/run-as.ts'
import { postgresUrl } from '../settings/postgres-url.ts'
import { type Settings, SettingsError } from '../settings/settings.ts'
import { connectionFiles, cookieFiles, type User, walletFolder } from './isolation.ts'
import type { Supplies } from './supplies.ts'

/**
 * An operator may create these users; otherwise a process gets a number that no user has. Neither distributions nor systemd
 * give out these numbers. They do not overlap, because the processes may be started apart.
 */
const ownUsers = {
  signer: { name: 'sluice-signer', firstUid: 60_900, lastUid: 60_999 },
  service: { name: 'sluice-service', firstUid: 61_000, lastUid: 61_099 },
} as const

/**
 * The user that the signer runs as after root has started it: one that owns nothing but the wallet folder. An existing folder
 * keeps its user, unless that is root or another process's. Null when we are not root, or when such a user could not work; then
 * the log says why.
 */
export async function chooseSignerUser(
  settings: Settings,
  { databaseUrl }: Pick<Supplies, 'databaseUrl'>,
  log: Log,
): Promise<User | null> {
  if (ownUid() !== 0) return null
  const cluster = await clusterOf(settings)
  const service = await ownUser('service')
  const others = [0, service.uid, (await chooseUser(cluster)).uid]
  const folder = await stat(walletFolder(settings)).catch(() => null)
  const { uid, gid } = folder !== null && !others.includes(folder.uid) ? folder : await ownUser('signer')
  const user = { uid, gid, groups: groupsFor(cluster) }
  const problem = await problemOf(user, [
    [settings.dataDir, 'x'],
    ...socketOf(databaseUrl),
    ...connectionFiles(settings).map((path) => [path, 'r'] as const),
  ])
  if (problem === null) return user
  const isOfApi = folder !== null && folder.uid !== 0 && others.includes(folder.uid)
  log.warn(
    { uid },
    `the signer keeps running as root, because ${problem}${isOfApi ? '; the wallet belongs to the user that API and worker run as' : ''}`,
  )
  return null
}

/**
 * The user that API and worker run as after root has started them: one that owns nothing, or the database's where that one
 * could not work; then the log says why. Null when we are not root.
 */
export async function chooseServiceUser(
  settings: Settings,
  { databaseUrl }: Pick<Supplies, 'databaseUrl'>,
  log: Log,
): Promise<User | null> {
  if (ownUid() !== 0) return null
  const cluster = await clusterOf(settings)
  const needed = [...socketOf(databaseUrl), ...(await filesOf(settings))]
  const own = { ...(await ownUser('service')), groups: groupsFor(cluster) }
  const problem = await problemOf(own, needed)
  if (problem === null) return own
  const { uid, gid } = await chooseUser(cluster)
  if ((await problemOf({ uid, gid }, needed)) !== null)
    throw new SettingsError(
      `API and worker cannot run: ${problem}. They give up root and run as that user. Give it access; for a node’s cookie file there is the ` +
        'node’s setting rpccookieperms, or put user and password in rpc_url.',
    )
  log.warn({ uid }, `API and worker run as the database's user, because ${problem}`)
  return { uid, gid }
}

/** The folder of the database's socket, where it is reached by one. Connections are opened again and again. */
function socketOf(databaseUrl: string): Access[] {
  const url = postgresUrl(databaseUrl)
  if (url === null) return []
  const { hostname, searchParams } = url
  const host = searchParams.get('host') ?? decodeURIComponent(hostname)
  return host.startsWith('/') ? [[host, 'x']] : []
}

/** What API and worker read while they run, independent of the permission model. */
async function filesOf(settings: Settings): Promise<Access[]> {
  // A missing cookie file is written when its node starts; a problem with it shows then.
  const cookies = cookieFiles(settings).map(async (path) =>
    (await stat(path).catch(() => null)) === null ? [] : [path],
  )
  const paths = [...connectionFiles(settings), ...(await Promise.all(cookies)).flat()]
  return paths.map((path) => [path, 'r'])
}

async function clusterOf(settings: Settings): Promise<Cluster | null> {
  return settings.databaseUrl === null ? findCluster(await realpath(settings.dataDir)) : null
}

/** The embedded database's group reaches its socket, and nothing else there. */
function groupsFor(cluster: Cluster | null): number[] {
  return cluster === null ? [] : [cluster.gid]
}

/** The user of that name in `/etc/passwd`, or a number that is not there. */
async function ownUser(part: keyof typeof ownUsers): Promise<{ uid: number; gid: number }> {
  const { name, firstUid, lastUid } = ownUsers[part]
  const users = (await readFile('/etc/passwd', 'utf8')).split('\n').map((line) => line.split(':'))
  const named = users.find((fields) => fields[0] === name)
  if (named !== undefined) return { uid: Number(named[2]), gid: Number(named[3]) }
  const taken = new Set(users.flatMap((fields) => [Number(fields[2]), Number(fields[3])]))
  for (let id = firstUid; id <= lastUid; id += 1) if (!taken.has(id)) return { uid: id, gid: id }
  throw new Error(`Every user from ${firstUid} to ${lastUid} exists.`)
}

type Access = readonly [path: string, how: 'x' | 'r']

/** Why a process could not work as this user; null if it can. */
async function problemOf(
  { uid, gid, groups = [] }: User,
  accesses: readonly Access[],
): Promise<string | null> {
  const users = [gid, ...groups].map((each) => ({ uid, gid: each, drop: true }))
  for (const user of users) if (!(await run(user, ['true'])).ok) return `this machine has no user ${uid}`
  for (const [path, how] of accesses) {
    const can = await Promise.all(users.map((user) => canAccess(user, resolve(path), how)))
    if (!can.includes(true)) return `user ${uid} cannot ${verbs[how]} ${path}`
  }
  return null
}

const verbs = { x: 'enter', r: 'read' } as const
