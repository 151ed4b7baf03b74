import { randomBytes } from 'node:crypto'
import type { Address } from 'viem'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { sweepDeposits } from '../../../src/app/spends/sweeping/sweep-deposits.ts'
import { canonicalAddress } from '../../../src/gates/evm/address.ts'
import { query } from '../../support/database/database.ts'
import { type EvmShop, openEvmShop } from '../../support/nodes/evm-shop.ts'
import { approveTogether, expectCleanBooks, gateOf, hurry } from '../../support/shop/money-out.ts'

const ether = 10n ** 18n
let stage: EvmShop
let hot: Address
beforeAll(async () => {
  stage = await openEvmShop({ USDT: 'PlainToken' }, { config: { payouts: { sweep_max_cost_bps: 0 } } })
  hot = await stage.fillFloat(ether)
})
afterAll(() => stage.close())

const stranger = () => canonicalAddress(`0x${randomBytes(20).toString('hex')}`) as Address
const usdt = () => ({ contract: 'PlainToken', at: stage.tokens.USDT as Address })
const spendOf = async (kind: string) =>
  (
    await query(
      stage.service.database.url,
      `select id, fee_units::text as fee, block_height::text as height, mined_hash as hash from spends
       where kind = $1 order by id desc limit 1`,
      [kind],
    )
  )[0]
const gasUsed = async (hash: string) => {
  const { gasUsed: used, effectiveGasPrice } = await stage.anvil.ask('eth_getTransactionReceipt', hash)
  return { used: BigInt(used), fee: BigInt(used) * BigInt(effectiveGasPrice) }
}

/** A completed payout of some tokens to a new address. */
async function paidOut() {
  const { shop } = stage
  const holder = stranger()
  const payout = await shop.payOut({
    currency: 'USDT',
    network: 'ethereum',
    amount: '5',
    destination: holder,
  })
  await approveTogether(shop, [payout])
  await stage.untilPaidOut(payout)
  return { payout, holder }
}

/** Replaces the blocks from this height on with empty ones; their transactions are forgotten. */
async function undo(height: string): Promise<void> {
  const tip = BigInt(await stage.anvil.ask('eth_blockNumber'))
  await stage.anvil.ask('anvil_reorg', Number(tip - BigInt(height)) + 1, [])
}

/** Runs a function while no undone transaction is sent again. */
async function beforeSendingAgain<T>(run: () => Promise<T>): Promise<T> {
  const gate = gateOf(stage.service, 'ethereum')
  const { broadcast } = gate
  Object.assign(gate, { broadcast: async () => 'Not now.' })
  try {
    return await run()
  } finally {
    Object.assign(gate, { broadcast })
  }
}

/** Mines until the undone transaction is in a block again and its outcome is booked. */
async function untilMinedAgain(hash: string): Promise<void> {
  await expect
    .poll(
      async () => {
        await stage.mine()
        return (await stage.service.app.store.endedSpends.displaced('ethereum-test')).length
      },
      { interval: 100 },
    )
    .toBe(0)
  expect(await stage.anvil.ask('eth_getTransactionReceipt', hash)).not.toBeNull()
}

async function expectSame(): Promise<void> {
  await expectCleanBooks(stage.service)
  for (const currency of ['ETH', 'USDT'])
    expect(await stage.heldInBooks(currency), currency).toBe(await stage.heldOnChain(currency))
}

it('a sweep that reorganisations make cheaper and then more expensive again is booked at its final fee', async () => {
  const { shop, send, mine, confirmations, service } = stage
  const invoice = await shop.create({ currency: 'USDT', amount: '100', network: 'ethereum' })
  await send(usdt(), 'transfer', invoice.deposit_address, 100_000_000n)
  await mine(confirmations)
  const dear = { ...service.app.spending, sweepMaxCostBps: 10_000 }
  expect(await sweepDeposits({ ...service.app, spending: dear })).toBe(1)
  await expect
    .poll(
      async () => {
        await mine()
        await hurry(service)
        return query(service.database.url, `select from spends where status = 'open'`)
      },
      { interval: 100 },
    )
    .toEqual([])
  const before = await spendOf('sweep')
  const first = await gasUsed(before?.hash)
  expect(first.fee).toBe(BigInt(before?.fee))
  await expectSame()

  // The hot wallet already holds some tokens when the sweep is mined again: changing a non-zero balance costs less gas.
  const given = await beforeSendingAgain(async () => {
    await undo(before?.height)
    const sent = await send(usdt(), 'transfer', hot, 5n)
    await mine()
    return sent
  })
  await untilMinedAgain(before?.hash)
  const second = await gasUsed(before?.hash)
  expect(first.used - second.used).toBe(17_100n)
  expect((await spendOf('sweep'))?.fee).toBe(`${second.fee}`)
  await mine(confirmations)
  await expectSame()

  const { blockNumber } = await stage.anvil.ask('eth_getTransactionReceipt', given)
  await undo(blockNumber)
  await untilMinedAgain(before?.hash)
  expect((await spendOf('sweep'))?.fee).toBe(`${first.fee}`)
  const booked = await query(
    service.database.url,
    `select units::text from ledger_transactions as t join postings on transaction_id = t.id
     join ledger_accounts as account on account.id = account_id and account.kind = 'float'
     where entry_type = 'gas' and subject = $1 order by occurrence`,
    [before?.id],
  )
  const difference = first.fee - second.fee
  expect(booked.map(({ units }) => BigInt(units))).toEqual([-first.fee, difference, -difference])
  // The payer's transfer to the hot wallet vanished with its block, and so did its booking.
  await mine(confirmations)
  await expectSame()
})

it('when a reorganisation makes a payout cheaper, the merchant’s charge stays and the operator gets the difference', async () => {
  const { shop, send, mine } = stage
  const { payout, holder } = await paidOut()
  const told = await shop.payout(payout)
  const before = await spendOf('payout')
  await beforeSendingAgain(async () => {
    await undo(before?.height)
    await send(usdt(), 'transfer', holder, 7n)
    await mine()
  })
  await untilMinedAgain(before?.hash)
  const again = await gasUsed(before?.hash)
  expect(again.fee).toBeLessThan(BigInt(before?.fee))
  expect((await spendOf('payout'))?.fee).toBe(`${again.fee}`)
  expect((await shop.payout(payout)).network_fee).toEqual(told.network_fee)
  expect(await shop.payout(payout)).toMatchObject({ status: 'completed' })
  await mine()
  await expectSame()
})

it('a payout that fails when it is mined again is reported to the operator and books nothing', async () => {
  const { shop, service, anvil, send } = stage
  const { payout, holder } = await paidOut()
  const before = await spendOf('payout')
  const code = await anvil.ask('eth_getCode', usdt().at, 'latest')
  await undo(before?.height)
  await send(usdt(), 'transfer', holder, 7n)
  // The token refuses everything for a while.
  await anvil.ask('anvil_setCode', usdt().at, '0x60006000fd')
  await expect
    .poll(
      async () => {
        await stage.mine()
        await hurry(service)
        return service.logged.filter(
          ({ spend, reason }) => spend === before?.id && /failed/.test(`${reason}`),
        ).length
      },
      { interval: 100 },
    )
    .toBeGreaterThan(0)
  await anvil.ask('anvil_setCode', usdt().at, code)
  expect((await spendOf('payout'))?.fee).toBe(before?.fee)
  expect(await shop.payout(payout)).toMatchObject({ status: 'completed' })
})
