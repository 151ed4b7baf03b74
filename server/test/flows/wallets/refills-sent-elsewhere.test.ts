import { Transaction } from '@scure/btc-signer'
import { afterAll, afterEach, beforeEach, expect, it, vi } from 'vitest'
import { listRefills } from '../../../src/app/spends/cold/list-refills.ts'
import { recheckEnded } from '../../../src/app/spends/settling/recheck-ended.ts'
import type { SignedTransaction } from '../../../src/domain/spends.ts'
import { query } from '../../support/database/database.ts'
import { gateOf, payOutTo, until } from '../../support/shop/money-out.ts'
import { finished, gateId, openRefillBench, type RefillBench, sign } from '../../support/shop/refills.ts'

let opened: RefillBench | null = null
let bench: RefillBench
// One bench for all tests. Each leaves the cold wallet with one coin, and takes amounts of its own: the hash of a refill is
// as new as its amount.
beforeEach(async () => {
  opened ??= await openRefillBench()
  bench = opened
  await bench.begin()
})
afterEach(async () => {
  vi.restoreAllMocks()
  await bench.check()
})
afterAll(() => opened?.stop())

/** The refill that books a transaction which had ended; looks and mines until there is one. */
async function againOf(txHash: string): Promise<string> {
  await expect
    .poll(async () => {
      await bench.shop.mine(1)
      await bench.look()
      return (await bench.bookings(txHash)).at(-1)?.againOf ?? null
    })
    .not.toBeNull()
  return (await bench.bookings(txHash)).at(-1)?.id ?? ''
}

it('a coin that a reorganisation takes away is not offered to a refill until it is back', async () => {
  const { app, database } = bench.service
  const [{ tx_hash: hash }] = (await query(database.url, 'select tx_hash from cold_coins')) as [
    { tx_hash: string },
  ]
  await bench.reorganise(hash)
  expect(await app.store.refills.freeCoins(gateId, 10)).toEqual([])
  await expect(bench.prepare('0.00042')).rejects.toThrow(/has 0 BTC that a refill can use/)
  await bench.shop.mine(2)
  await expect
    .poll(async () => {
      await recheckEnded(app, gateOf(bench.service, 'bitcoin'))
      return app.store.refills.freeCoins(gateId, 10)
    })
    .toMatchObject([{ txHash: hash }])
})

it('a refill that the operator sends with another program is found on the chain, booked, and can be sent again', async () => {
  const refill = await bench.prepare('0.0003')
  await bench.sendElsewhere(refill)
  await expect(bench.giveUp(refill)).rejects.toThrow(/is on the network/)
  await bench.shop.mine(1)
  await expect
    .poll(async () => {
      await bench.look()
      return (await bench.spend(refill.id)).transactions[0]?.signed ?? null
    })
    .not.toBeNull()
  const [found] = (await bench.spend(refill.id)).transactions
  // With its signatures: without them no node would take it again.
  expect(Buffer.from(found?.signed?.bytes ?? [])).toEqual(Buffer.from(finished(refill).bytes))
  await bench.reorganise(refill.txHash)
  await bench.until(refill.id, 'final')
  await bench.expectBooked(refill)
})

it('a running service looks for it by itself', async () => {
  const refill = await bench.prepare('0.00031')
  await bench.sendElsewhere(refill)
  await expect
    .poll(async () => {
      await bench.shop.mine(1)
      return (await bench.spend(refill.id)).transactions[0]?.signed?.hash
    })
    .toBe(refill.txHash)
  await bench.until(refill.id, 'final')
  await bench.expectBooked(refill)
})

it('a refill whose coins were spent otherwise is dead once that is certain', async () => {
  const refill = await bench.prepare('0.00032')
  await bench.ruleOut(refill)
  await bench.until(refill.id, 'dead')
  await bench.expectNothingBooked()
})

it('a node that does not show the transaction as it was signed is not believed', async () => {
  const refill = await bench.prepare('0.00033')
  await bench.sendElsewhere(refill)
  const { transactions } = gateOf(bench.service, 'bitcoin')
  const reported = vi.spyOn(bench.service.app.reports, 'refillUnshown')
  if (transactions === null) throw new Error('The gate has coins.')
  const [plain] = await transactions.fetch([{ hash: refill.txHash, block: { height: 0n, hash: '' } }])
  const shown = vi.spyOn(transactions, 'fetchWhole').mockResolvedValue(plain as Uint8Array)
  await bench.shop.mine(1)
  await expect
    .poll(async () => {
      await bench.look()
      return reported.mock.calls.length
    })
    .toBe(1)
  await bench.look()
  expect(reported.mock.calls).toMatchObject([
    [{ id: gateId }, refill.id, refill.txHash, /Input 0 is not signed/],
  ])
  expect((await bench.spend(refill.id)).transactions[0]?.signed).toBeNull()
  expect(await listRefills(bench.service.app, gateId)).toMatchObject([
    {
      status: 'prepared',
      next: expect.stringMatching(/is in a block, .* Input 0 is not signed.* --submit FILE$/),
    },
  ])
  shown.mockRestore()
  await bench.until(refill.id, 'final')
  await bench.expectBooked(refill)
})

