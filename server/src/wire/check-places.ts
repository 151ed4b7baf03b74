import { once } from 'node:events'
import { mkdtemp, rmdir, stat } from 'node:fs/promises'
import { createServer } from 'node:net'
import { dirname, join } from 'node:path'
import type { ServiceRole } from '../cli/tools.ts'
import { type Settings, SettingsError } from '../settings/settings.ts'

/** The last port that only root may open on an ordinary Linux. */
const lastPrivilegedPort = 1023

/**
 * Refuses a port that cannot be opened, a data folder that cannot be created, or a live gate without a secret key, before
 * anything is created.
 */
export async function checkPlaces(settings: Settings, role: ServiceRole): Promise<void> {
  checkSecretKey(settings)
  if (role === 'all' || role === 'api') await checkPort(settings)
  if (settings.databaseUrl === null || role === 'all' || role === 'signer')
    await checkDataFolder(settings.dataDir)
}

/** Without a key, an address that someone else put into the database cannot be told from ours. */
function checkSecretKey({ databaseUrl, secretKey, config }: Settings): void {
  const live = config.gates.find(({ environment }) => environment === 'live')
  if (live === undefined || databaseUrl === null || secretKey !== null) return
  throw new SettingsError(
    `SLUICE_SECRET_KEY is not set, but ${live.id} is a live gate: without it, Sluice cannot prove that deposit addresses in the ` +
      'database are its own. Make one (openssl rand -hex 32) and set it for every process, also for the signer.',
  )
}

async function checkPort({ host, port }: Settings): Promise<void> {
  const server = createServer()
  try {
    server.listen({ host, port })
    await once(server, 'listening')
  } catch (error) {
    throw new SettingsError(explainPort(host, port, codeOf(error)))
  }
  server.close()
  await once(server, 'close')
}

function explainPort(host: string, port: number, code: string): string {
  if (code === 'EADDRINUSE')
    return (
      `Port ${port} on ${host} is in use by another program, perhaps another Sluice. Stop it, or choose another ` +
      `port: PORT=${port === 8080 ? 8081 : 8080} npm start`
    )
  if (code === 'EACCES' && port <= lastPrivilegedPort)
    return (
      `Only root may open port ${port} (and all ports up to ${lastPrivilegedPort}). Choose a higher one, such as PORT=8080, ` +
      'and let a reverse proxy listen on the low one.'
    )
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND' || code === 'EAI_AGAIN')
    return `HOST: this machine has no address "${host}". Use 127.0.0.1 for this machine only, or 0.0.0.0 for all its networks.`
  return `Sluice cannot listen on ${host}, port ${port} (${code}). Set HOST and PORT to values that this machine allows.`
}

/** Creates a temporary folder there: permissions alone say little about a read-only disk or a folder such as /proc. */
async function checkDataFolder(dataDir: string): Promise<void> {
  const nearest = await nearestFolder(dataDir)
  if (nearest === dataDir) return
  try {
    await rmdir(await mkdtemp(join(nearest, '.sluice-')))
  } catch (error) {
    throw new SettingsError(
      `Cannot create the data folder ${dataDir}: no folder can be created in ${nearest} (${codeOf(error)}). Set SLUICE_DATA_DIR to a ` +
        'folder on a writable disk.',
    )
  }
}

/** The path itself or the nearest folder above it that exists. */
async function nearestFolder(path: string): Promise<string> {
  const isThere = await stat(path).then(
    () => true,
    () => false,
  )
  return isThere || dirname(path) === path ? path : nearestFolder(dirname(path))
}

function codeOf(error: unknown): string {
  return String((error as { code?: unknown }).code ?? error)
}
