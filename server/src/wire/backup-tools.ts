import { open, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import packaged from '../../package.json' with { type: 'json' }
import { makeIdentity, readIdentity, readRecipient } from '../backup/age.ts'
import { BackupError } from '../backup/error.ts'
import { followLog, LogGoneError } from '../backup/follow-log.ts'
import { readManifests } from '../backup/manifest.ts'
import { openTarget } from '../backup/open-target.ts'
import { restore } from '../backup/restore.ts'
import { prune } from '../backup/retention.ts'
import { noteStatus } from '../backup/status.ts'
import { walletKeeper } from '../backup/store-wallet.ts'
import { type Source, takeBase } from '../backup/take-base.ts'
import type { Target } from '../backup/target.ts'
import type { BackupPart, BackupTools, RestoreWanted } from '../cli/tools.ts'
import { findRunningPostgres, startEmbeddedPostgres } from '../postgres/embedded.ts'
import { findCluster } from '../postgres/place.ts'
import { postgresUrl } from '../settings/postgres-url.ts'
import type { Settings } from '../settings/settings.ts'
import { readChainedLines } from '../signer/chained-file.ts'
import { walletFolder } from './isolation.ts'
import { verifyBackup } from './verify-backup.ts'

/** How long to wait before trying again, when the database or the store is away. */
const retryMs = 5_000
const noteEveryMs = 30_000
/** How many files of others a message names. */
const maxNamed = 5

/** Implements the commands for backups. They run beside the service, as the user who owns the data folder, or as root. */
export const backupTools: BackupTools = {
  keygen: async () => makeIdentity(),

  async take(settings, log, { to, part, keep }, say) {
    const [target, recipients] = [
      openTarget(to ?? settings.backup.target, settings.backup.s3),
      recipientsOf(settings),
    ]
    let base = null
    if (part !== 'wallet') {
      const postgres =
        settings.databaseUrl === null ? await startOwn(settings, (text) => log.info(text)) : null
      try {
        say('Copying the database.')
        base = await takeBase(sourceOf(settings, postgres?.superuserUrl ?? null), target, recipients)
      } finally {
        await postgres?.stop()
      }
    }
    // After the database: the journal must not be older than it.
    if (part !== 'database') {
      const isStored = await (await keeperOf(settings, target, recipients, part))(new Date())
      if (part === 'wallet' && !isStored.isChanged) say('Nothing of the wallet has changed.')
    }
    const now = new Date()
    const { foreign } = await prune(target, keep, now)
    if (foreign.length > 0) say(foreignFiles(target, foreign))
    await noteStatus(settings.dataDir, {
      ...(base !== null && { baseAt: base.finishedAt }),
      storedAt: now.toISOString(),
    })
    return { target: target.shown, base: base === null ? null : { ...base, bytes: bytesOf(base) } }
  },

  async follow(settings, log, { to, part, keep, everyMs, flushMs, signal }, say) {
    const [target, recipients] = [
      openTarget(to ?? settings.backup.target, settings.backup.s3),
      recipientsOf(settings),
    ]
    const keeper = part === 'database' ? null : await keeperOf(settings, target, recipients, part)
    // Files of others that keep a folder, which is said once.
    const told = new Set<string>()
    let [isTakingBase, isFresh, isWaiting, isStored, notedMs] = [false, false, false, false, 0]

    const afterFlush = async (source: Source | null): Promise<void> => {
      await keeper?.(new Date())
      if (Date.now() - notedMs > noteEveryMs) {
        notedMs = Date.now()
        await noteStatus(settings.dataDir, { storedAt: new Date().toISOString() })
      }
      if (source === null || isTakingBase) return
      isTakingBase = true
      try {
        const newest = (await readManifests(target, await target.list('base/'))).bases.at(-1)
        if (newest !== undefined) await noteStatus(settings.dataDir, { baseAt: newest.finishedAt })
        if (newest !== undefined && Date.now() - Date.parse(newest.finishedAt) < everyMs) return
        const { id, finishedAt } = await takeBase(source, target, recipients)
        const foreign = (await prune(target, keep, new Date())).foreign.filter((name) => !told.has(name))
        for (const name of foreign) told.add(name)
        if (foreign.length > 0) log.warn(foreignFiles(target, foreign))
        await noteStatus(settings.dataDir, { baseAt: finishedAt })
        log.info({ base: id }, 'base backup taken')
      } finally {
        isTakingBase = false
      }
    }

    while (!signal.aborted) {
      try {
        if (part === 'wallet') await afterFlush(null)
        else {
          const running = settings.databaseUrl === null ? await findRunningPostgres(settings.dataDir) : null
          if (settings.databaseUrl !== null || running !== null) {
            const source = sourceOf(settings, running?.superuserUrl ?? null)
            say(`Storing every change in ${target.shown}.`)
            isWaiting = false
            await followLog({
              source,
              target,
              recipients,
              flushMs,
              signal,
              isFresh,
              say: (message) => log.info(message),
              afterFlush: () => afterFlush(source),
            })
            isFresh = false
            isStored = signal.aborted
          } else if (!isWaiting) {
            isWaiting = true
            say('The service is not running: waiting for it.')
          }
        }
      } catch (error) {
        if (signal.aborted) break
        isFresh = error instanceof LogGoneError
        log.error({ err: error }, 'BACKUPS ARE INTERRUPTED')
      }
      await sleep(part === 'wallet' ? flushMs : retryMs, null, { signal }).catch(() => {})
    }
    await keeper?.(new Date())
    return { isStored: isStored || part === 'wallet' }
  },

  async restore(settings, wanted, say) {
    const restored = await restore({ ...(await sourceFor(settings, wanted)), dataDir: wanted.dataDir, say })
    return shownRestored(restored)
  },

  async verify(settings, log, wanted, say) {
    const verified = await verifyBackup(settings, log, await sourceFor(settings, wanted), wanted.scratch, say)
    await noteStatus(settings.dataDir, { verifiedAt: new Date().toISOString(), verifiedOk: verified.ok })
    const { ok, differences, seconds, restored } = verified
    return { ok, differences, seconds, restored: shownRestored(restored) }
  },
}

function foreignFiles({ shown }: Target, names: readonly string[]): string {
  const more = names.length > maxNamed ? ` and ${names.length - maxNamed} more` : ''
  return `These files in ${shown} are no part of a backup. They stay, and their old folders with them: ${names.slice(0, maxNamed).join(', ')}${more}`
}

function shownRestored(restored: Awaited<ReturnType<typeof restore>>) {
  const { base, cluster, lastCommit, isAll, walletAt, journals } = restored
  const { id: baseId, isEmbedded, finishedAt: baseAt } = base
  return { baseId, isEmbedded, baseAt, cluster, lastCommit, isAll, walletAt, journals }
}

async function sourceFor(settings: Settings, { from, identityFile, at }: RestoreWanted) {
  const text = await readFile(identityFile, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new BackupError(`The identity file ${identityFile} cannot be read (${error.code}).`)
  })
  return {
    target: openTarget(from ?? settings.backup.target, settings.backup.s3),
    identity: readIdentity(text),
    at,
    checkJournal,
  }
}

