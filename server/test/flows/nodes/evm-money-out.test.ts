import type { Address } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { auditBooks } from '../../../src/app/audit/audit-books.ts'
import { listUnswept } from '../../../src/app/spends/sweeping/list-unswept.ts'
import { sweepDeposits } from '../../../src/app/spends/sweeping/sweep-deposits.ts'
import { parseDecimal } from '../../../src/domain/money.ts'
import { query } from '../../support/database/database.ts'
import { type EvmShop, openEvmShop } from '../../support/nodes/evm-shop.ts'

let stage: EvmShop
beforeAll(async () => {
  stage = await openEvmShop({ USDT: 'BlocklistToken', USDC: 'FeeToken' })
})
afterEach(async () => {
  await stage.untilQuiet()
  expect(await auditBooks(stage.service.app)).toEqual({ ok: true, differences: [] })
  for (const currency of ['ETH', 'USDT', 'USDC'])
    expect(await stage.heldInBooks(currency), currency).toBe(await stage.heldOnChain(currency))
})
afterAll(() => stage.close())

const ether = 10n ** 18n
const stranger = () => privateKeyToAccount(generatePrivateKey()).address
const usdt = () => ({ contract: 'BlocklistToken', at: stage.tokens.USDT as Address })

const spends = (kind: string) =>
  query(
    stage.service.database.url,
    `select from_address, to_address, units::text, fee_units::text as fee, status from spends where kind = $1 order by id`,
    [kind],
  )

/** A paid and confirmed invoice of this amount; or an earlier one that is paid again. */
async function paid(currency: 'ETH' | 'USDT', amount: string, again?: { deposit_address: string }) {
  const { shop, mine, confirmations, send, sendNative } = stage
  const invoice = again ?? (await shop.create({ currency, amount, network: 'ethereum' }))
  const to = invoice.deposit_address as Address
  if (currency === 'ETH') await sendNative(to, parseDecimal(amount, 18) as bigint)
  else await send(usdt(), 'transfer', to, parseDecimal(amount, 6))
  await mine(confirmations)
  return invoice
}

async function payOut(currency: 'ETH' | 'USDT' | 'USDC', amount: string, destination: string) {
  const payout = await stage.shop.payOut({ currency, network: 'ethereum', amount, destination })
  expect((await stage.shop.approve(payout)).status).toBe(200)
  return payout
}

/** The service with another maximum share for the cost of sweeps. */
const atMost = (sweepMaxCostBps: number) => ({
  ...stage.service.app,
  spending: { ...stage.service.app.spending, sweepMaxCostBps },
})

/** Funds may still be moving: blocks are mined as long as they are. */
const reasonOf = (payout: { id: string }) =>
  expect.poll(async () => {
    await stage.moveOn()
    return (await stage.shop.payout(payout)).waiting_reason
  })

it('a payout to an address that the token blocks waits with the reason, is never signed, and blocks no other payout', async () => {
  const { shop, mine, send, untilPaidOut, heldAt, fillFloat, service } = stage
  await paid('USDT', '100')
  await paid('ETH', '1')
  // Merchants' funds never pay for sweeps.
  expect(await sweepDeposits(atMost(10_000))).toBe(0)
  await fillFloat(ether)
  // A float that has just arrived does, before any payout has used it.
  expect(await sweepDeposits(atMost(10_000))).toBe(2)
  const [blocked, other, good] = [stranger(), stranger(), stranger()]
  for (const address of [blocked, other]) await send(usdt(), 'setBlocked', address, true)
  await mine()
  await untilPaidOut(await payOut('USDT', '1', good))

  const never = await payOut('USDT', '20', blocked)
  const later = await payOut('USDT', '5', other)
  const done = await untilPaidOut(await payOut('USDT', '10', good))
  expect(await heldAt(good, usdt().at)).toBe(11_000_000n)
  expect(done.waiting_reason).toBeNull()
  for (const payout of [never, later])
    await reasonOf(payout).toMatch(/The network would refuse it right now: .*blocked.* can be cancelled/)
  const rows = await query(service.database.url, 'select spend_id from payouts where id = any($1)', [
    [never.id, later.id],
  ])
  expect(rows).toEqual([{ spend_id: null }, { spend_id: null }])

  expect(await shop.cancelPayout(never)).toMatchObject({ status: 200 })
  // Once the token allows it, the payout continues by itself.
  await send(usdt(), 'setBlocked', other, false)
  await mine()
  await untilPaidOut(later)
  expect(await heldAt(other, usdt().at)).toBe(5_000_000n)
  expect(await heldAt(blocked, usdt().at)).toBe(0n)
})

