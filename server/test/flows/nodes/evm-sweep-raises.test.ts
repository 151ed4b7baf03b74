import { randomBytes } from 'node:crypto'
import type { Address } from 'viem'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { parseDecimal } from '../../../src/domain/money.ts'
import { canonicalAddress } from '../../../src/gates/evm/address.ts'
import { query } from '../../support/database/database.ts'
import { type EvmShop, openEvmShop } from '../../support/nodes/evm-shop.ts'
import { expectCleanBooks, gateOf, hurry } from '../../support/shop/money-out.ts'

const gwei = 10n ** 9n
let stage: EvmShop
beforeAll(async () => {
  // Every payout has to sweep the funds it pays: nothing is swept before.
  const payouts = { raise_fee_after_seconds: 1, sweep_max_cost_bps: 0 }
  stage = await openEvmShop({ USDT: 'PlainToken' }, { config: { payouts } })
  await stage.fillFloat(10n ** 18n)
})
afterAll(() => stage.close())
afterEach(async () => {
  await expectCleanBooks(stage.service)
  for (const currency of ['ETH', 'USDT'])
    expect(await stage.heldInBooks(currency)).toBe(await stage.heldOnChain(currency))
})

const stranger = () => canonicalAddress(`0x${randomBytes(20).toString('hex')}`) as Address

async function paid(currency: 'ETH' | 'USDT', amount: string) {
  const { shop, mine, confirmations, send, sendNative, tokens } = stage
  const invoice = await shop.create({ currency, amount, network: 'ethereum' })
  const to = invoice.deposit_address as Address
  if (currency === 'ETH') await sendNative(to, parseDecimal(amount, 18) as bigint)
  else
    await send(
      { contract: 'PlainToken', at: tokens.USDT as Address },
      'transfer',
      to,
      parseDecimal(amount, 6),
    )
  await mine(confirmations)
  return to
}

async function payOut(currency: 'ETH' | 'USDT', amount: string) {
  const destination = stranger()
  const payout = await stage.shop.payOut({ currency, network: 'ethereum', amount, destination })
  expect((await stage.shop.approve(payout)).status).toBe(200)
  return { ...payout, destination }
}

/** The attempts of every spend from or to a deposit address of ours, oldest first. */
const attempts = (kind: 'sweep' | 'gas', address: string) =>
  query(
    stage.service.database.url,
    `select spends.id, attempt, plan ->> 'nonce' as nonce, t.tx_hash as hash, encode(bytes, 'hex') as bytes,
       (plan ->> 'gasPrice')::bigint as price, plan ->> 'units' as units, sent_at is not null as sent, mined_hash,
       spends.units::text as moved, fee_units::text as fee, status
     from spends join spend_transactions as t on t.spend_id = spends.id
     where kind = $1 and $2 in (from_address, to_address) order by spends.id, attempt`,
    [kind, address],
  )

async function untilSent(kind: 'sweep' | 'gas', address: string, count: number) {
  await expect
    .poll(
      async () => {
        await hurry(stage.service)
        return (await attempts(kind, address)).filter(({ sent }) => sent).length
      },
      { interval: 50 },
    )
    .toBe(count)
  return attempts(kind, address)
}

/** Raises the network's price so far that pending transactions are not mined. */
async function becomeDear(): Promise<void> {
  await stage.anvil.ask('anvil_setNextBlockBaseFeePerGas', `0x${(60n * gwei).toString(16)}`)
  await stage.mine()
}
async function becomeCheap(): Promise<void> {
  await stage.anvil.ask('anvil_setNextBlockBaseFeePerGas', `0x${gwei.toString(16)}`)
  await stage.mine()
}

