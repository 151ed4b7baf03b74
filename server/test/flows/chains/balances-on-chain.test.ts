import { afterAll, beforeAll, expect, it } from 'vitest'
import { auditBooks } from '../../../src/app/audit/audit-books.ts'
import { followChain } from '../../../src/app/chain/follow-chain.ts'
import { listShortfalls } from '../../../src/app/chain/list-shortfalls.ts'
import { absorbHot } from '../../../src/app/spends/hot-wallet/absorb-hot.ts'
import { uuidv7 } from '../../../src/domain/ids.ts'
import { type AccountPlan, hotKey } from '../../../src/domain/spends.ts'
import { type Gate, hotAddressOf } from '../../../src/gates/gate.ts'
import {
  type ChainBench,
  openChainBench,
  type Place,
  priceOn,
  transferTo,
} from '../../support/nodes/chain-bench.ts'
import { type Script, signal } from '../../support/nodes/scripted-gate.ts'

let bench: ChainBench
let gate: Gate
let script: Script
let hot: string
beforeAll(async () => {
  bench = await openChainBench()
  ;({ gate, script } = await follow('ethereum'))
  hot = hotAddressOf(gate) ?? ''
})
afterAll(() => bench.close())

const follow = (network: string) => bench.follow({ network, startHeight: 10, balances: true })
const paymentsAt = (address: string, { id } = gate) =>
  bench.sql<{ tx_hash: string; units: string; block_height: string | null; suspense_reason: string | null }>(
    `select tx_hash, units, block_height, suspense_reason from payments
     where gate_id = $1 and address = $2 order by seen_at, units`,
    [id, address],
  )
/** The smallest amount that is not dust. */
const least = () => gate.assets[0]?.dustUnits ?? 0n
const paidOf = async (id: string) =>
  (await bench.sql<{ units: string }>('select paid_units as units from invoices where id = $1', [id]))[0]
    ?.units

/** Mines a block with these changes and processes it, up to the required depth if `deep` is set. */
async function mine(changes: Record<string, bigint>, { deep = false } = {}): Promise<void> {
  script.mine(1, [], changes)
  await bench.settle(gate)
  if (!deep) return
  script.mine(gate.network.confirmations - 1)
  await bench.settle(gate)
}

let nextNonce = 0n
/** A spend of ours with no outcome yet. */
async function plan(
  kind: 'gas' | 'sweep',
  from: string,
  to: string,
  moved: { units: bigint; isToken?: boolean },
): Promise<string> {
  const id = uuidv7(new Date())
  const native = gate.assets[0]?.currency ?? ''
  const made: AccountPlan = {
    kind: 'account',
    from: { address: from, key: hotKey },
    nonce: nextNonce++,
    to: { address: to, tag: null },
    currency: moved.isToken ? 'USDT' : native,
    contractAddress: moved.isToken ? 'a token' : null,
    units: moved.units,
    gasLimit: 100n,
    gasPrice: 10n,
    payoutId: null,
  }
  await bench.app.store.spends.insert({
    id,
    gateId: gate.id,
    kind,
    plan: made,
    feeCurrency: native,
    afterSpendId: null,
  })
  return id
}

/** Ends it in the newest block. */
const end = (id: string, feeUnits: bigint, status: 'final' | 'reverted' = 'final') =>
  bench.app.store.spends.end(id, { status, hash: `mined ${id}`, block: script.tip, feeUnits })

it('native currency that arrives inside a contract pays an invoice to the wei, beside a transfer that the block shows', async () => {
  const { id, place } = await bench.makeInvoice(gate)
  const price = priceOn(gate)
  const rest = least() + 1n
  script.mine(1, [transferTo(gate, place, { units: price - rest })])
  await bench.settle(gate)
  await mine({ [place.address]: rest })
  const { hash, height } = script.tip
  expect(await bench.statusOf(id)).toBe('pending')
  script.mine(gate.network.confirmations - 1)
  await bench.settle(gate)
  expect(await bench.statusOf(id)).toBe('paid')
  expect(await paidOf(id)).toBe(`${price}`)
  expect(await paymentsAt(place.address)).toMatchObject([
    { units: `${price - rest}` },
    { tx_hash: hash, units: `${rest}`, block_height: `${height}` },
  ])
})

