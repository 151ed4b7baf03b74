import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { auditEverything } from '../app/audit/audit-everything.ts'
import { BackupError } from '../backup/error.ts'
import { programsFor } from '../backup/programs.ts'
import { type Scratch, startScratch } from '../backup/recover.ts'
import { type Restored, type RestoreOrder, restore } from '../backup/restore.ts'
import type { Log } from '../log.ts'
import { chooseUser, run } from '../postgres/run-as.ts'
import type { Settings } from '../settings/settings.ts'
import { migrate } from '../store/migrate.ts'
import { openAppWith } from './app.ts'
import { Closers } from './closers.ts'

const scratchRole = 'sluice_scratch'

/**
 * Restores a backup into a folder of its own, opens the copy, brings it to this version's schema and audits it. The folder is
 * removed in any case.
 */
export async function verifyBackup(
  settings: Settings,
  log: Log,
  order: Omit<RestoreOrder, 'dataDir' | 'say'>,
  scratchFolder: string | null,
  say: (message: string) => void,
): Promise<{
  readonly ok: boolean
  readonly differences: readonly string[]
  readonly restored: Restored
  readonly seconds: number
}> {
  const startedMs = performance.now()
  const folder = await mkdtemp(join(scratchFolder ?? tmpdir(), 'sluice-verify-'))
  try {
    // The database's user passes through it when root verifies.
    await chmod(folder, 0o711)
    const dataDir = join(folder, 'data')
    const restored = await restore({ ...order, dataDir, say })
    say('Opening the copy and auditing it.')
    const { ok, differences } = await audit({ ...settings, dataDir }, log, restored)
    return { ok, differences, restored, seconds: Math.ceil((performance.now() - startedMs) / 1000) }
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 5 })
  }
}

async function audit(settings: Settings, log: Log, { cluster, base }: Restored) {
  const user = await chooseUser(null)
  const { usable: programs } = await programsFor(base.postgresMajor, user, async () => settings.dataDir)
  const scratch: Scratch = { cluster, user, programs }
  await makeRole(scratch, base.database)
  const hba = join(cluster, 'sluice-scratch-hba.conf')
  // Its socket is in a folder that only this user and root can enter.
  await writeFile(hba, 'local all all trust\n', { mode: 0o644 })
  const server = await startScratch(scratch, [`hba_file=${hba}`])
  const closers = new Closers()
  closers.add(() => server.stop())
  try {
    const host = encodeURIComponent(server.socketFolder)
    const databaseUrl = `postgres://${scratchRole}@${host}:5432/${encodeURIComponent(base.database)}?sslmode=disable`
    await migrate(databaseUrl)
    const sealKey = await readFile(join(settings.dataDir, 'secret-key'), 'utf8').then(
      (text) => Buffer.from(text.trim(), 'hex'),
      () => settings.secretKey,
    )
    const { app, gates } = await openAppWith({ databaseUrl, sealKey }, settings, log, closers)
    await gates.load()
    return await auditEverything(app)
  } finally {
    await closers.close()
  }
}

/** A superuser for this copy alone: the names of the roles of another server are unknown. */
async function makeRole({ cluster, user, programs }: Scratch, database: string): Promise<void> {
  const { ok, output } = await run(user, [programs.postgres, '--single', '-D', cluster, database], {
    cwd: cluster,
    input: `create role ${scratchRole} superuser login;\n`,
  })
  if (!ok || /\b(ERROR|FATAL): /.test(output))
    throw new BackupError(`The restored database cannot be opened:\n${output}`)
}
