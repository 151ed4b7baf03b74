import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { auditBooks } from '../../../src/app/audit/audit-books.ts'
import { findRefills } from '../../../src/app/spends/cold/find-refills.ts'
import { createTestDatabase, type TestDatabase } from '../../support/database/database.ts'
import { type CoinNode, coins } from '../../support/nodes/coin-node.ts'
import { describeMainCoin } from '../../support/nodes/each-coin.ts'
import { gateConfig, type NodeShop, openNodeShop, startPayingNode } from '../../support/nodes/node-shop.ts'
import { runCommand } from '../../support/processes/run-command.ts'
import { platformBalance, untilColdSent } from '../../support/shop/cold.ts'
import { gateOf, hurry } from '../../support/shop/money-out.ts'
import { units } from '../../support/shop/refills.ts'

// Of 20 coins 5 stay hot, and refills leave the hot wallet below its cap of 10, so that nothing goes back.
const caps = {
  bitcoin: { cap: '600000.00', keep: '300000.00' },
  litecoin: { cap: '800.00', keep: '400.00' },
}

// The node's own wallet is the operator's cold wallet: a program that is not ours reads the PSBT, and signs it.
describeMainCoin((coin) => {
  const { currency } = coins[coin]
  const gateId = `${coin}-test` as const
  const folder = mkdtempSync(join(tmpdir(), 'sluice-refills-'))
  let node: CoinNode
  let database: TestDatabase
  let stage: NodeShop
  beforeAll(async () => {
    node = await startPayingNode(coin)
    database = await createTestDatabase()
    const config = {
      cold: [
        {
          network: coin,
          environment: 'test',
          destination: await node.ask('getnewaddress', 'cold', 'bech32'),
          ...caps[coin],
          currency: 'USD',
        },
      ],
    }
    stage = await openNodeShop(coin, { node, database, config, env: { SLUICE_DATA_DIR: folder } })
    const gates = [gateConfig(coin, node.url, { confirmations: 2 })]
    writeFileSync(join(folder, 'config.json'), JSON.stringify({ ...config, rates: { sources: [] }, gates }))
  })
  afterAll(async () => {
    await stage.close()
    await node.close()
    await database.drop()
    rmSync(folder, { recursive: true, force: true })
  })

  const held = (kind: string) => platformBalance(stage.service, kind, coin, currency)
  const spend = (id: string) => stage.service.app.store.spends.find(id)

  async function untilMined(id: string, status = 'final'): Promise<void> {
    await expect
      .poll(
        async () => {
          await stage.mine(1)
          await findRefills(stage.service.app, gateOf(stage.service, coin))
          await hurry(stage.service)
          return (await spend(id))?.status
        },
        { interval: 50 },
      )
      .toBe(status)
  }

  async function sluice(...args: string[]) {
    const { stdout, stderr, code } = await runCommand(['wallet', ...args, '--json'], {
      DATABASE_URL: database.serviceUrl,
      SLUICE_CONFIG: join(folder, 'config.json'),
    })
    return { made: code === 0 ? JSON.parse(stdout) : null, stderr }
  }

  async function prepare(name: string, amount: string) {
    const file = join(folder, name)
    const { made, stderr } = await sluice(
      ...['refill', '--network', coin, '--environment', 'test', '--amount', amount, '--out', file],
    )
    expect(made, stderr).not.toBeNull()
    return { ...made, psbt: readFileSync(file).toString('base64') } as {
      refill_id: string
      tx_hash: string
      network_fee: string
      psbt: string
    }
  }

  /** Hands in what the node's wallet has signed; base64, as it gives it. */
  async function submit(name: string, psbt: string) {
    const file = join(folder, name)
    writeFileSync(file, psbt)
    return sluice('refill', '--submit', file)
  }

  it('what is above the cap goes to the cold wallet', async () => {
    const invoice = await stage.shop.create(stage.of('20'))
    await stage.cli('sendtoaddress', invoice.deposit_address, '20')
    await stage.mine(2)
    const move = await untilColdSent(stage.service, gateId)
    await untilMined(move.id)
    expect(await held('cold')).toBeLessThan(-1_400_000_000n)
  })

  it('a refill is prepared, signed by the node’s wallet, handed in, mined and booked', async () => {
    const [cold, chain, float] = [await held('cold'), await held('chain'), await held('float')]
    const refill = await prepare('first.psbt', '2')
    const decoded = await node.ask('decodepsbt', refill.psbt)
    expect(decoded.tx.txid).toBe(refill.tx_hash)
    expect((await submit('unsigned.psbt', refill.psbt)).stderr).toContain('Input 0 is not signed')
    const signed = await node.ask('walletprocesspsbt', refill.psbt)
    expect(signed.complete).toBe(true)
    expect((await submit('signed.psbt', signed.psbt)).made).toMatchObject({
      refill_id: refill.refill_id,
      tx_hash: refill.tx_hash,
      refusal: null,
    })
    expect(await node.ask('getrawmempool')).toContain(refill.tx_hash)
    await untilMined(refill.refill_id)
    const fee = units(refill.network_fee)
    expect(await held('cold')).toBe(cold + 200_000_000n + fee)
    expect(await held('chain')).toBe(chain - 200_000_000n)
    expect(await held('float')).toBe(float - fee)
    expect(await stage.heldInBooks()).toBe(await stage.heldOnChain())
    expect(await auditBooks(stage.service.app)).toEqual({ ok: true, differences: [] })
  })

  it('one that was given up and is sent by the node’s wallet is found with its signatures, and survives a reorganisation', async () => {
    const refill = await prepare('second.psbt', '1')
    expect((await sluice('give-up', refill.refill_id)).made).toMatchObject({ spend_id: refill.refill_id })
    const { psbt } = await node.ask('walletprocesspsbt', refill.psbt)
    const { hex } = await node.ask('finalizepsbt', psbt)
    expect(await node.ask('sendrawtransaction', hex)).toBe(refill.tx_hash)
    await stage.mine(1)
    const booking = async () => {
      await findRefills(stage.service.app, gateOf(stage.service, coin))
      return stage.service.app.store.refills.withHash(gateId, refill.tx_hash)
    }
    await expect.poll(async () => (await booking())?.status).toBe('open')
    const { spendId: again = '' } = (await booking()) ?? {}
    expect(again).not.toBe(refill.refill_id)
    const stored = (await spend(again))?.transactions[0]?.signed?.bytes
    expect(Buffer.from(stored ?? []).toString('hex')).toBe(hex)
    await node.ask('invalidateblock', await node.ask('getbestblockhash'))
    await node.mine(2)
    await stage.settle()
    await untilMined(again)
    expect(await stage.heldInBooks()).toBe(await stage.heldOnChain())
    expect(await auditBooks(stage.service.app)).toEqual({ ok: true, differences: [] })
  })

  it('the command refuses files that it cannot write or read, and says what to do', async () => {
    const prepared = (out: string) =>
      sluice(...['refill', '--network', coin, '--environment', 'test', '--amount', '1', '--out', out])
    writeFileSync(join(folder, 'there'), '')
    expect((await prepared(join(folder, 'there'))).stderr).toContain('it exists already. Name another file.')
    expect((await prepared(join(folder, 'no', 'folder'))).stderr).toContain('no such file or folder')
    expect((await sluice('refill', '--submit', join(folder, 'none'))).stderr).toContain(
      'no such file or folder',
    )
    expect((await sluice('refill', '--submit', folder)).stderr).toContain('it is a folder')
    expect((await sluice('refill', '--amount', '1')).stderr).toContain('Name --network, --amount and --out')
    expect((await sluice('cold')).made.gates).toMatchObject([{ refills: [] }])
  })
})
