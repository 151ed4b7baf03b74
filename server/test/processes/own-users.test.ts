import { chmod, chown, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Log } from '../../src/log.ts'
import { chooseUser } from '../../src/postgres/run-as.ts'
import { readSettings } from '../../src/settings/settings.ts'
import { chooseServiceUser, chooseSignerUser } from '../../src/wire/own-users.ts'
import { makeTemporaryFolder, type TemporaryFolder } from '../support/processes/temporary-folder.ts'

// Only root runs the processes as other users.
describe.runIf(process.getuid?.() === 0)('with a database elsewhere, whose certificate is in a file', () => {
  let folder: TemporaryFolder
  let certificate: string
  let warnings: string[]
  beforeEach(async () => {
    folder = await makeTemporaryFolder()
    await chmod(folder.path, 0o711)
    certificate = join(folder.path, 'ca.pem')
    await writeFile(certificate, 'a certificate')
    warnings = []
  })
  afterEach(() => folder.remove())

  const log = { warn: (_: unknown, text: string) => warnings.push(text) } as unknown as Log
  const databaseUrl = () => `postgres://sluice@database.example/sluice?sslrootcert=${certificate}`
  const settings = () => readSettings({ SLUICE_DATA_DIR: folder.path, DATABASE_URL: databaseUrl() })
  const service = (url = databaseUrl()) => chooseServiceUser(settings(), { databaseUrl: url }, log)
  const signer = (url = databaseUrl()) => chooseSignerUser(settings(), { databaseUrl: url }, log)

  it('API and worker have a user of their own, and the signer another', async () => {
    const users = [await service(), await signer(), await chooseUser(null)]
    expect(new Set([0, ...users.map((user) => user?.uid)]).size).toBe(4)
    expect(users.slice(0, 2)).toEqual([
      expect.objectContaining({ groups: [] }),
      expect.objectContaining({ groups: [] }),
    ])
    expect(warnings).toEqual([])
  })

  it('API and worker run as the database’s user where only that one can read it, and the log says so', async () => {
    const { uid, gid } = await chooseUser(null)
    await chmod(certificate, 0o600)
    await chown(certificate, uid, gid)
    expect(await service()).toEqual({ uid, gid })
    expect(warnings).toEqual([
      expect.stringMatching(/API and worker run as the database's user, because .*cannot read .*ca\.pem/),
    ])
  })

  it('no process has a user that cannot reach the database’s socket', async () => {
    const { uid, gid } = await chooseUser(null)
    const socket = join(folder.path, 'socket')
    await mkdir(socket, { mode: 0o700 })
    await chown(socket, uid, gid)
    for (const url of [
      `postgres://sluice@localhost/sluice?host=${socket}`,
      `postgres://sluice@${encodeURIComponent(socket)}:5432/sluice`,
      `postgres://sluice@/sluice?host=${socket}`,
    ])
      expect([await service(url), await signer(url)]).toEqual([{ uid, gid }, null])
    expect(warnings.slice(0, 2)).toEqual([
      expect.stringMatching(
        /API and worker run as the database's user, because user \d+ cannot enter .*socket/,
      ),
      expect.stringMatching(/the signer keeps running as root, because user \d+ cannot enter .*socket/),
    ])
  })

  it('nothing starts where neither can read it', async () => {
    await chmod(certificate, 0o600)
    await expect(service()).rejects.toThrow(/API and worker cannot run: user \d+ cannot read .*ca\.pem/)
  })
})
