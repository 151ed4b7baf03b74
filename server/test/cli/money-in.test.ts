import { afterAll, beforeAll, expect, it } from 'vitest'
import { runSluice } from '../support/sluice-process.ts'
import { makeTemporaryFolder, type TemporaryFolder } from '../support/temporary-folder.ts'

let folder: TemporaryFolder
let env: Record<string, string>
beforeAll(async () => {
  folder = await makeTemporaryFolder()
  env = { SLUICE_DATA_DIR: folder.path }
})
afterAll(() => folder.remove())

it('what is agreed with a merchant is set at creation, changed later, and listed', async () => {
  const created = await runSluice(
    ['merchant', 'create', '--name', 'Shop', '--fee-bps', '50', '--base-currency', 'eur', '--json'],
    env,
  )
  const { merchant_id: id } = JSON.parse(created.stdout)
  const updated = await runSluice(['merchant', 'update', id, '--tolerance-bps', '100', '--json'], env)
  const agreed = { merchant_id: id, base_currency: 'EUR', fee_bps: 50, tolerance_bps: 100 }
  expect(JSON.parse(updated.stdout)).toMatchObject(agreed)
  const listed = await runSluice(['merchant', 'list', '--json'], env)
  expect(JSON.parse(listed.stdout).merchants).toMatchObject([agreed])
})

it.each([
  [['merchant', 'update', 'nobody', '--fee-bps', '1'], 'There is no merchant nobody'],
  [['merchant', 'create', '--name', 'x', '--fee-bps', '10001'], 'from 0 to 10000'],
  [['merchant', 'create', '--name', 'x', '--base-currency', 'BTC'], 'a fiat code'],
  [['gate', 'resume', 'no-such-gate', '--from-height', '1'], 'There is no gate no-such-gate'],
  [['gate', 'resume', 'bitcoin-test', '--from-height', '-1'], 'a whole number'],
])('sluice %j is refused in plain words', async (args, words) => {
  const { code, stderr } = await runSluice(args, env)
  expect(code).toBe(1)
  expect(stderr).toContain(words)
})

it('gates are listed; before a first start there are none, and it says what to do', async () => {
  expect((await runSluice(['gate', 'list', '--json'], env)).stdout).toBe('{"gates":[]}\n')
  expect((await runSluice(['gate', 'list'], env)).stdout).toContain('npx sluice start')
})
