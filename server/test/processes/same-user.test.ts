import { spawnSync } from 'node:child_process'
import { chown, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { canAccess } from '../../src/postgres/run-as.ts'
import { factsOf } from '../support/processes/process-tree.ts'
import { childrenOf, type SluiceProcess, startSluice } from '../support/processes/sluice-process.ts'
import { makeTemporaryFolder, type TemporaryFolder } from '../support/processes/temporary-folder.ts'

const isRoot = process.getuid?.() === 0
const nobody = { uid: 65534, gid: 65534 }
const canBecomeOrdinary =
  isRoot && (await canAccess({ ...nobody, drop: true }, fileURLToPath(import.meta.url), 'r'))

let folder: TemporaryFolder
let service: SluiceProcess | null
let keyFile: string
beforeEach(async () => {
  folder = await makeTemporaryFolder()
  keyFile = join(folder.path, 'wallet-key')
  await writeFile(keyFile, 'ab'.repeat(32), { mode: 0o600 })
  service = null
})
afterEach(async () => {
  await service?.end('SIGTERM')
  await folder.remove()
})

/**
 * What native code in the API process would get at: Node's permission model, which keeps JavaScript from all of this, is
 * no boundary for it. It is played by programs of that process's user.
 */
async function gets(starter: Partial<typeof nobody>): Promise<string[]> {
  for (const path of starter.uid === undefined ? [] : [folder.path, keyFile])
    await chown(path, nobody.uid, nobody.gid)
  const dataDir = join(folder.path, 'data')
  service = await startSluice({ SLUICE_DATA_DIR: dataDir, SLUICE_WALLET_KEY_FILE: keyFile }, [], starter)
  const pidOf = (role: string) =>
    childrenOf(service?.child as never).find((each) => each.role === role)?.pid ?? 0
  const uid = Number(/^Uid:\s+(\d+)/m.exec(factsOf(pidOf('service'), 'status'))?.[1])
  const gid = Number(/^Gid:\s+(\d+)/m.exec(factsOf(pidOf('service'), 'status'))?.[1])
  const signer = `/proc/${pidOf('signer')}`
  const ways = {
    'the environment of the signer': `${signer}/environ`,
    'the memory map of the signer': `${signer}/maps`,
    'the wallet': join(dataDir, 'wallet', 'test-wallet.json'),
    'the wallet, as the signer sees it': `${signer}/root${join(dataDir, 'wallet', 'test-wallet.json')}`,
    'the key file': keyFile,
  }
  return Object.entries(ways)
    .filter(([, path]) => spawnSync('head', ['-c', '1', path], { uid, gid }).stdout.length > 0)
    .map(([name]) => name)
}

describe('native code in the API process', () => {
  it.runIf(isRoot)('gets nothing of the signer’s if root started the service', async () => {
    expect(await gets({})).toEqual([])
  })

  it.runIf(canBecomeOrdinary)(
    'gets everything of the signer’s if an ordinary user started it: run the signer as another user',
    async () => {
      expect(await gets(nobody)).toEqual([
        'the environment of the signer',
        'the memory map of the signer',
        'the wallet',
        'the wallet, as the signer sees it',
        'the key file',
      ])
    },
  )
})
