import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { makeDataFolder } from '../support/processes/data-folder.ts'
import { runCommand } from '../support/processes/run-command.ts'
import {
  childrenOf,
  runSluice,
  type SluiceProcess,
  startSluice,
} from '../support/processes/sluice-process.ts'
import { makeTemporaryFolder, type TemporaryFolder } from '../support/processes/temporary-folder.ts'

let folder: TemporaryFolder
let env: Record<string, string>
let service: SluiceProcess | null
beforeEach(async () => {
  folder = await makeTemporaryFolder()
  env = { SLUICE_DATA_DIR: join(folder.path, 'data') }
  await makeDataFolder(env.SLUICE_DATA_DIR ?? '')
  service = null
})
afterEach(async () => {
  await service?.end('SIGTERM')
  await folder.remove()
})

// The signer has its permissions and, if root started it, a user of its own.
it('a signer that runs as a process of its own takes the operator’s orders', async () => {
  service = await startSluice(env)
  const signer = () => childrenOf(service?.child as never).find(({ role }) => role === 'signer')?.pid
  const before = signer()
  const listed = JSON.parse((await runCommand(['merchant', 'list', '--json'], env)).stdout)
  const whose = ['--merchant', listed.merchants[0].merchant_id, '--environment', 'test', '--json']
  const state = async () => {
    const { stdout, stderr } = await runCommand(['passkey', 'list', ...whose], env)
    expect(stderr).toBe('')
    return JSON.parse(stdout)
  }
  expect(await state()).toMatchObject({ passkeys_required: false, approvals_required: 1 })
  const done = await runSluice(['passkey', 'require', 'on', '--approvals', '2', ...whose], env)
  expect([done.code, done.stderr]).toEqual([0, ''])
  expect(await state()).toMatchObject({ passkeys_required: true, approvals_required: 2 })
  expect([signer(), before]).toEqual([before, expect.any(Number)])
  const left = await readdir(join(env.SLUICE_DATA_DIR ?? '', 'wallet'))
  expect(left.filter((name) => name.includes('order'))).toEqual([])
})