it('a waiting sweep of ETH is sent at a higher price with the same nonce, and moves that much less', async () => {
  const from = await paid('ETH', '3')
  const payout = await payOut('ETH', '2.5')
  await untilSent('sweep', from, 1)
  await becomeDear()
  const [first, second] = await untilSent('sweep', from, 2)
  expect(second).toMatchObject({ nonce: first?.nonce, id: first?.id })
  expect(BigInt(second?.price)).toBeGreaterThan(BigInt(first?.price))
  await stage.untilPaidOut(payout)
  const [, mined] = await attempts('sweep', from)
  expect(mined).toMatchObject({ status: 'final', mined_hash: second?.hash, moved: second?.units })
  expect(BigInt(mined?.moved) + BigInt(mined?.fee)).toBe(3n * 10n ** 18n)
  expect(await stage.heldAt(from)).toBe(0n)
  await becomeCheap()
})

it('whichever attempt is mined counts, with the amount it moved and its fee', async () => {
  const { anvil, mine } = stage
  const from = await paid('ETH', '3')
  const payout = await payOut('ETH', '2.5')
  await untilSent('sweep', from, 1)
  await becomeDear()
  const [first, second] = await untilSent('sweep', from, 2)
  // The node forgets the second attempt, and for a moment accepts nothing from us.
  const gate = gateOf(stage.service, 'ethereum')
  const { broadcast } = gate
  Object.assign(gate, { broadcast: async () => 'Nothing is accepted.' })
  try {
    await anvil.ask('anvil_dropTransaction', second?.hash)
    await becomeCheap()
    await anvil.ask('eth_sendRawTransaction', `0x${first?.bytes}`)
    await mine()
  } finally {
    Object.assign(gate, { broadcast })
  }
  await stage.untilPaidOut(payout)
  const [mined] = await attempts('sweep', from)
  expect(mined).toMatchObject({ status: 'final', mined_hash: first?.hash, moved: first?.units })
})

it('a token’s gas and then its sweep are raised when they wait, and the missing gas arrives before the raised sweep is sent', async () => {
  const from = await paid('USDT', '3000')
  const payout = await payOut('USDT', '299')
  await untilSent('gas', from, 1)
  await becomeDear()
  const gas = await untilSent('gas', from, 2)
  expect(new Set(gas.map(({ id }) => id)).size).toBe(1)
  await stage.mine()
  // It was planned at the earlier price.
  await untilSent('sweep', from, 1)
  await expect
    .poll(async () => {
      await hurry(stage.service)
      return new Set((await attempts('gas', from)).map(({ id }) => id)).size
    })
    .toBe(2)
  // The more expensive attempt is planned, but not sent before its gas has arrived.
  expect(await attempts('sweep', from)).toMatchObject([{ sent: true }, { sent: false }])
  await stage.untilPaidOut(payout)
  const [first, second] = await attempts('sweep', from)
  expect(second).toMatchObject({ nonce: first?.nonce, status: 'final', mined_hash: second?.hash })
  expect(await stage.heldAt(payout.destination, stage.tokens.USDT)).toBe(299_000_000n)
  await becomeCheap()
})

it('a raise beyond the signer’s maximum waits, is logged, and happens once it is allowed', async () => {
  const { service } = stage
  const { maxFees } = service.app.spending
  const from = await paid('ETH', '4')
  const payout = await payOut('ETH', '3.9')
  await untilSent('sweep', from, 1)
  Object.assign(service.app.spending, { maxFees: new Map([['ethereum', 1n]]) })
  await becomeDear()
  const [sweep] = await attempts('sweep', from)
  await expect
    .poll(async () => {
      await hurry(service)
      return service.logged.find(
        ({ spend, reason }) => spend === sweep?.id && /signer allows/.test(`${reason}`),
      )
    })
    .toMatchObject({ level: 40, gate: 'ethereum-test' })
  expect(await attempts('sweep', from)).toHaveLength(1)
  expect(await stage.shop.payout(payout)).toMatchObject({ status: 'approved' })
  Object.assign(service.app.spending, { maxFees })
  await untilSent('sweep', from, 2)
  await stage.untilPaidOut(payout)
  expect(await attempts('sweep', from)).toMatchObject([{ sent: true }, { sent: true }])
})