it('a payout to a contract gets the gas it needs, and one to a contract that refuses ETH waits', async () => {
  const { anvil, shop, deploy, untilPaidOut, heldAt } = stage
  await paid('ETH', '3')
  const wallet = await deploy('ContractWallet')
  const refusing = await deploy('PlainToken', 1n)
  const never = await payOut('ETH', '0.5', refusing)
  const done = await untilPaidOut(await payOut('ETH', '1.5', wallet))
  expect(await heldAt(wallet)).toBe(15n * 10n ** 17n)
  const { gasUsed } = await anvil.ask('eth_getTransactionReceipt', done.tx_hash)
  const { gas } = await anvil.ask('eth_getTransactionByHash', done.tx_hash)
  expect(BigInt(gasUsed)).toBeGreaterThan(21_000n)
  expect(BigInt(gas)).toBeGreaterThan(BigInt(gasUsed))
  expect(BigInt(gas)).toBeLessThan(2n * BigInt(gasUsed))
  await reasonOf(never).toContain('The network would refuse it right now')
  expect(await shop.cancelPayout(never)).toMatchObject({ status: 200 })
})

it('gas left at a deposit address is used by its next sweep, and only the missing part is sent', async () => {
  const { untilPaidOut, untilQuiet, heldAt, anvil } = stage
  const address = (await paid('USDT', '200')).deposit_address
  await untilPaidOut(await payOut('USDT', '250', stranger()))
  await untilQuiet()
  const first = (await spends('gas')).find(({ to_address }) => to_address === address)
  const left = await heldAt(address)
  expect(left).toBeGreaterThan(0n)

  await paid('USDT', '300', { deposit_address: address })
  await untilPaidOut(await payOut('USDT', '299', stranger()))
  await untilQuiet()
  const [sent, second] = (await spends('gas')).filter(({ to_address }) => to_address === address)
  expect(sent).toEqual(first)
  const swept = (await spends('sweep')).filter(({ from_address }) => from_address === address)
  expect(swept).toMatchObject([{ status: 'final' }, { status: 'final' }])
  // Each sweep could use only what its address had: the address now holds what was sent less what was taken.
  const brought = [sent, second].reduce((sum, gas) => sum + BigInt(gas?.units ?? 0), 0n)
  const taken = swept.reduce((sum, { fee }) => sum + BigInt(fee), 0n)
  expect(await heldAt(address)).toBe(brought - taken)
  expect(BigInt(second?.units ?? 0)).toBeLessThan(BigInt(sent?.units))
  expect(BigInt((await anvil.ask('txpool_status')).pending)).toBe(0n)
})

it('deposits are swept before a payout needs them if that costs little of their value and the float can pay', async () => {
  const { service, mine, heldAt, confirmations } = stage
  const [dear, cheap] = [await paid('USDT', '1'), await paid('USDT', '400')]
  const coins = await paid('ETH', '2')
  const [before] = await listUnswept(service.app, 'ethereum')
  expect(before).toMatchObject({ gateId: 'ethereum-test', gasCurrency: 'ETH', float: expect.any(String) })
  expect(before?.unswept).toMatchObject([
    { currency: 'ETH', amount: expect.any(String), addresses: expect.any(Number) },
    { currency: 'USDT', amount: expect.any(String), addresses: expect.any(Number) },
  ])
  expect(Number(before?.gas)).toBeGreaterThan(0)

  expect(await sweepDeposits(atMost(0))).toBe(0)
  expect(await sweepDeposits(atMost(1_000))).toBeGreaterThan(0)
  // A sweep that is planned is not planned again.
  expect(await sweepDeposits(atMost(1_000))).toBe(0)
  await expect
    .poll(
      async () => {
        await mine(confirmations)
        return [
          await heldAt(cheap.deposit_address, usdt().at),
          await heldAt(coins.deposit_address),
          (await spends('sweep')).filter(({ status }) => status === 'open').length,
        ]
      },
      { interval: 100 },
    )
    .toEqual([0n, 0n, 0])
  expect(await heldAt(dear.deposit_address, usdt().at)).toBe(1_000_000n)
})

it('a token that keeps part of each transfer is not paid out, and the payout says what would arrive', async () => {
  const { shop, mine, confirmations, send, fillFloat, heldAt } = stage
  const token = { contract: 'FeeToken', at: stage.tokens.USDC as Address }
  const invoice = await shop.create({ currency: 'USDC', network: 'ethereum', amount: '9.9' })
  await send(token, 'transfer', invoice.deposit_address, 10_000_000n)
  await mine(confirmations)
  const hot = await fillFloat(ether)
  const to = stranger()
  const payout = await payOut('USDC', '5', to)
  await reasonOf(payout).toContain('of 9.9 sent, 9.801 would arrive')
  // With enough in the hot wallet, the payout itself is simulated.
  await send(token, 'transfer', hot, 20_000_000n)
  await mine(confirmations)
  await reasonOf(payout).toMatch(
    /would refuse it right now: the token takes a fee.*of 5 sent, 4.95 would arrive/,
  )
  expect(await shop.payout(payout)).toMatchObject({ status: 'approved', tx_hash: null })
  expect(await heldAt(to, token.at)).toBe(0n)
  expect(await shop.cancelPayout(payout)).toMatchObject({ status: 200 })
  expect(await shop.balance('USDC')).toMatchObject({ available: '9.9', reserved: '0' })
})