it('a transfer and an amount from inside a contract in the same block are two payments', async () => {
  const { id, place } = await bench.makeInvoice(gate)
  const seen = transferTo(gate, place, { units: least() })
  script.mine(1, [seen], { [place.address]: priceOn(gate) - least() })
  await bench.settle(gate)
  expect(await paymentsAt(place.address)).toMatchObject([
    { tx_hash: seen.txHash, units: `${least()}` },
    { tx_hash: script.tip.hash, units: `${priceOn(gate) - least()}` },
  ])
  await mine({}, { deep: true })
  expect(await bench.statusOf(id)).toBe('paid')
})

it('two addresses that are paid inside one block are two payments', async () => {
  const [one, other] = [await bench.makeInvoice(gate), await bench.makeInvoice(gate)]
  await mine({ [one.place.address]: priceOn(gate), [other.place.address]: priceOn(gate) }, { deep: true })
  expect([await bench.statusOf(one.id), await bench.statusOf(other.id)]).toEqual(['paid', 'paid'])
})

it('a reorganisation reverses such payments, and finds again what the new branch still holds', async () => {
  const { id, place } = await bench.makeInvoice(gate)
  const price = priceOn(gate)
  await mine({ [place.address]: price }, { deep: true })
  expect(await bench.statusOf(id)).toBe('paid')
  const { confirmations } = gate.network
  // The new branch is longer by one block, and holds less.
  script.fork(confirmations, confirmations + 1, [], { [place.address]: price - least() })
  await bench.settle(gate)
  expect(await bench.statusOf(id)).toBe('pending')
  expect(await paymentsAt(place.address)).toMatchObject([
    { units: `${price}`, block_height: null },
    { tx_hash: script.tip.hash, units: `${price - least()}`, block_height: `${script.tip.height}` },
  ])
  await mine({ [place.address]: least() }, { deep: true })
  expect(await bench.statusOf(id)).toBe('paid')
  expect(await paidOf(id)).toBe(`${price}`)
  const credits = (await bench.eventsOf(id)).filter((event) => event === 'balance.credited')
  expect(credits).toHaveLength(3)
})

it('a payment that a reorganisation leaves unchanged stays the same payment', async () => {
  const { id, place } = await bench.makeInvoice(gate)
  await mine({ [place.address]: priceOn(gate) })
  const before = await paymentsAt(place.address)
  script.fork(1, 2, [], { [place.address]: priceOn(gate) })
  await bench.settle(gate)
  expect(await paymentsAt(place.address)).toEqual([{ ...before[0], block_height: `${script.tip.height}` }])
  await mine({}, { deep: true })
  expect(await bench.statusOf(id)).toBe('paid')
  expect(await bench.eventsOf(id)).toEqual(['invoice.payment_detected', 'balance.credited', 'invoice.paid'])
})

it('a payment swept before a deep reorganisation stays the same one, wherever both are mined again', async () => {
  const { id, place } = await bench.makeInvoice(gate)
  const { address } = place
  const price = priceOn(gate)
  await mine({ [address]: price }, { deep: true })
  const [payment] = await bench.sql<{ id: string }>('select id from payments where address = $1', [address])
  const sweep = await plan('sweep', address, hot, { units: price - 100n })
  await bench.app.store.holdings.pinPayments([payment?.id ?? ''], sweep)
  await mine({ [address]: -price, [hot]: price - 100n })
  await end(sweep, 100n)
  await bench.app.store.holdings.changeHot(gate.id, new Map([[gate.assets[0]?.currency ?? '', price - 100n]]))
  await mine({})
  script.fork(gate.network.confirmations + 2, 1, [], { [address]: price })
  script.mine(1, [], { [address]: -price, [hot]: price - 100n })
  const again = script.tip
  script.mine(gate.network.confirmations + 1)
  await bench.settle(gate)
  expect(await bench.statusOf(id)).toBe('pending')
  await bench.app.store.endedSpends.place(sweep, again)
  await mine({}, { deep: true })
  expect(await bench.statusOf(id)).toBe('paid')
  expect(await paymentsAt(address)).toHaveLength(1)
  expect(bench.shortfalls).toEqual([])
})

it('a payment that is gone on the new branch is reversed for good', async () => {
  const { id, place } = await bench.makeInvoice(gate)
  await mine({ [place.address]: priceOn(gate) })
  script.fork(1, 2)
  await bench.settle(gate)
  expect(await paymentsAt(place.address)).toMatchObject([{ block_height: null }])
  expect(await paidOf(id)).toBe('0')
  expect(bench.shortfalls).toEqual([])
})

