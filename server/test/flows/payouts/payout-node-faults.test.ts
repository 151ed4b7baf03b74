import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { usesOf } from '../../../src/domain/uses.ts'
import type { Fault } from '../../support/nodes/faulty-gate.ts'
import {
  arrivals,
  attemptsOf,
  breakable,
  expectCleanBooks,
  gateOf,
  newAddress,
  payOutTo,
  until,
  untilAsked,
  untilSent,
} from '../../support/shop/money-out.ts'
import { startTestService, type TestService } from '../../support/shop/service.ts'
import { openShop, quiet, type Shop } from '../../support/shop/shop.ts'

let service: TestService
let shop: Shop
beforeAll(async () => {
  service = await startTestService(quiet)
  shop = await openShop(service)
  for (let coins = 0; coins < 10; coins++) await shop.fund('0.1')
  await shop.fund('5', 'ETH', 'ethereum')
  // From here on the hot wallet holds funds, so that a payout is one transaction.
  await until(shop, await payOutTo(shop, 'ethereum', { currency: 'ETH', amount: '0.01' }), 'completed')
})
afterAll(() => service.stop())
afterEach(() => expectCleanBooks(service))

const networks = [
  { network: 'bitcoin', currency: 'BTC', amount: '0.03' },
  { network: 'ethereum', currency: 'ETH', amount: '0.03' },
] as const

type Row = {
  readonly what: string
  readonly call: 'broadcast' | 'fate'
  readonly fault: Fault
  /** How often the node must be called during the fault, at least. */
  readonly asked: number
  /** Whether blocks are mined meanwhile: not where the chain itself would show the transaction. */
  readonly blocks: boolean
}

const faults: readonly Row[] = [
  {
    what: 'accepts it and does not answer',
    call: 'broadcast',
    fault: 'times_out_after',
    asked: 3,
    blocks: true,
  },
  { what: 'does not receive it', call: 'broadcast', fault: 'times_out_before', asked: 3, blocks: true },
  {
    what: 'accepts it and answers with a refusal',
    call: 'broadcast',
    fault: 'says_refused',
    asked: 1,
    blocks: false,
  },
  { what: 'refuses it', call: 'broadcast', fault: 'refuses', asked: 3, blocks: true },
  { what: 'accepts it and forgets it', call: 'broadcast', fault: 'forgets', asked: 3, blocks: false },
  {
    what: 'answers the broadcast with garbage',
    call: 'broadcast',
    fault: 'answers_garbage',
    asked: 3,
    blocks: true,
  },
  { what: 'does not know it when queried', call: 'fate', fault: 'forgets', asked: 3, blocks: false },
  { what: 'answers the query with garbage', call: 'fate', fault: 'answers_garbage', asked: 3, blocks: true },
  { what: 'does not answer the query', call: 'fate', fault: 'times_out_before', asked: 3, blocks: true },
]

describe.each(networks)('while the node of $network', ({ network, currency, amount }) => {
  // Only the faults that behave differently on the second network; a long run tests all of them.
  const isEvery = network === 'bitcoin' || process.env.SLUICE_EVERY_FAULT !== undefined
  it.each(isEvery ? faults : faults.filter(({ asked, fault }) => asked === 1 || fault === 'forgets'))(
    '$what, the payout stays processing with its reserve, and the same bytes arrive once when the node recovers',
    async ({ call, fault, asked, blocks }) => {
      const destination = await newAddress(network)
      const node = breakable(service, network)
      try {
        node.always(call, fault)
        const before = await shop.balance(currency)
        const payout = await payOutTo(shop, network, { currency, amount, destination })
        const reserved = (await shop.balance(currency)).reserved
        expect(reserved).not.toBe(before.reserved)
        // Counted from the start of the fault: a call that happens only once may already have been made.
        await untilAsked(service, node, call, asked, 0)
        // The node has proved nothing, even with deep blocks meanwhile.
        if (blocks) {
          await shop.mine(gateOf(service, network).network.confirmations + 1, network)
          await untilAsked(service, node, call)
        }
        expect(await shop.payout(payout)).toMatchObject({ status: 'processing', failure_reason: null })
        expect((await shop.balance(currency)).reserved).toBe(reserved)

        node.always(call, null)
        await until(shop, payout, 'completed')
        const attempts = await attemptsOf(service, payout)
        expect(attempts).toHaveLength(1)
        expect(new Set(node.sent)).toEqual(new Set([attempts[0]?.bytes]))
        expect(await arrivals(service, network, destination)).toMatchObject([{ hash: attempts[0]?.hash }])
        expect((await shop.balance(currency)).reserved).toBe(before.reserved)
      } finally {
        node.mend()
      }
    },
  )

  it('rules it out, the payout fails only at the depth of a confirmed payment', async () => {
    const node = breakable(service, network)
    try {
      // The transaction never reaches the mempool, so it cannot be mined.
      node.always('broadcast', 'refuses')
      const before = await shop.balance(currency)
      const payout = await payOutTo(shop, network, { currency, amount })
      await untilSent(service, payout)
      const { reserved } = await shop.balance(currency)
      const gate = gateOf(service, network)
      const spend = await service.app.store.spends.find((await attemptsOf(service, payout))[0]?.spend_id)
      const [attempt] = spend?.transactions ?? []
      if (attempt?.signed == null) throw new Error('It was not signed.')
      await service.app.store.simulatedChains.ruleOut(gate.id, attempt.signed.hash, usesOf(attempt.plan))
      // Coins are ruled out as of the current block; a nonce is used up by the next one.
      const more = gate.network.confirmations - (attempt.plan.kind === 'coins' ? 2 : 1)
      if (more > 0) await shop.mine(more, network)
      await untilAsked(service, node, 'fate')
      expect((await shop.payout(payout)).status).toBe('processing')
      expect((await shop.balance(currency)).reserved).toBe(reserved)
      await shop.mine(1, network)
      await expect.poll(async () => (await shop.payout(payout)).status).toBe('failed')
      expect((await shop.balance(currency)).reserved).toBe(before.reserved)
    } finally {
      node.mend()
    }
  })
})
