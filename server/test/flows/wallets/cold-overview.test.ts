import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { listGates } from '../../../src/app/operator/list-gates.ts'
import { prepareRefill } from '../../../src/app/spends/cold/prepare-refill.ts'
import { giveUpMove } from '../../../src/app/spends/settling/give-up-move.ts'
import { gateView } from '../../../src/http/resources/operator/view.ts'
import { createTestDatabase, type TestDatabase } from '../../support/database/database.ts'
import { runSluice } from '../../support/processes/sluice-process.ts'
import { coldAddressAt, coldKeyOn, untilColdSent, untilEnded } from '../../support/shop/cold.ts'
import { expectCleanBooks } from '../../support/shop/money-out.ts'
import { startTestService, type TestService } from '../../support/shop/service.ts'
import { openShop, quiet, type Shop } from '../../support/shop/shop.ts'

const folder = mkdtempSync(join(tmpdir(), 'sluice-cold-'))
const cold = {
  network: 'bitcoin',
  environment: 'test',
  destination: coldKeyOn('test'),
  cap: '600.00',
  keep: '300.00',
  currency: 'USD',
}
const settings = { destination: cold.destination, cap: '600.00', keep: '300.00', currency: 'USD' }
let database: TestDatabase
let service: TestService
let shop: Shop
beforeAll(async () => {
  database = await createTestDatabase()
  service = await startTestService({
    ...quiet,
    env: { ...quiet.env, SLUICE_DATA_DIR: folder },
    config: { ...quiet.config, cold: [cold] },
    database,
  })
  shop = await openShop(service)
  writeFileSync(join(folder, 'cold.json'), JSON.stringify({ rates: { sources: [] }, cold: [cold] }))
})
afterAll(async () => {
  await expectCleanBooks(service)
  await service.stop()
  await database.drop()
  rmSync(folder, { recursive: true, force: true })
})

const run = (...args: string[]) =>
  runSluice(['wallet', 'cold', ...args], {
    DATABASE_URL: database.serviceUrl,
    SLUICE_CONFIG: join(folder, 'cold.json'),
  })
const onPage = async () =>
  (await listGates(service.app)).map(gateView).find(({ gate_id }) => gate_id === 'bitcoin-test')?.cold

it('the operator sees what is hot, in transit and cold, in the currency and in fiat', async () => {
  expect(await onPage()).toEqual({ ...settings, holdings: [] })
  await shop.fund('0.012')
  const sent = await untilColdSent(service, 'bitcoin-test')
  expect(await onPage()).toEqual({
    ...settings,
    holdings: [
      {
        currency: 'BTC',
        hot: '0.005',
        in_transit: '0.007',
        cold: '0',
        hot_value: '300.00',
        in_transit_value: '420.00',
        cold_value: '0.00',
      },
    ],
  })
  await untilEnded(shop, 'bitcoin', sent.id, 'final')
  expect(await onPage()).toMatchObject({
    holdings: [{ in_transit: '0', cold: '0.007', cold_value: '420.00' }],
  })
})

it('sluice wallet cold shows the same, and where it is', async () => {
  const page = await onPage()
  const { gates } = JSON.parse((await run('--json')).stdout)
  expect(gates).toEqual([
    {
      gate_id: 'bitcoin-test',
      ...settings,
      first_address: coldAddressAt(0),
      holdings: page?.holdings,
      coins: [
        {
          tx_hash: expect.stringMatching(/^[0-9a-f]{64}$/),
          output_index: expect.any(Number),
          amount: '0.007',
          address: coldAddressAt(0),
          index: 0,
        },
      ],
      refills: [],
    },
  ])
  const { stdout } = await run('--network', 'bitcoin')
  expect(stdout).toContain(`its first address is ${coldAddressAt(0)}`)
  expect(stdout).toMatch(/cold\s+0\.007 BTC {2}\(420\.00 USD\)/)
  expect((await run('--network', 'litecoin')).stdout).toContain('There is no cold wallet here')
})

it('a prepared refill is in transit on the page, and the command says what to do with it', async () => {
  const { app } = service
  const by = { actor: 'cli:ada', name: 'ada', ip: null, userAgent: null }
  const { id, fee } = await prepareRefill(app, { gateId: 'bitcoin-test', amount: '0.003', by })
  const [holding] = (await onPage())?.holdings ?? []
  expect(Number(holding?.in_transit)).toBeCloseTo(0.003 + Number(fee), 8)
  const { gates } = JSON.parse((await run('--json')).stdout)
  expect(gates[0].refills).toMatchObject([{ refill_id: id, status: 'prepared', amount: '0.003' }])
  const { stdout } = await run()
  expect(stdout).toContain(`refill ${id}: 0.003 BTC to the hot wallet, ${fee} BTC to the network; prepared`)
  expect(stdout).toContain(`npx sluice wallet give-up ${id}`)
  await giveUpMove(app, id, { by, deadSpendId: null })
  expect(JSON.parse((await run('--json')).stdout).gates[0].refills).toEqual([])
})
