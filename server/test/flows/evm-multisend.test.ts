import { randomBytes } from 'node:crypto'
import type { Address } from 'viem'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { formatDecimal, parseDecimal } from '../../src/domain/money.ts'
import { canonicalAddress } from '../../src/gates/evm/address.ts'
import { query } from '../support/database.ts'
import { type EvmShop, openEvmShop } from '../support/evm-shop.ts'
import { approveTogether, expectCleanBooks, gateOf, untilRaised } from '../support/money-out.ts'
import { openShop } from '../support/shop.ts'

const ether = 10n ** 18n
let world: EvmShop
beforeAll(async () => {
  const payouts = { raise_fee_after_seconds: 1, sweep_max_cost_bps: 0 }
  world = await openEvmShop({ USDT: 'PlainToken' }, { config: { payouts }, multisend: 'Disperse' })
  await world.fillFloat(50n * ether)
  await fund('30')
})
afterAll(() => world.close())
afterEach(async () => {
  await world.untilQuiet()
  await expectCleanBooks(world.service)
  expect(await world.heldInBooks('ETH')).toBe(await world.heldOnChain('ETH'))
})

const stranger = () => canonicalAddress(`0x${randomBytes(20).toString('hex')}`) as Address
/** Somebody who has sent something before and has nothing left. */
async function known(): Promise<Address> {
  const address = stranger()
  await world.anvil.ask('anvil_setNonce', address, '0x1')
  return address
}

async function fund(amount: string, shop = world.shop) {
  const { mine, confirmations, sendCoins } = world
  const invoice = await shop.create({ currency: 'ETH', amount, network: 'ethereum' })
  await sendCoins(invoice.deposit_address as Address, parseDecimal(amount, 18) as bigint)
  await mine(confirmations)
}

/** So many that one transaction costs less than theirs, with the quarter more gas that it is given. */
async function six(): Promise<{ to: Address; amount: string }[]> {
  const wanted: { to: Address; amount: string }[] = []
  for (let more = 0; more < 6; more++) wanted.push({ to: await known(), amount: '0.1' })
  return wanted
}

/** Payouts that fall due at the same moment. */
async function payOut(wanted: readonly { to: Address; amount: string }[], shop = world.shop) {
  const payouts = []
  for (const { to, amount } of wanted)
    payouts.push(await shop.payOut({ currency: 'ETH', network: 'ethereum', amount, destination: to }))
  await approveTogether(shop, payouts)
  return payouts
}

/** Mines until all of them are where they should be: what is sent while a block is made needs one more. */
async function untilAll(payouts: readonly { id: string }[], status = 'completed', shop = world.shop) {
  for (const payout of payouts)
    await expect
      .poll(
        async () => {
          const now = await shop.payout(payout)
          if (now.status !== status) await world.moveOn()
          return now.status
        },
        { interval: 100 },
      )
      .toBe(status)
}

const spendsOf = async (payouts: readonly { id: string }[]) =>
  query(
    world.service.database.url,
    `select payouts.id, payouts.spend_id, payouts.tx_hash as hash, network_fee_units::text as fee, spends.fee_units::text as taken,
       spends.status, jsonb_array_length(plan -> 'outputs') as outputs
     from payouts left join spends on spends.id = payouts.spend_id
     left join spend_transactions as t on t.spend_id = spends.id and t.attempt = 1
     where payouts.id = any($1) order by payouts.id`,
    [payouts.map(({ id }) => id)],
  )

it('twenty payouts leave in one transaction; each arrives to the unit, and together they bear exactly what the network took', async () => {
  const wanted: { to: Address; amount: string }[] = []
  for (let at = 0n; at < 20n; at++)
    wanted.push({ to: await known(), amount: formatDecimal(ether / 10n + at, 18) })
  const payouts = await payOut(wanted)
  await untilAll(payouts)
  const rows = await spendsOf(payouts)
  expect(new Set(rows.map(({ spend_id }) => spend_id)).size).toBe(1)
  expect(new Set(rows.map(({ hash }) => hash)).size).toBe(1)
  expect(rows[0]).toMatchObject({ outputs: 20, status: 'final' })
  for (const { to, amount } of wanted) expect(await world.heldAt(to)).toBe(parseDecimal(amount, 18))
  const fees = rows.map(({ fee }) => BigInt(fee))
  expect(fees.reduce((sum, fee) => sum + fee, 0n)).toBe(BigInt(rows[0]?.taken))
  // Equal parts, and what is left over a unit each.
  const share = BigInt(rows[0]?.taken) / 20n
  expect(fees.every((fee) => fee === share || fee === share + 1n)).toBe(true)
  const receipt = await world.anvil.ask('eth_getTransactionReceipt', rows[0]?.hash)
  process.stdout.write(`20 payouts: ${BigInt(receipt.gasUsed)} gas, ${BigInt(receipt.gasUsed) / 20n} each\n`)
})

