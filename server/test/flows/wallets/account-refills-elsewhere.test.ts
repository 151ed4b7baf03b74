import { afterAll, afterEach, beforeEach, expect, it } from 'vitest'
import { query } from '../../support/database/database.ts'
import { type ColdDesk, openColdDesk, operator } from '../../support/shop/account-refills.ts'
import { expectCleanBooks, untilSettled } from '../../support/shop/money-out.ts'

let desk: ColdDesk
let before: Awaited<ReturnType<typeof books>>
// One desk for all tests: filling a cold wallet takes a while.
beforeEach(async () => {
  desk ??= await openColdDesk()
  before = await books()
})
afterEach(() => untilSettled(desk.service, 'ethereum'))
afterAll(async () => {
  try {
    // What every test has left in them.
    await expectCleanBooks(desk.service)
  } finally {
    await desk?.service.stop()
  }
})

const dear = { maxFeePerGas: 200_000_000_000n, maxPriorityFeePerGas: 200_000_000_000n }
type Prepared = Awaited<ReturnType<ColdDesk['prepare']>>

async function books() {
  const coldUsdt = await desk.held('cold', 'USDT')
  const [coldEth, floatUsdt] = [await desk.held('cold', 'ETH'), await desk.held('float', 'USDT')]
  return { coldUsdt, coldEth, floatUsdt, chainUsdt: await desk.held('chain', 'USDT') }
}

/** The tokens are hot, and the refill's fee has left the cold wallet. */
async function expectBooked({ id }: Prepared, units: bigint): Promise<void> {
  const { feeUnits } = await desk.spend(id)
  await expect.poll(books).toEqual({
    coldUsdt: before.coldUsdt + units,
    coldEth: before.coldEth + (feeUnits ?? 0n),
    chainUsdt: before.chainUsdt - units,
    floatUsdt: before.floatUsdt,
  })
}

/** Uses the nonce of a refill for something else: nothing, sent to the cold wallet itself. */
async function useNonceUp(refill: Prepared): Promise<string> {
  return desk.sendElsewhere(await desk.sign(refill, { ...dear, to: operator.address, data: '0x' }))
}

const heightOf = async (hash: string) => {
  const found = await desk.chains.transaction('ethereum-test', hash)
  if (found?.height == null) throw new Error(`${hash} is in no block.`)
  return found.height
}

it('a refill that the operator sends with another program is found on the chain and booked, at the fee it paid', async () => {
  const refill = await desk.prepare('11', 'USDT')
  const hash = await desk.sendElsewhere(await desk.sign(refill, dear))
  await desk.ended(refill.id, 'final')
  expect((await desk.spend(refill.id)).mined?.hash).toBe(hash)
  await expectBooked(refill, 11_000_000n)
})

it('too many fees of one refill are refused, but one that was mined is booked in any case', async () => {
  const refill = await desk.prepare('21', 'USDT')
  const at = (times: bigint) => {
    const price = 20_000_000_000n + times
    return desk.sign(refill, { maxFeePerGas: price, maxPriorityFeePerGas: price })
  }
  // The planned one is there, and is never signed.
  for (let times = 1n; times < 20n; times++) await desk.submit(await at(times))
  await expect(desk.submit(await at(20n))).rejects.toThrow(/20 different fees, which is too often/)
  const hash = await desk.sendElsewhere(await desk.sign(refill, dear))
  await desk.ended(refill.id, 'final')
  expect((await desk.spend(refill.id)).mined?.hash).toBe(hash)
  await expectBooked(refill, 21_000_000n)
})

it('a refill that was handed in and then sent at another fee elsewhere is booked once', async () => {
  const refill = await desk.prepare('12', 'USDT')
  await desk.submit(await desk.sign(refill))
  const hash = await desk.sendElsewhere(await desk.sign(refill, dear))
  await desk.ended(refill.id, 'final')
  expect((await desk.spend(refill.id)).mined?.hash).toBe(hash)
  await expectBooked(refill, 12_000_000n)
})