it('a refill that was given up and is sent after all is booked as a new one, once, and can be paid out', async () => {
  const refill = await bench.prepare('0.003')
  await bench.giveUp(refill)
  await bench.shop.mine(2)
  await bench.sendElsewhere(refill)
  const again = await againOf(refill.txHash)
  await bench.until(again, 'final')
  expect(await bench.bookings(refill.txHash)).toEqual([
    { id: refill.id, status: 'dead', againOf: null },
    { id: again, status: 'final', againOf: refill.id },
  ])
  await bench.expectBooked(refill)
  expect(await bench.look()).toBe(0)
  const { shop } = bench
  await until(shop, await payOutTo(shop, 'bitcoin', { currency: 'BTC', amount: '0.0075' }), 'completed')
})

it('two processes that find it at once book it once', async () => {
  const refill = await bench.prepare('0.00035')
  await bench.giveUp(refill)
  await bench.sendElsewhere(refill)
  await bench.shop.mine(1)
  await expect
    .poll(async () => {
      await Promise.all([bench.look(), bench.look(), bench.look()])
      return (await bench.bookings(refill.txHash)).length
    })
    .toBe(2)
  const again = await againOf(refill.txHash)
  await bench.until(again, 'final')
  expect(await bench.bookings(refill.txHash)).toHaveLength(2)
  await bench.expectBooked(refill)
})

it('a given-up refill that is mined while another one claims its coin waits for the end of that one', async () => {
  const first = await bench.prepare('0.00036')
  await bench.giveUp(first)
  const second = await bench.prepare('0.00056')
  await bench.sendElsewhere(first)
  // Refused by the node, which has the first.
  expect(await bench.submit(sign(second.psbt))).toMatchObject({ id: second.id, refusal: expect.any(String) })
  const again = await againOf(first.txHash)
  expect((await bench.spend(second.id)).status).toBe('dead')
  await bench.until(again, 'final')
  await bench.expectBooked(first)
})

it('a given-up refill that a reorganisation puts in place of a booked one takes its place in the books', async () => {
  const { refills } = bench.service.app.store
  const first = await bench.prepare('0.00037')
  // The worker looks for it on this gate only, as long as it is open or dead.
  expect(await refills.gates()).toEqual(new Set([gateId]))
  await bench.giveUp(first)
  expect(await refills.gates()).toEqual(new Set([gateId]))
  const second = await bench.prepare('0.00057')
  await bench.submit(sign(second.psbt))
  await bench.until(second.id, 'final')
  await bench.expectBooked(second)
  // It is ruled out now, and no longer looked for.
  await bench.look()
  expect(await refills.watched(gateId)).toEqual([])

  await bench.reorganise(second.txHash, { forGood: true })
  await bench.sendElsewhere(first)
  await bench.shop.mine(3)
  await recheckEnded(bench.service.app, gateOf(bench.service, 'bitcoin'))
  await bench.look()
  // The books have the coin as spent by the second one until the operator ends that.
  expect(await bench.bookings(first.txHash)).toHaveLength(1)
  await bench.giveUp(second)
  await bench.expectNothingBooked()
  const again = await againOf(first.txHash)
  await bench.until(again, 'final')
  await bench.expectBooked(first)
})

it('a refill that was booked, undone and mined once more is booked once more', async () => {
  const first = await bench.prepare('0.00038')
  const second = replacing(first)
  await bench.submit(sign(first.psbt))
  await bench.until(first.id, 'final')
  await bench.reorganise(first.txHash)
  expect(await gateOf(bench.service, 'bitcoin').broadcast(second)).toBeNull()
  await bench.shop.mine(3)
  await recheckEnded(bench.service.app, gateOf(bench.service, 'bitcoin'))
  await bench.giveUp(first)
  await bench.expectNothingBooked()

  await bench.reorganise(second.hash)
  await bench.sendElsewhere(first)
  const again = await againOf(first.txHash)
  await bench.until(again, 'final')
  await bench.expectBooked(first)
})

it('the file of a refill that was given up is taken if its coins are free, and not while another one has them', async () => {
  const first = await bench.prepare('0.00039')
  await expect(bench.prepare('0.00079')).rejects.toThrow(/has 0 BTC that a refill can use/)
  await bench.giveUp(first)
  const second = await bench.prepare('0.00059')
  await expect(bench.submit(sign(first.psbt))).rejects.toThrow(/in use by another one/)
  await bench.giveUp(second)
  const { id } = await bench.submit(sign(first.psbt))
  expect(await bench.bookings(first.txHash)).toMatchObject([{ status: 'dead' }, { id, status: 'open' }])
  // Handed in once more, it is still the same.
  expect(await bench.submit(sign(first.psbt))).toMatchObject({ id, refusal: null })
  await bench.until(id, 'final')
  await bench.expectBooked(first)
})

it('a submitted refill cannot be given up while the network can mine it', async () => {
  const refill = await bench.prepare('0.0004')
  await bench.submit(sign(refill.psbt))
  await expect(bench.giveUp(refill)).rejects.toThrow(/cannot be given up/)
  await bench.until(refill.id, 'final')
})

/** Another transaction of the operator's that spends the same coin, at a higher fee. */
function replacing(refill: { readonly psbt: Uint8Array }): SignedTransaction {
  const transaction = Transaction.fromPSBT(
    sign(refill.psbt, (made) => {
      made.updateOutput(0, { script: made.getOutput(1).script ?? new Uint8Array(), amount: 10_000n })
    }),
  )
  transaction.finalize()
  return { hash: transaction.id, bytes: transaction.extract() }
}
