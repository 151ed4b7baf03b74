import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'vitest'
import { makeIdentity } from '../../src/backup/age.ts'
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../../src/postgres/embedded.ts'
import { query } from '../support/database/database.ts'
import { runCommand } from '../support/processes/run-command.ts'
import { spawnCommand } from '../support/processes/sluice-process.ts'
import { makeTemporaryFolder } from '../support/processes/temporary-folder.ts'
import { startTestService, type TestService } from '../support/shop/service.ts'
import { quiet } from '../support/shop/shop.ts'

/** A place with a data folder, a folder for backups and a key for them. */
export async function makeGround() {
  const folder = await makeTemporaryFolder()
  const { identity, recipient } = makeIdentity()
  const identityFile = join(folder.path, 'identity.txt')
  await writeFile(identityFile, `${identity}\n`, { mode: 0o600 })
  const store = join(folder.path, 'store')
  const env = (dataDir: string): Record<string, string> => ({
    SLUICE_DATA_DIR: join(folder.path, dataDir),
    SLUICE_BACKUP_TARGET: store,
    SLUICE_BACKUP_RECIPIENTS: recipient,
    SLUICE_SECRET_KEY: '5e'.repeat(32),
  })
  return {
    path: folder.path,
    store,
    identityFile,
    env,
    remove: folder.remove,
    at: (name: string) => join(folder.path, name),
    run: (args: readonly string[], dataDir = 'data') => runCommand(args, env(dataDir)),
    /** Runs a command that must succeed, and returns its result. */
    async told(args: readonly string[], dataDir = 'data') {
      const { code, stdout, stderr } = await runCommand([...args, '--json'], env(dataDir))
      expect(code, `${stderr}\n${stdout}`).toBe(0)
      return JSON.parse(stdout)
    },
    /** Starts `sluice backup --follow`; `end` stops it as a service manager does. */
    follow(dataDir = 'data') {
      const child = spawnCommand(['backup', '--follow', '--flush', '1'], env(dataDir))
      let said = ''
      child.stderr?.on('data', (chunk) => {
        said += chunk
      })
      return {
        said: () => said,
        async end() {
          child.kill('SIGTERM')
          const [code] = await once(child, 'exit')
          expect(code, said).toBe(0)
        },
        async kill() {
          if (child.exitCode !== null || child.signalCode !== null) return
          child.kill('SIGKILL')
          await once(child, 'exit')
        },
      }
    },
  }
}

/** The whole service on the embedded database of a data folder, as it is there. */
export async function runOn(
  dataDir: string,
): Promise<{ service: TestService; postgres: EmbeddedPostgres; stop(): Promise<void> }> {
  const postgres = await startEmbeddedPostgres({ dataDir, purpose: 'service', log: () => {} })
  const database = { url: postgres.ownerUrl, serviceUrl: postgres.url, drop: async () => {} }
  try {
    const service = await startTestService({
      ...quiet,
      database,
      env: { ...quiet.env, SLUICE_DATA_DIR: dataDir },
    })
    const stop = async () => {
      await service.stop()
      await postgres.stop()
    }
    return { service, postgres, stop }
  } catch (error) {
    await postgres.stop()
    throw error
  }
}

/** Returns once the follower has stored everything that is committed now. */
export async function untilStored(superuserUrl: string): Promise<void> {
  const [{ lsn } = { lsn: '' }] = await query(superuserUrl, 'select pg_current_wal_lsn()::text as lsn')
  await expect
    .poll(async () => {
      const slots = await query(
        superuserUrl,
        'select restart_lsn >= $1::pg_lsn as done from pg_replication_slots',
        [lsn],
      )
      return slots.length === 1 && slots[0]?.done
    })
    .toBe(true)
}