it('a refill whose nonce another transaction used is dead, but not before that is deep', async () => {
  const refill = await desk.prepare('13', 'USDT')
  await desk.submit(await desk.sign(refill))
  await useNonceUp(refill)
  await desk.shop.mine(1, 'ethereum')
  expect((await desk.spend(refill.id)).status).toBe('open')
  await desk.ended(refill.id, 'dead')
  expect(await books()).toEqual(before)
})

it('a refill that was given up and mined after all is booked', async () => {
  const refill = await desk.prepare('14', 'USDT')
  const file = await desk.sign(refill)
  await desk.giveUp(refill.id)
  await desk.sendElsewhere(file)
  await desk.ended(refill.id, 'final')
  await expectBooked(refill, 14_000_000n)
})

it('of two refills with one nonce, of which the first was given up, the one that is mined is booked', async () => {
  const given = await desk.prepare('15', 'USDT')
  const file = await desk.sign(given)
  await desk.giveUp(given.id)
  const kept = await desk.prepare('16', 'USDT')
  expect(kept.nonce).toBe(given.nonce)
  await desk.sendElsewhere(file)
  await desk.ended(given.id, 'final')
  expect((await desk.spend(kept.id)).status).toBe('dead')
  await expectBooked(given, 15_000_000n)
})

it('of two refills that are the same, one is booked, once', async () => {
  const given = await desk.prepare('17', 'USDT')
  const file = await desk.sign(given)
  await desk.giveUp(given.id)
  const kept = await desk.prepare('17', 'USDT')
  await desk.sendElsewhere(file)
  await desk.ended(kept.id, 'final')
  await desk.shop.mine(3, 'ethereum')
  expect((await desk.spend(given.id)).status).toBe('dead')
  await expectBooked(kept, 17_000_000n)
})

it('a reorganisation before it is booked changes nothing, and one after that neither', async () => {
  const refill = await desk.prepare('18', 'USDT')
  const { txHash } = await desk.submit(await desk.sign(refill))
  await desk.shop.mine(1, 'ethereum')
  await desk.reorganiseFrom(await heightOf(txHash), [])
  await desk.ended(refill.id, 'final')
  await expectBooked(refill, 18_000_000n)
  await desk.reorganiseFrom(await heightOf(txHash), [])
  await desk.mineUntil(async () => (await desk.spend(refill.id)).mined?.block != null)
  // The payment has to be deep once more.
  await desk.shop.mine(desk.gate.network.confirmations, 'ethereum')
  await expectBooked(refill, 18_000_000n)
  const [row] = (await desk.rows()).filter(({ id }) => id === refill.id)
  expect(row?.bookings).toBe(1)
})

it('a booked refill that a reorganisation has removed for good is reversed by new postings', async () => {
  const refill = await desk.prepare('19', 'USDT')
  const { txHash } = await desk.submit(await desk.sign(refill))
  await desk.ended(refill.id, 'final')
  await desk.reorganiseFrom(await heightOf(txHash), [txHash])
  await expect(desk.giveUp(refill.id)).rejects.toThrow(/follows the chain by itself/)
  await useNonceUp(refill)
  await desk.ended(refill.id, 'dead')
  await expect.poll(books).toEqual(before)
  const posted = await query(
    desk.service.database.url,
    'select entry_type, occurrence from ledger_transactions where subject = $1 order by entry_type',
    [refill.id],
  )
  expect(posted).toEqual([
    { entry_type: 'refill', occurrence: 1 },
    { entry_type: 'refill_reversal', occurrence: 1 },
  ])
})

it('a booked refill that a reorganisation has replaced by one with another fee is booked anew', async () => {
  const refill = await desk.prepare('20', 'USDT')
  const { txHash } = await desk.submit(await desk.sign(refill))
  await desk.ended(refill.id, 'final')
  await desk.reorganiseFrom(await heightOf(txHash), [txHash])
  const dearer = await desk.sendElsewhere(await desk.sign(refill, dear))
  await desk.mineUntil(async () => {
    const { status, mined } = await desk.spend(refill.id)
    return status === 'final' && mined?.hash === dearer
  })
  await expectBooked(refill, 20_000_000n)
})