it('a receiver that is a program goes by itself, one that refuses waits, and the others are paid at once', async () => {
  const taker = await world.deploy('FickleReceiver')
  const refuser = await world.deploy('FickleReceiver')
  await world.send({ contract: 'FickleReceiver', at: refuser }, 'setRefuses', true)
  await world.mine()
  const plain = await six()
  const payouts = await payOut([{ to: refuser, amount: '0.2' }, ...plain, { to: taker, amount: '0.2' }])
  const [refused, ...paid] = payouts
  await untilAll(paid)
  const rows = await spendsOf(paid)
  expect(rows.map(({ outputs }) => outputs)).toEqual([...Array(6).fill(6), null])
  expect(new Set(rows.map(({ spend_id }) => spend_id)).size).toBe(2)
  expect(await world.shop.payout(refused as never)).toMatchObject({ status: 'approved' })
  await expect
    .poll(async () => (await world.shop.payout(refused as never)).waiting_reason)
    .toMatch('would refuse it at present')
  expect(await world.heldAt(taker)).toBe(ether / 5n)
  expect(await world.shop.cancelPayout(refused as never)).toMatchObject({ status: 200 })
})

it('to receivers that the chain does not know yet each goes by itself, since that costs less', async () => {
  const payouts = await payOut([
    { to: stranger(), amount: '0.1' },
    { to: stranger(), amount: '0.1' },
  ])
  await untilAll(payouts)
  const rows = await spendsOf(payouts)
  expect(rows).toMatchObject([{ outputs: null }, { outputs: null }])
  expect(rows[0]?.spend_id).not.toBe(rows[1]?.spend_id)
})

it('payouts of two merchants never share one: whoever refuses fails only their own', async () => {
  const other = await openShop(world.service)
  await fund('2', other)
  const one = await payOut(await six())
  const two = await payOut(await six(), other)
  await untilAll(one)
  await untilAll(two, 'completed', other)
  const [ours, theirs] = [await spendsOf(one), await spendsOf(two)]
  expect(ours.map(({ outputs }) => outputs)).toEqual(Array(6).fill(6))
  expect(ours[0]?.spend_id).not.toBe(theirs[0]?.spend_id)
})

it('one that waits too long is raised as a whole, and is mined once', async () => {
  const { anvil } = world
  const payouts = await payOut(await six())
  await expect.poll(async () => BigInt((await anvil.ask('txpool_status')).pending)).toBe(1n)
  await anvil.ask('anvil_setNextBlockBaseFeePerGas', `0x${(60n * 10n ** 9n).toString(16)}`)
  await world.mine()
  await untilRaised(world.service, payouts[0])
  await untilAll(payouts)
  const attempts = await query(
    world.service.database.url,
    `select attempt, plan -> 'outputs' as outputs, plan ->> 'nonce' as nonce, mined_hash = t.tx_hash as mined
     from spends join spend_transactions as t on t.spend_id = spends.id
     where spends.id = (select spend_id from payouts where id = $1) order by attempt`,
    [payouts[0]?.id],
  )
  expect(attempts.length).toBeGreaterThanOrEqual(2)
  expect(new Set(attempts.map(({ outputs, nonce }) => JSON.stringify([outputs, nonce]))).size).toBe(1)
  expect(attempts.filter(({ mined }) => mined)).toHaveLength(1)
  await anvil.ask('anvil_setNextBlockBaseFeePerGas', '0x3b9aca00')
  await world.mine()
})

it('receivers whom a reorganisation makes new again are paid all the same', async () => {
  const { anvil } = world
  const wanted = await six()
  const payouts = await payOut(wanted)
  await expect.poll(async () => BigInt((await anvil.ask('txpool_status')).pending)).toBe(1n)
  for (const { to } of wanted) await anvil.ask('anvil_setNonce', to, '0x0')
  await untilAll(payouts)
  expect(await spendsOf(payouts)).toMatchObject(Array(6).fill({ status: 'final', outputs: 6 }))
  for (const { to } of wanted) expect(await world.heldAt(to)).toBe(ether / 10n)
})

it('one that fails on chain fails all of its payouts, which get everything back but nothing twice', async () => {
  const { anvil, shop } = world
  const before = await shop.balance('ETH')
  const wanted = await six()
  const payouts = await payOut(wanted)
  await expect.poll(async () => BigInt((await anvil.ask('txpool_status')).pending)).toBe(1n)
  // Between the trial and the block a receiver has become a program that refuses.
  await anvil.ask('anvil_setCode', wanted[1]?.to, '0x60006000fd')
  await untilAll(payouts, 'failed')
  for (const payout of payouts)
    expect((await shop.payout(payout)).failure_reason).toMatch('one of those that it was to pay together')
  expect(await spendsOf(payouts)).toMatchObject(Array(6).fill({ status: 'reverted', outputs: 6 }))
  for (const { to } of wanted) expect(await world.heldAt(to)).toBe(0n)
  expect(await shop.balance('ETH')).toEqual(before)
})

it('the contract is no destination', async () => {
  const gate = gateOf(world.service, 'ethereum')
  const { spending } = gate
  const contract = (spending.kind === 'account' && spending.multisend?.address) || ''
  expect(gate.parseDestination(contract, null)).toBeNull()
})

it.each([
  ['there is no contract', null, 'there is no contract there'],
  ['it takes whatever it is sent', 'Swallower', 'pretends to pay'],
  ['it is something else', 'PlainToken', 'does not know how to pay'],
])('the service does not start where %s', async (_, contract, words) => {
  await expect(openEvmShop({}, { multisend: contract ?? stranger() })).rejects.toThrow(words)
})
