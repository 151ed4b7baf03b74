import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { auditBooks } from '../../../src/app/audit/audit-books.ts'
import { listCoins } from '../../../src/app/spends/planning/list-coins.ts'
import { formatDecimal } from '../../../src/domain/money.ts'
import { query } from '../../support/database/database.ts'
import { addressIn, coins } from '../../support/nodes/coin-node.ts'
import { floatOn, untilConsolidationSent } from '../../support/nodes/consolidation.ts'
import { describeMainCoin } from '../../support/nodes/each-coin.ts'
import { type NodeShop, openNodeShop } from '../../support/nodes/node-shop.ts'
import {
  createEndpoint,
  eventually,
  type HookReceiver,
  startHookReceiver,
  verify,
} from '../../support/servers/hook-receiver.ts'
import { approveTogether, hurry } from '../../support/shop/money-out.ts'

const prefixes = { bitcoin: 'bcrt1q', litecoin: 'rltc1q' }

describeMainCoin((coin) => {
  const { currency } = coins[coin]
  const other = coin === 'bitcoin' ? 'litecoin' : 'bitcoin'
  const gateId = `${coin}-test`

  let stage: NodeShop
  let receiver: HookReceiver
  beforeAll(async () => {
    receiver = await startHookReceiver()
    stage = await openNodeShop(coin, {
      gate: {
        consolidate: { below_rate: 3, coins: 10 },
        confirmation_tiers: [{ from: '5', confirmations: 4 }],
      },
    })
  })
  afterEach(async () => {
    expect(await auditBooks(stage.service.app)).toEqual({ ok: true, differences: [] })
    expect(await stage.heldInBooks()).toBe(await stage.heldOnChain())
  })
  afterAll(async () => {
    await stage.close()
    await receiver.close()
  })

  it('an invoice is paid from another wallet, sent as a webhook, paid out, confirmed by the node, and refunded', async () => {
    const { shop, node, cli, mine, settle, untilPaidOut } = stage
    const { secret } = await createEndpoint(shop, { url: receiver.url, events: null })

    const invoice = await shop.create(stage.of('1.5'))
    expect(invoice).toMatchObject({ gate_id: gateId, required_confirmations: 2 })
    expect(invoice.deposit_address.slice(0, 6)).toBe(prefixes[coin])
    expect(invoice.payment_uri).toBe(`${coin}:${invoice.deposit_address}?amount=1.5`)

    const hash = await cli('sendtoaddress', invoice.deposit_address, '1.5')
    await settle()
    expect(await shop.get(invoice)).toMatchObject({
      status: 'pending',
      amount_pending: '1.5',
      amount_paid: '0',
    })
    await mine(1)
    expect(await shop.get(invoice)).toMatchObject({ status: 'pending' })
    await mine(1)
    const paid = await shop.get(invoice)
    expect(paid).toMatchObject({ status: 'paid', amount_paid: '1.5' })
    expect(paid.payments).toMatchObject([
      { tx_hash: hash, amount: '1.5', confirmations: 2, status: 'confirmed' },
    ])
    const told = await eventually(() => {
      const found = receiver.hooks.find(({ body }) => body.event === 'invoice.paid')
      if (found === undefined) throw new Error('The webhook has not arrived yet.')
      return found
    })
    expect(verify(secret, told).data.id).toBe(invoice.id)

    const destination = await cli('getnewaddress', '', 'bech32')
    const payout = await shop.payOut({ ...stage.of('0.4'), destination })
    expect((await shop.approve(payout)).status).toBe(200)
    const done = await untilPaidOut(payout)
    const seen = JSON.parse(await cli('gettransaction', done.tx_hash))
    expect(seen).toMatchObject({ amount: 0.4, confirmations: 2, details: [{ address: destination }] })
    expect(await cli('getreceivedbyaddress', destination, '2')).toBe('0.40000000')

    const back = await cli('getnewaddress', '', 'p2sh-segwit')
    const refund = await shop.refund({
      invoice_id: invoice.id,
      currency,
      network: coin,
      amount: '0.25',
      destination: back,
    })
    expect(refund.status, refund.text).toBe(201)
    const { payout_id } = refund.body.data
    expect((await shop.approve({ id: payout_id })).status).toBe(200)
    await untilPaidOut({ id: payout_id })
    expect(await cli('getreceivedbyaddress', back, '2')).toBe('0.25000000')
    expect(await shop.get(invoice)).toMatchObject({ amount_refunded: '0.25' })
    expect((await node.ask('getrawmempool')).length).toBe(0)
  })

  it('coins from before their transactions were stored are paid out, because the node still has their blocks', async () => {
    const { shop, service, cli, mine, untilPaidOut } = stage
    const { deposit_address } = await shop.create(stage.of('2'))
    const hash = await cli('sendtoaddress', deposit_address, '2')
    await mine(2)
    const stored = () =>
      query(
        service.database.url,
        'select encode(bytes, $2) as bytes from previous_transactions where tx_hash = $1',
        [hash, 'hex'],
      )
    const [kept] = await stored()
    expect(kept?.bytes).toMatch(/^[0-9a-f]+$/)
    await query(service.database.url, 'delete from previous_transactions')
    const destination = await cli('getnewaddress', '', 'bech32')
    const payout = await shop.payOut({ ...stage.of('2.5'), destination })
    expect((await shop.approve(payout)).status).toBe(200)
    await untilPaidOut(payout)
    expect(await stored()).toEqual([kept])
  })

  it('the coins listed for the operator are those the node knows, each with its state', async () => {
    const { shop, service, cli, mine, settle, heldOnChain, untilPaidOut } = stage
    const list = () => listCoins(service.app, gateId)
    const before = await list()
    expect(before.totals.spendable).toBe(formatDecimal(await heldOnChain(), 8))
    expect(before.coins).toMatchObject([{ isChange: true, state: 'spendable' }])
    for (const { txHash, outputIndex, amount, address } of before.coins) {
      const known = JSON.parse(await cli('gettxout', txHash, String(outputIndex)))
      expect([known.value, addressIn(known.scriptPubKey)]).toEqual([Number(amount), address])
    }

    const invoice = await shop.create(stage.of('0.75'))
    const hash = await cli('sendtoaddress', invoice.deposit_address, '0.75')
    const mineOf = async () => (await list()).coins.find(({ txHash }) => txHash === hash)
    await settle()
    expect(await mineOf()).toMatchObject({
      state: 'waiting',
      confirmations: 0,
      amount: '0.75',
      isChange: false,
    })
    await mine(1)
    expect(await mineOf()).toMatchObject({ state: 'confirming', confirmations: 1 })
    await mine(1)
    expect(await mineOf()).toMatchObject({ state: 'spendable', address: invoice.deposit_address })

    const all = (await list()).totals.spendable
    const payout = await shop.payOut({
      currency,
      network: coin,
      amount: '1',
      destination: await cli('getnewaddress'),
    })
    expect((await shop.approve(payout)).status).toBe(200)
    await eventually(async () => expect((await list()).totals).toMatchObject({ pinned: all, spendable: '0' }))
    await untilPaidOut(payout)
    expect((await list()).totals).toMatchObject({
      pinned: '0',
      spendable: formatDecimal(await heldOnChain(), 8),
    })
    await expect(listCoins(service.app, 'ethereum-test')).rejects.toMatchObject({ code: 'invalid_state' })
    await expect(listCoins(service.app, `${coin}-live`)).rejects.toMatchObject({ code: 'not_found' })
  })

  it('payouts to addresses of every type leave in one transaction, and each arrives to the unit', async () => {
    const { shop, cli, mine, untilPaidOut, node } = stage
    const invoice = await shop.create(stage.of('2'))
    await cli('sendtoaddress', invoice.deposit_address, '2')
    await mine(2)
    const script = await node.ask('decodescript', `0020${'ab'.repeat(32)}`)
    const destinations = [
      await cli('getnewaddress', '', 'legacy'),
      await cli('getnewaddress', '', 'p2sh-segwit'),
      await cli('getnewaddress', '', 'bech32'),
      addressIn(script),
      // BIP-86's first vector on this chain: a taproot output.
      addressIn(
        await node.ask(
          'decodescript',
          '5120a60869f0dbcf1dc659c9cecbaf8050135ea9e8cdc487053f1dc6880949dc684c',
        ),
      ),
    ]
    const payouts = []
    for (const [at, destination] of destinations.entries())
      payouts.push(await shop.payOut({ ...stage.of(`0.1000000${at + 1}`), destination }))
    await approveTogether(shop, payouts)
    const done = []
    for (const payout of payouts) done.push(await untilPaidOut(payout))
    expect(new Set(done.map(({ tx_hash }) => tx_hash)).size).toBe(1)
    const block = await node.ask('getblockhash', (await node.ask('getblockcount')) - 1)
    const { vout } = await node.ask('getrawtransaction', done[0]?.tx_hash, true, block)
    const arrived = vout.map((each: { value: string; scriptPubKey: object }) => [
      addressIn(each.scriptPubKey),
      each.value,
    ])
    for (const [at, destination] of destinations.entries())
      expect(arrived).toContainEqual([destination, `0.1000000${at + 1}`])
  })

  it('a large payment needs the confirmations of its tier', async () => {
    const { shop, cli, mine } = stage
    const invoice = await shop.create(stage.of('5'))
    expect(invoice.required_confirmations).toBe(4)
    await cli('sendtoaddress', invoice.deposit_address, '5')
    await mine(3)
    expect(await shop.get(invoice)).toMatchObject({ status: 'pending', amount_pending: '5' })
    await mine(1)
    expect(await shop.get(invoice)).toMatchObject({
      status: 'paid',
      payments: [{ confirmations: 4, required_confirmations: 4 }],
    })
  })

  it('a block reward is credited only when it can be spent, a hundred blocks deep', async () => {
    const { shop, node, mine, settle, cli, untilPaidOut } = stage
    const invoice = await shop.create(stage.of('50'))
    await node.ask('generatetoaddress', 1, invoice.deposit_address)
    await settle()
    await mine(98)
    const waiting = await shop.get(invoice)
    expect(waiting).toMatchObject({ status: 'pending', amount_paid: '0', amount_pending: '50' })
    expect(waiting.payments).toMatchObject([
      { confirmations: 99, required_confirmations: 100, status: 'confirming' },
    ])
    await mine(1)
    expect(await shop.get(invoice)).toMatchObject({ status: 'paid', amount_paid: '50' })
    // Only that coin is large enough.
    const destination = await cli('getnewaddress')
    const payout = await shop.payOut({ ...stage.of('49'), destination })
    expect((await shop.approve(payout)).status).toBe(200)
    await untilPaidOut(payout)
    expect(await cli('getreceivedbyaddress', destination, '2')).toBe('49.00000000')
  })

  it('many small coins are consolidated once, even through a reorganisation, and the node agrees', async () => {
    const { service, shop, node, cli, mine, settle } = stage
    const amounts: Record<string, string> = {}
    for (let made = 0; made < 12; made++) {
      const { deposit_address } = await shop.create(stage.of('0.01'))
      amounts[deposit_address] = '0.01'
    }
    await cli('sendmany', '', JSON.stringify(amounts))
    const before = await floatOn(service, coin)
    const { available } = await shop.balance(currency)
    // The service finds these blocks by itself.
    await node.mine(2)
    const sent = await untilConsolidationSent(service, gateId)
    const count = sent.plan.inputs.length
    expect(count).toBeGreaterThanOrEqual(12)
    expect(await node.ask('getrawmempool')).toEqual([sent.hash])
    const read = await node.ask('decoderawtransaction', sent.bytes)
    expect([read.vin.length, read.vout.length]).toEqual([count, 1])
    expect((await node.ask('getmempoolentry', sent.hash))['bip125-replaceable']).toBe(true)

    await mine(1)
    const [height, top] = [await node.ask('getblockcount'), await node.ask('getbestblockhash')]
    await node.ask('invalidateblock', top)
    for (let made = 0; made < 2; made++) await node.mineExactly([])
    await settle()
    expect(await node.ask('getblockcount')).toBe(height + 1)
    await expect
      .poll(async () => {
        await mine(1)
        await hurry(service)
        return (await service.app.store.spends.find(sent.id))?.status
      })
      .toBe('final')
    expect(before - (await floatOn(service, coin))).toBe(BigInt(sent.fee))
    expect(Number((await shop.balance(currency)).available)).toBeCloseTo(Number(available) + 0.12, 8)
    const coins = (await listCoins(service.app, gateId)).coins
    expect(coins.filter(({ state }) => state !== 'spendable')).toEqual([])
    expect(coins.map(({ txHash }) => txHash)).toContain(sent.hash)
  })

  it('the helpers for simulated chains are refused on a real chain', async () => {
    const { shop } = stage
    const invoice = await shop.create(stage.of('1'))
    const asked = [
      ['mineTestBlocks', { network: coin, count: 1 }],
      ['reorganiseTestChain', { network: coin, depth: 1 }],
      ['setTestGate', { network: coin, status: 'offline' }],
      ['createTestDeposit', { address: invoice.deposit_address, amount: '1', currency, network: coin }],
    ] as const
    for (const [operation, json] of asked) {
      const answer = await shop.call(operation, { json })
      expect([answer.status, answer.body.error.code], operation).toEqual([400, 'invalid_state'])
    }
    // The other networks are still simulated.
    await shop.expect(200, 'mineTestBlocks', { json: { network: other, count: 1 } })
  })
})