it('our own sweeps, their fees and the gas we sent are counted, so nothing is found', async () => {
  const { place } = await bench.makeInvoice(gate, { units: 50_000n })
  const { address } = place
  script.mine(1, [transferTo(gate, place, { units: 50_000n })])
  await bench.settle(gate)
  const gas = await plan('gas', hot, address, { units: 1_000n })
  await mine({ [address]: 1_000n })
  await end(gas, 21n)
  const token = await plan('sweep', address, hot, { units: 777n, isToken: true })
  await mine({ [address]: -400n })
  await end(token, 400n)
  const failed = await plan('sweep', address, hot, { units: 777n, isToken: true })
  await mine({ [address]: -150n })
  await end(failed, 150n, 'reverted')
  const swept = await plan('sweep', address, hot, { units: 49_000n })
  await mine({ [address]: -49_300n, [hot]: 49_000n })
  await end(swept, 300n)
  await bench.app.store.holdings.changeHot(gate.id, new Map([[gate.assets[0]?.currency ?? '', 49_000n]]))
  await mine({})
  expect(await paymentsAt(address)).toHaveLength(1)
  expect(await paymentsAt(hot)).toEqual([])
  expect(bench.shortfalls).toEqual([])
  // The rest equals the books: one unit more is seen at once.
  await mine({ [address]: 1n })
  expect((await paymentsAt(address)).map(({ units }) => units)).toEqual(['50000', '1'])
})

it('an address with an open spend of ours is left alone until the chain has decided', async () => {
  const { place } = await bench.makeInvoice(gate)
  const { address } = place
  await mine({ [address]: 9_000n })
  const sweep = await plan('sweep', address, hot, { units: 8_000n })
  await mine({ [address]: -8_100n, [hot]: 8_000n })
  await mine({ [address]: 5n })
  expect(await paymentsAt(address)).toHaveLength(1)
  expect(bench.shortfalls).toEqual([])
  await end(sweep, 100n)
  await bench.app.store.holdings.changeHot(gate.id, new Map([[gate.assets[0]?.currency ?? '', 8_000n]]))
  await mine({})
  expect((await paymentsAt(address)).map(({ units }) => units)).toEqual(['9000', '5'])
})

it('an address whose sweep was reorganised away is left alone until its transaction is in a block again', async () => {
  const { place } = await bench.makeInvoice(gate)
  const { address } = place
  await mine({ [address]: 9_000n })
  const sweep = await plan('sweep', address, hot, { units: 777n, isToken: true })
  await mine({ [address]: -100n })
  await end(sweep, 100n)
  await mine({})
  script.fork(2, 3)
  await bench.settle(gate)
  expect(await paymentsAt(address)).toHaveLength(1)
  await mine({ [address]: -100n })
  await bench.app.store.endedSpends.place(sweep, script.tip)
  await mine({})
  expect(await paymentsAt(address)).toHaveLength(1)
  expect(bench.shortfalls).toEqual([])
})

it('native currency sent to the hot wallet inside a contract becomes float that payouts may use', async () => {
  const before = (await paymentsAt(hot)).length
  await mine({ [hot]: 12_345n })
  expect((await paymentsAt(hot)).slice(before)).toMatchObject([
    { tx_hash: script.tip.hash, units: '12345', suspense_reason: 'operator_float' },
  ])
  await mine({}, { deep: true })
  await bench.app.transaction((tx) => absorbHot(bench.app, tx, gate, hot))
  await mine({ [hot]: 1n })
  expect((await paymentsAt(hot)).slice(before).map(({ units }) => units)).toEqual(['12345', '1'])
})

it('a float absorbed before a deep reorganisation stays the same one if it is still there', async () => {
  await mine({ [hot]: 700n }, { deep: true })
  await bench.app.transaction((tx) => absorbHot(bench.app, tx, gate, hot))
  const before = await paymentsAt(hot)
  const { confirmations } = gate.network
  script.fork(confirmations, confirmations + 1, [], { [hot]: 700n })
  await bench.settle(gate)
  const after = await paymentsAt(hot)
  expect(after.map(({ tx_hash, units }) => [tx_hash, units])).toEqual(
    before.map(({ tx_hash, units }) => [tx_hash, units]),
  )
  expect(after.filter(({ block_height }) => block_height === null)).toEqual([])
})

