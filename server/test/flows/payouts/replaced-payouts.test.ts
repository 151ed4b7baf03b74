import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { listAlerts } from '../../../src/app/operator/list-alerts.ts'
import { query } from '../../support/database/database.ts'
import { isEveryNode } from '../../support/nodes/each-coin.ts'
import {
  arrivals,
  attemptsOf,
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
import { openShop, settle } from '../../support/shop/shop.ts'

/** A payout was completed by one of its attempts, and a deep reorganisation replaced it with another attempt. */

let service: TestService
beforeAll(async () => {
  service = await startWithHotFunds({
    payouts: { raise_fee_after_seconds: 1 },
    chains: { max_reorganisation_depth: 150 },
  })
})
afterAll(() => service.stop())
afterEach(() => expectCleanBooks(service))

async function depthOf(payout: { id: string }, network: string): Promise<number> {
  const [row] = await query(
    service.database.url,
    `select chain.height - spends.block_height + 1 as depth from payouts join spends on spends.id = spend_id
     join simulated_chains as chain on chain.gate_id = $2 where payouts.id = $1`,
    [payout.id, `${network}-test`],
  )
  return Number(row?.depth)
}

describe.each([
  { network: 'bitcoin', currency: 'BTC' },
  { network: 'ethereum', currency: 'ETH' },
])('on $network', ({ network, currency }) => {
  const both = [
    { was: 'more expensive', booked: 1, instead: 0 },
    { was: 'cheaper', booked: 0, instead: 1 },
  ] as const
  // Every day one on each network; in `npm run soak` both on both.
  const [onCoins, onNonces] = both
  it.each(isEveryNode ? both : [network === 'bitcoin' ? onCoins : onNonces])(
    'a booked $was attempt is replaced by the attempt that was mined',
    async ({ booked, instead }) => {
      const shop = await openShop(service)
      await shop.fund('1', currency, network)
      const gate = gateOf(service, network)
      const { broadcast, feeRate } = gate
      const node = breakable(service, network)
      try {
        const destination = await newAddress(network)
        const payout = await payOutTo(shop, network, { currency, amount: '0.03', destination })
        await untilSent(service, payout)
        const rate = await feeRate()
        if (booked === 0) node.always('broadcast', 'refuses')
        Object.assign(gate, { feeRate: async () => rate * 5n })
        await expect
          .poll(async () => {
            await hurry(service)
            return (await attemptsOf(service, payout)).filter(({ sent_at: sent }) => sent !== null).length
          })
          .toBe(2)
        Object.assign(gate, { feeRate })
        const attempts = await attemptsOf(service, payout)
        const before = await until(shop, payout, 'completed')
        expect(before.tx_hash).toBe(attempts[booked]?.hash)
        await shop.told()
        const balance = await shop.balance(currency)

        const spendId = attempts[0]?.spend_id
        const { spends, endedSpends } = service.app.store
        const seen = await spends.find(spendId)
        // Otherwise the service would send the booked attempt again.
        node.always('broadcast', 'refuses')
        await service.app.store.simulatedChains.reorganise(gate.id, await depthOf(payout, network), [
          before.tx_hash,
        ])
        const other = attempts[instead]
        expect(await broadcast({ hash: other?.hash, bytes: Buffer.from(other?.bytes, 'hex') })).toBe(null)
        await shop.mine(1, network)
        await settle(service, gate.id)
        // Not deep enough yet: nothing changes.
        expect((await shop.payout(payout)).tx_hash).toBe(before.tx_hash)
        await shop.mine(gate.network.confirmations, network)
        await expect
          .poll(async () => {
            await shop.mine(1, network)
            return shop.payout(payout)
          })
          .toMatchObject({ ...before, tx_hash: other?.hash })
        // A slower process that saw the spend before has nothing to say about it any more.
        if (seen === null) throw new Error('The payout has a spend.')
        expect(await endedSpends.displace(seen, null)).toBe(false)
        expect((await spends.find(spendId))?.mined).toMatchObject({
          hash: other?.hash,
          block: expect.anything(),
        })
        expect(await arrivals(service, network, destination)).toMatchObject([{ hash: other?.hash }])
        expect(await shop.balance(currency)).toEqual(balance)
        expect(await shop.told()).toEqual([])
        expect((await listAlerts(service.app)).filter(({ kind }) => kind === 'transaction_undone')).toEqual(
          [],
        )
      } finally {
        node.mend()
        Object.assign(gate, { feeRate })
      }
      // The remaining funds pay for other payouts.
      await until(shop, await payOutTo(shop, network, { currency, amount: '0.9' }), 'completed')
    },
  )
})
