import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { isEveryNode } from '../../support/nodes/each-coin.ts'
import {
  arrivals,
  attemptsOf,
  type BrokenNode,
  breakable,
  expectCleanBooks,
  gateOf,
  hurry,
  newAddress,
  payOutTo,
  startWithHotFunds,
  until,
  untilSent,
} from '../../support/shop/money-out.ts'
import type { TestService } from '../../support/shop/service.ts'
import { openShop, type Shop } from '../../support/shop/shop.ts'

let service: TestService
beforeAll(async () => {
  service = await startWithHotFunds({ payouts: { raise_fee_after_seconds: 1 } })
})
afterAll(() => service.stop())
afterEach(() => expectCleanBooks(service))

const networks = [
  { network: 'bitcoin', currency: 'BTC', funds: '0.2', amount: '0.03' },
  { network: 'ethereum', currency: 'ETH', funds: '1', amount: '0.03' },
] as const

/** A payout that waits for a block while the network's fee rate has risen fivefold. */
async function stuck(row: (typeof networks)[number], shop: Shop, amount: string = row.amount) {
  const { network, currency } = row
  const gate = gateOf(service, network)
  const node = breakable(service, network)
  const destination = await newAddress(network)
  const payout = await payOutTo(shop, network, { currency, amount, destination })
  await untilSent(service, payout)
  const rate = await gate.feeRate()
  Object.assign(gate, { feeRate: async () => rate * 5n })
  return { node, payout, destination }
}

async function untilAttempts(payout: { id: string }, count: number) {
  await expect
    .poll(
      async () => {
        await hurry(service)
        const attempts = await attemptsOf(service, payout)
        return attempts.filter(({ sent_at }) => sent_at !== null).length
      },
      { interval: 100 },
    )
    .toBe(count)
  return attemptsOf(service, payout)
}

describe.each(networks)('a transaction that is stuck at a low fee on $network', (row) => {
  const { network, currency, funds } = row
  let node: BrokenNode | null = null
  afterEach(() => node?.mend())

  it('is replaced by one with the same coins or nonce at a higher fee, and the reserve grows by the difference', async () => {
    const shop = await openShop(service)
    await shop.fund(funds, currency, network)
    const made = await stuck(row, shop)
    node = made.node
    const { payout, destination } = made
    const [first, second] = await untilAttempts(payout, 2)
    if (first === undefined || second === undefined) throw new Error('There are not two attempts.')
    expect(BigInt(second.fee)).toBeGreaterThan(BigInt(first.fee))
    if (first.plan.kind === 'coins') {
      expect(second.plan.inputs).toEqual(first.plan.inputs)
      // The change pays the higher fee: the recipient gets the same amount.
      const paid = (plan: typeof first.plan) =>
        plan.outputs.filter(({ payoutId }: { payoutId: string | null }) => payoutId === payout.id)
      expect(paid(second.plan)).toEqual(paid(first.plan))
    } else expect(second.plan).toEqual({ ...first.plan, gasPrice: second.plan.gasPrice })

    const raised = await shop.payout(payout)
    expect(Number(raised.network_fee)).toBeGreaterThan(Number(payout.network_fee))
    const entries = (await shop.ledger(currency)).filter(({ entry_type }) => entry_type === 'network_fee')
    expect(entries).toHaveLength(2)
    const done = await until(shop, payout, 'completed')
    expect(done.tx_hash).toBe(second.hash)
    expect(await arrivals(service, network, destination)).toMatchObject([{ hash: second.hash }])
    expect((await shop.balance(currency)).reserved).toBe('0')
    expect((await shop.told()).filter((event) => event === 'payout.completed')).toHaveLength(1)
  })

  // Nothing further depends on coins or nonces: in `npm run soak` both networks do the rest.
  if (network !== 'bitcoin' && !isEveryNode) return

  it('may still be mined itself, and then its lower fee is charged and the rest released', async () => {
    const shop = await openShop(service)
    await shop.fund(funds, currency, network)
    const made = await stuck(row, shop)
    node = made.node
    node.always('broadcast', 'refuses')
    const { payout, destination } = made
    const [first] = await untilAttempts(payout, 2)
    const done = await until(shop, payout, 'completed')
    expect(done.tx_hash).toBe(first?.hash)
    expect(await arrivals(service, network, destination)).toMatchObject([{ hash: first?.hash }])
    expect(Number(done.network_fee)).toBeLessThanOrEqual(Number(payout.network_fee))
    const { available, total_fees, reserved } = await shop.balance(currency)
    expect(reserved).toBe('0')
    expect(total_fees).toBe(done.network_fee)
    expect(Number(available)).toBeCloseTo(Number(funds) - Number(row.amount) - Number(total_fees), 12)
  })

  it('waits with a reason while the balance does not cover the difference, and continues once it does', async () => {
    const shop = await openShop(service)
    await shop.fund(funds, currency, network)
    const held = await shop.payOut({ currency, amount: row.amount, destination: await newAddress(network) })
    // Exactly what is left once this payout's own reserve is taken.
    const { available } = await shop.balance(currency)
    const all = (Number(available) - Number(held.network_fee)).toFixed(8)
    const made = await stuck(row, shop, all.replace(/0+$/, ''))
    node = made.node
    const { payout } = made
    await expect
      .poll(
        async () => {
          await hurry(service)
          return (await shop.payout(payout)).waiting_reason
        },
        { interval: 100 },
      )
      .toContain('asks for a higher fee than was reserved')
    expect(await attemptsOf(service, payout)).toHaveLength(1)
    expect((await shop.payout(payout)).status).toBe('processing')
    await shop.cancelPayout(held)
    const [, second] = await untilAttempts(payout, 2)
    const done = await until(shop, payout, 'completed')
    expect(done).toMatchObject({ tx_hash: second?.hash, waiting_reason: null })
  })
})