it('a shortfall is never booked: it is reported once, audited, and forgotten when the balance is right again', async () => {
  const { id, place } = await bench.makeInvoice(gate)
  await mine({ [place.address]: priceOn(gate) }, { deep: true })
  const told = bench.shortfalls.length
  await mine({ [place.address]: -3n })
  await mine({})
  expect(bench.shortfalls.slice(told)).toEqual([
    { address: place.address, expectedUnits: priceOn(gate), foundUnits: priceOn(gate) - 3n },
  ])
  expect(await bench.statusOf(id)).toBe('paid')
  expect(await paymentsAt(place.address)).toHaveLength(1)
  const audited = async () =>
    (await auditBooks(bench.app)).differences.filter((each) => each.startsWith(`address ${place.address} `))
  expect(await listShortfalls(bench.app)).toEqual([
    { gateId: gate.id, currency: 'ETH', amount: '0.000000000000000003' },
  ])
  expect(await audited()).toEqual([
    `address ${place.address} of ${gate.id}: it should have ${priceOn(gate)} units of ETH, and at block ${script.tip.height - 1n} it had ${priceOn(gate) - 3n}`,
  ])
  await mine({ [place.address]: 3n })
  expect(await audited()).toEqual([])
  expect(await paymentsAt(place.address)).toHaveLength(1)
  expect(bench.shortfalls).toHaveLength(told + 1)
})

it('when the node lacks a block’s state, following continues and the next block makes up for it', async () => {
  const { id, place } = await bench.makeInvoice(gate)
  script.hasState = false
  await mine({ [place.address]: priceOn(gate) })
  const state = await bench.app.store.followedChains.find(gate.id)
  expect(state?.tip).toEqual(script.tip)
  expect(await paymentsAt(place.address)).toEqual([])
  script.hasState = true
  await mine({}, { deep: true })
  expect(await bench.statusOf(id)).toBe('paid')
})

it('balances are read once at the end of a catch-up, and not at all while nothing is new', async () => {
  const { id, place } = await bench.makeInvoice(gate)
  const asked = script.asked.length
  script.mine(450, [], { [place.address]: priceOn(gate) })
  await bench.settle(gate)
  expect(script.asked).toHaveLength(asked + 1)
  await bench.settle(gate)
  expect(script.asked).toHaveLength(asked + 1)
  await mine({}, { deep: true })
  expect(await bench.statusOf(id)).toBe('paid')
})

it('of followers that find the same payment one writes it, and one that hung writes nothing', async () => {
  const { place } = await bench.makeInvoice(gate)
  const reached = signal()
  const resume = signal()
  script.mine(1, [], { [place.address]: priceOn(gate) })
  const { balances } = gate
  if (balances === undefined) throw new Error('The gate has no balances.')
  const stale: Gate = {
    ...gate,
    async balances(addresses, block) {
      const held = await balances(addresses, block)
      reached.give()
      await resume.given
      return held
    },
  }
  const outcome = followChain(bench.process(), stale, { evenIfHeld: true })
  await reached.given
  const others = [bench.process(), bench.process(), bench.process()]
  await Promise.all(others.map((each) => bench.catchUp(gate, each)))
  resume.give()
  expect(await outcome).toBe('held')
  expect(await paymentsAt(place.address)).toMatchObject([{ units: `${priceOn(gate)}` }])
})

it('addresses that are not awaited take turns: each check reads a bounded number, and nothing is lost', async () => {
  const other = await follow('polygon')
  const { place } = await bench.makeInvoice(gate)
  const [counted] = await bench.sql<{ next: number }>(
    'select max(position)::integer + 1 as next from deposit_addresses where keychain = $1',
    [other.gate.keychain],
  )
  const next = counted?.next ?? 0
  await bench.sql(
    `insert into deposit_addresses (keychain, position, address)
     select $1, position, 'spare ' || position from generate_series($2::integer, $2 + 2499) as position`,
    [other.gate.keychain, next],
  )
  const last: Place = { address: `spare ${next + 2_499}`, tag: null, position: next + 2_499 }
  // One address belongs to an invoice of another network, and one was never given out.
  other.script.mine(1, [], { [place.address]: 40n, [last.address]: 50n })
  for (let look = 0; look < 4; look++) {
    await bench.settle(other.gate)
    other.script.mine(1)
  }
  expect(await paymentsAt(place.address, other.gate)).toMatchObject([
    { units: '40', suspense_reason: 'wrong_network' },
  ])
  expect(await paymentsAt(last.address, other.gate)).toMatchObject([
    { units: '50', suspense_reason: 'unassigned_address' },
  ])
  expect(Math.max(...other.script.asked.map(({ length }) => length))).toBeLessThanOrEqual(1_001)
})
