import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { planPayouts } from '../../../src/app/spends/planning/plan-payouts.ts'
import { lookAtSpends } from '../../../src/app/spends/settling/look-at-spends.ts'
import { parseDecimal } from '../../../src/domain/money.ts'
import { query } from '../../support/database/database.ts'
import { type EvmShop, openEvmShop } from '../../support/nodes/evm-shop.ts'
import { expectCleanBooks, gateOf, hurry } from '../../support/shop/money-out.ts'

/** A payout is planned once the funds swept for it count. A reorganisation may remove them again. */

const ether = 10n ** 18n
let stage: EvmShop
beforeAll(async () => {
  stage = await openEvmShop({ USDT: 'PlainToken' })
  await stage.fillFloat(ether)
})
afterEach(async () => {
  await stage.untilQuiet()
  await expectCleanBooks(stage.service)
  for (const currency of ['ETH', 'USDT'])
    expect(await stage.heldInBooks(currency), currency).toBe(await stage.heldOnChain(currency))
})
afterAll(() => stage.close())

const stranger = () => privateKeyToAccount(generatePrivateKey()).address
const usdt = () => ({ contract: 'PlainToken', at: stage.tokens.USDT as `0x${string}` })

async function paid(currency: 'ETH' | 'USDT', amount: string, units: bigint): Promise<string> {
  const { shop, send, sendNative, mine, confirmations } = stage
  const { deposit_address: to } = await shop.create({ currency, amount, network: 'ethereum' })
  const hash = await (currency === 'ETH' ? sendNative(to, units) : send(usdt(), 'transfer', to, units))
  await mine(confirmations)
  return hash
}

async function payOut(currency: 'ETH' | 'USDT', amount: string, destination: string) {
  const payout = await stage.shop.payOut({ currency, network: 'ethereum', amount, destination })
  expect((await stage.shop.approve(payout)).status).toBe(200)
  return payout
}

/** Continues block by block until the newest sweep is in the newest block; what that triggers has time to be sent. */
async function untilJustSwept(): Promise<void> {
  const { anvil, service, mine } = stage
  await expect
    .poll(
      async () => {
        await hurry(service)
        if (BigInt((await anvil.ask('txpool_status')).pending) > 0n) await mine()
        const [sweep] = await query(
          service.database.url,
          `select tx_hash as hash from spends join spend_transactions on spend_id = spends.id
           where kind = 'sweep' order by spends.id desc limit 1`,
        )
        const receipt = sweep?.hash && (await anvil.ask('eth_getTransactionReceipt', sweep.hash))
        return receipt?.blockNumber === (await anvil.ask('eth_blockNumber'))
      },
      { interval: 50 },
    )
    .toBe(true)
}

/** Does everything that can be done without another block. */
async function doEverything(): Promise<void> {
  for (let round = 0; round < 5; round++) {
    await stage.settle()
    await hurry(stage.service)
    await lookAtSpends(stage.service.app)
    await planPayouts(stage.service.app, gateOf(stage.service, 'ethereum'))
  }
}

const isPlanned = async ({ id }: { id: string }) =>
  (
    await query(stage.service.database.url, 'select from payouts where id = $1 and spend_id is not null', [
      id,
    ])
  ).length > 0

/** Replaces the newest block with an empty one; its transactions come back only if they are sent again. */
const undoNewest = () => stage.anvil.ask('anvil_reorg', 1, [])

it('a token payout waits until the swept tokens are deep, and is not mined before they are there again', async () => {
  const { mine, untilPaidOut, heldAt } = stage
  await paid('USDT', '100', 100_000_000n)
  const destination = stranger()
  const payout = await payOut('USDT', '40', destination)
  await untilJustSwept()
  await doEverything()
  // If it were sent now, it would be mined first and fail.
  expect(await isPlanned(payout)).toBe(false)
  await undoNewest()
  await mine()
  await untilPaidOut(payout)
  expect(await heldAt(destination, usdt().at)).toBe(40_000_000n)
})

it('an ETH payout counts swept ETH at once, and after a reorganisation waits until it is there again', async () => {
  const { mine, untilPaidOut, heldAt } = stage
  await paid('ETH', '5', 5n * ether)
  const destination = stranger()
  const payout = await payOut('ETH', '4', destination)
  await untilJustSwept()
  await expect
    .poll(async () => {
      await doEverything()
      return isPlanned(payout)
    })
    .toBe(true)
  await undoNewest()
  await mine()
  await untilPaidOut(payout)
  expect(await heldAt(destination)).toBe(4n * ether)
})

it('when a swept deposit is gone for good, the payout is cancelled and the payout behind it is paid', async () => {
  const { anvil, service, shop, mine, confirmations, untilPaidOut, heldAt } = stage
  Object.assign(service.app.spending, { cancelAfterMs: 0 })
  const before = BigInt(await anvil.ask('eth_blockNumber'))
  const deposit = await anvil.ask('eth_getRawTransactionByHash', await paid('ETH', '50', 50n * ether))
  const [destination, other] = [stranger(), stranger()]
  const lost = await payOut('ETH', '40', destination)
  await untilJustSwept()
  await expect
    .poll(async () => {
      await doEverything()
      return isPlanned(lost)
    })
    .toBe(true)
  const behind = await payOut('ETH', '0.1', other)
  await expect
    .poll(async () => {
      await doEverything()
      return isPlanned(behind)
    })
    .toBe(true)
  await anvil.ask('anvil_reorg', Number(BigInt(await anvil.ask('eth_blockNumber')) - before), [])
  await mine()
  await untilPaidOut(behind)
  expect(await heldAt(other)).toBe(ether / 10n)
  const failed = await untilPaidOut(lost, 'failed')
  expect(failed.failure_reason).toMatch(
    /^A reorganisation removed the funds that the hot wallet needed for it/,
  )
  expect(await heldAt(destination)).toBe(0n)
  const { available, reserved } = await shop.balance('ETH')
  expect([Number(available) < 50, reserved]).toEqual([true, '0'])

  // If the deposit comes back after all, so do the funds swept from it.
  await anvil.ask('eth_sendRawTransaction', deposit)
  await mine(confirmations)
  const inUnits = (amount: string) => parseDecimal(amount, 18) ?? 0n
  await expect
    .poll(async () => inUnits((await shop.balance('ETH')).available))
    .toBe(inUnits(available) + 50n * ether)
  await untilPaidOut(await payOut('ETH', '45', destination))
  expect(await heldAt(destination)).toBe(45n * ether)
})
