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
  // From here on the hot wallet has coins, so that a payout is one transaction.
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
  /** How often the node is asked while it is so, at least. */
  readonly asked: number
  /** Whether blocks come meanwhile: not where the chain itself would show what has become of it. */
  readonly blocks: boolean
}

const faults: readonly Row[] = [
  { what: 'takes it and never says so', call: 'broadcast', fault: 'times_out_after', asked: 3, blocks: true },
  { what: 'does not hear of it', call: 'broadcast', fault: 'times_out_before', asked: 3, blocks: true },
  { what: 'takes it and says no', call: 'broadcast', fault: 'says_refused', asked: 1, blocks: false },
  { what: 'refuses it', call: 'broadcast', fault: 'refuses', asked: 3, blocks: true },
  { what: 'takes it and forgets it', call: 'broadcast', fault: 'forgets', asked: 3, blocks: false },
  {
    what: 'talks garbage when given it',
    call: 'broadcast',
    fault: 'answers_garbage',
    asked: 3,
    blocks: true,
  },
  { what: 'forgets it when asked for it', call: 'fate', fault: 'forgets', asked: 3, blocks: false },
  { what: 'talks garbage when asked for it', call: 'fate', fault: 'answers_garbage', asked: 3, blocks: true },
  { what: 'is silent when asked for it', call: 'fate', fault: 'times_out_before', asked: 3, blocks: true },
]

describe.each(networks)('while the node of $network', ({ network, currency, amount }) => {
  // What the second network can do differently; in the long run everything.
  const isEvery = network === 'bitcoin' || process.env.SLUICE_EVERY_FAULT !== undefined
  it.each(isEvery ? faults : faults.filter(({ asked, fault }) => asked === 1 || fault === 'forgets'))(
    '$what, the payout stays processing with its funds, and the same bytes arrive once when it is well again',
    async ({ call, fault, asked, blocks }) => {
      const destination = await newAddress(network)
      const node = breakable(service, network)
      try {
        node.always(call, fault)
        const before = await shop.balance(currency)
        const payout = await payOutTo(shop, network, { currency, amount, destination })
        const reserved = (await shop.balance(currency)).reserved
        expect(reserved).not.toBe(before.reserved)
        // Since it was broken: what it is asked once only it may have been asked already.
        await untilAsked(service, node, call, asked, 0)
        // Whatever is mined meanwhile, and however deep: the node has proved nothing.
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

  it('rules it out, nothing fails before that is as deep as a payment must be', async () => {
    const node = breakable(service, network)
    try {
      // It never gets far enough to be mined.
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
      // Coins are ruled out as of the present block; a number is used up by the next one.
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
