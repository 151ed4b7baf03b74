import { afterAll, beforeAll, expect, it } from 'vitest'
import { auditEverything } from '../../../src/app/audit/audit-everything.ts'
import { listCoins } from '../../../src/app/spends/planning/list-coins.ts'
import { openTestWallet } from '../../../src/signer/kept-wallet.ts'
import { query } from '../../support/database/database.ts'
import { type NodeShop, openNodeShop } from '../../support/nodes/node-shop.ts'
import { makeTemporaryFolder, type TemporaryFolder } from '../../support/processes/temporary-folder.ts'
import { gateOf } from '../../support/shop/money-out.ts'

const gateId = 'litecoin-test'
let folder: TemporaryFolder
let stage: NodeShop
beforeAll(async () => {
  folder = await makeTemporaryFolder()
  stage = await openNodeShop('litecoin', { env: { SLUICE_DATA_DIR: folder.path } })
})
afterAll(async () => {
  await stage?.close()
  await folder?.remove()
})

/** Spends our largest coin unknown to the books, as a payout made after a backup does once that backup is restored. */
async function spendLargestOutside(): Promise<{ txHash: string }> {
  const { app } = stage.service
  const [coin] = await app.store.holdings.coins(gateId, gateOf(stage.service, 'litecoin').keychain, 1)
  const wallet = await openTestWallet(app, {
    dataDir: folder.path,
    log: { info: () => {}, warn: () => {} },
    chains: new Map([[gateId, { kind: 'bitcoin', written: 'regtest' }]]),
  })
  if (coin === undefined || wallet === null) throw new Error('There is nothing to spend.')
  const address = await stage.cli('getnewaddress', '', 'bech32')
  const outputs = [{ address, units: coin.units - 10_000n, payoutId: 'of somebody else' }]
  const signed = wallet.sign('litecoin', {
    kind: 'coins',
    inputs: [coin],
    outputs,
    change: null,
    feeUnits: 10_000n,
  })
  await stage.node.ask('sendrawtransaction', Buffer.from(signed.bytes).toString('hex'))
  return coin
}

it('a coin that is not on the chain is neither spent nor listed, and audit and log name it', async () => {
  const { shop, service, cli, mine } = stage
  // The largest coin alone would cover the payout.
  for (const amount of ['3', '1.5', '1.5']) {
    const { deposit_address } = await shop.create({ currency: 'LTC', network: 'litecoin', amount })
    await cli('sendtoaddress', deposit_address, amount)
  }
  await mine(2)
  const gone = await spendLargestOutside()
  await mine(1)
  const payout = await shop.payOut({
    currency: 'LTC',
    network: 'litecoin',
    amount: '2',
    destination: await cli('getnewaddress'),
  })
  expect((await shop.approve(payout)).status).toBe(200)
  await stage.untilPaidOut(payout)
  const listed = async () => (await listCoins(service.app, gateId)).coins.map(({ txHash }) => txHash)
  expect(await listed()).not.toContain(gone.txHash)
  expect(await auditEverything(service.app)).toMatchObject({
    ok: false,
    differences: [expect.stringContaining(gone.txHash)],
  })
  const alarms = service.logged.filter(({ msg }) => `${msg}`.startsWith('A COIN IN THE BOOKS IS NOT'))
  expect(alarms).toMatchObject([{ gate: gateId, tx_hash: gone.txHash }])
})

it('the audit names a coin that the database states with another amount, or says cannot be proved', async () => {
  const { shop, service, cli, mine } = stage
  const paid: string[] = []
  for (const amount of ['0.7', '0.8']) {
    const { deposit_address } = await shop.create({ currency: 'LTC', network: 'litecoin', amount })
    paid.push(await cli('sendtoaddress', deposit_address, amount))
  }
  await mine(2)
  const attack = (statement: string, ...values: readonly unknown[]) =>
    query(service.database.url, statement, values)
  const [larger, real] = paid
  const invented = 'ab'.repeat(32)
  await attack('update payments set units = units * 100 where tx_hash = $1', larger)
  await attack('update payments set tx_hash = $2 where tx_hash = $1', real, invented)
  await attack(
    'insert into previous_transactions (gate_id, tx_hash, asked_at) values ($1, $2, now())',
    gateId,
    invented,
  )
  const { differences } = await auditEverything(service.app)
  for (const hash of [larger, invented])
    expect(differences).toContainEqual(
      expect.stringMatching(`coin ${hash}:\\d+ of ${gateId}: .* but the node reports it as missing`),
    )
})