/** The checksums of a journal cover the lines before, so that two journals that were mixed are noticed. */
async function checkJournal(path: string): Promise<void> {
  const file = await open(path, 'r')
  try {
    const damaged = (line: number) =>
      new BackupError(
        `The journal in the backup is damaged at line ${line}. Two machines may have written to one backup.`,
      )
    const { end } = await readChainedLines(file, () => true, damaged)
    if (end !== (await file.stat()).size) throw damaged(0)
  } finally {
    await file.close()
  }
}

function recipientsOf({ backup }: Settings): Buffer[] {
  if (backup.recipients.length === 0)
    throw new BackupError(
      'SLUICE_BACKUP_RECIPIENTS is not set. Make a pair of keys with npx sluice backup keygen, keep the private one elsewhere, and set the public one.',
    )
  return backup.recipients.map((each) => {
    const key = readRecipient(each)
    if (key === null)
      throw new BackupError(`${each} in SLUICE_BACKUP_RECIPIENTS is mistyped: its checksum is wrong.`)
    return key
  })
}

async function startOwn(settings: Settings, log: (message: string) => void) {
  if ((await findCluster(settings.dataDir)) === null)
    throw new BackupError(
      `There is no database in ${settings.dataDir}. Use the settings of the service; for a wallet alone: --only wallet`,
    )
  return startEmbeddedPostgres({ dataDir: settings.dataDir, purpose: 'command', log })
}

function sourceOf({ databaseUrl, backup }: Settings, embedded: string | null): Source {
  const url = embedded ?? backup.databaseUrl ?? databaseUrl ?? ''
  const database =
    embedded === null
      ? decodeURIComponent(postgresUrl(databaseUrl ?? url)?.pathname.slice(1) ?? '')
      : 'sluice'
  return { url, database, isEmbedded: embedded !== null, sluiceVersion: packaged.version }
}

async function keeperOf(settings: Settings, target: Target, recipients: readonly Buffer[], part: BackupPart) {
  const folder = walletFolder(settings)
  const isThere = await stat(folder).then(
    () => true,
    () => false,
  )
  if (!isThere && part === 'wallet') throw new BackupError(`There is no wallet in ${settings.dataDir}.`)
  const kept =
    settings.databaseUrl === null
      ? await readFile(join(settings.dataDir, 'secret-key'), 'utf8').catch(() => null)
      : null
  const secretKey = settings.secretKey ?? (kept === null ? null : Buffer.from(kept.trim(), 'hex'))
  const source = { walletFolder: isThere ? folder : null, secretKey, configFile: settings.backup.configFile }
  return walletKeeper(source, target, recipients)
}

function bytesOf({
  archive,
  list,
}: {
  archive: readonly { bytes: number }[]
  list: { bytes: number }
}): number {
  return [...archive, list].reduce((sum, { bytes }) => sum + bytes, 0)
}
