import { once } from 'node:events'
import { readdir, writeFile } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { readSettings } from '../../src/settings/settings.ts'
import { checkPlaces } from '../../src/wire/check-places.ts'
import { runSluice } from '../support/processes/sluice-process.ts'
import { makeTemporaryFolder, type TemporaryFolder } from '../support/processes/temporary-folder.ts'

let folder: TemporaryFolder
beforeEach(async () => {
  folder = await makeTemporaryFolder()
})
afterEach(() => folder.remove())

it('a port in use is reported before anything is created, with the next step', async () => {
  const taken = createServer().listen(0, '127.0.0.1')
  await once(taken, 'listening')
  const { port } = taken.address() as AddressInfo
  const env = { PORT: String(port), SLUICE_DATA_DIR: join(folder.path, 'data') }
  const { code, stdout, stderr } = await runSluice(['start'], env)
  taken.close()
  expect(code).toBe(1)
  expect(stdout).toBe('')
  expect(stderr).toBe(
    `Port ${port} on 127.0.0.1 is in use by another program, perhaps another Sluice. Stop it, or choose another port: PORT=8080 npm start\n`,
  )
  expect(await readdir(folder.path)).toEqual([])
})

it('a data folder that cannot be created is reported before anything else is created, with the next step', async () => {
  const { code, stderr } = await runSluice(['start'], { SLUICE_DATA_DIR: '/proc/sluice/data' })
  expect(code).toBe(1)
  expect(stderr).toMatch(
    /^Cannot create the data folder \/proc\/sluice\/data: no folder can be created in \/proc \(\w+\)\. Set SLUICE_DATA_DIR to a folder/,
  )
  expect(stderr.trim().split('\n')).toHaveLength(1)
})

it('a privileged port and an address of another machine are reported with the next step', async () => {
  const check = (env: Record<string, string>) =>
    checkPlaces(readSettings({ SLUICE_DATA_DIR: folder.path, ...env }), 'all')
  await expect(check({ HOST: '192.0.2.1', PORT: '0' })).rejects.toThrow(
    'HOST: this machine has no address "192.0.2.1". Use 127.0.0.1 for this machine only',
  )
  await withoutRoot(() =>
    expect(check({ PORT: '80' })).rejects.toThrow(
      'Only root may open port 80 (and all ports up to 1023). Choose',
    ),
  )
})

it('a live gate on a database of the operator’s needs a secret key', async () => {
  const config = join(folder.path, 'config.json')
  const gate = {
    network: 'bitcoin',
    environment: 'live',
    kind: 'bitcoin',
    rpc_url: 'http://a:b@127.0.0.1:1',
    chain: 'main',
  }
  await writeFile(config, JSON.stringify({ gates: [gate] }))
  const env = { SLUICE_CONFIG: config, SLUICE_DATA_DIR: folder.path, PORT: '0' }
  const check = (more: Record<string, string>) => checkPlaces(readSettings({ ...env, ...more }), 'all')
  const external = { DATABASE_URL: 'postgres://127.0.0.1:1/sluice' }
  await expect(check(external)).rejects.toThrow(
    'SLUICE_SECRET_KEY is not set, but bitcoin-live is a live gate',
  )
  await check({ ...external, SLUICE_SECRET_KEY: 'ab'.repeat(32) })
  // The embedded database's data folder has a key.
  await check({})
})

/** As an ordinary user, if this is root and can become one and return. */
async function withoutRoot(work: () => Promise<void>): Promise<void> {
  const isRoot = process.geteuid?.() === 0
  if (isRoot) process.seteuid?.(65_534)
  try {
    await work()
  } finally {
    if (isRoot) process.seteuid?.(0)
  }
}
