import { Transaction } from '@scure/btc-signer'
import { afterAll, afterEach, beforeEach, expect, it, vi } from 'vitest'
import { listCold } from '../../../src/app/spends/cold/list-cold.ts'
import { listRefills } from '../../../src/app/spends/cold/list-refills.ts'
import { prepareRefill } from '../../../src/app/spends/cold/prepare-refill.ts'
import { writeRefill } from '../../../src/app/spends/cold/write-refill.ts'
import { bookReplacement } from '../../../src/app/spends/settling/book-replacement.ts'
import { exchangeColdCoin } from '../../../src/app/spends/settling/keep-cold.ts'
import { recheckEnded } from '../../../src/app/spends/settling/recheck-ended.ts'
import { query } from '../../support/database/database.ts'
import { coldAddressAt } from '../../support/shop/cold.ts'
import { setHalt } from '../../support/shop/halt.ts'
import { gateOf, payOutTo, until } from '../../support/shop/money-out.ts'
import {
  ada,
  gateId,
  master,
  openRefillBench,
  type RefillBench,
  sign,
  units,
} from '../../support/shop/refills.ts'

let opened: RefillBench | null = null
let bench: RefillBench
// One bench for all tests. Each leaves the cold wallet with one coin, and takes amounts of its own: the hash of a refill is
// as new as its amount.
beforeEach(async () => {
  opened ??= await openRefillBench()
  bench = opened
  await bench.begin()
})
afterEach(() => bench.check())
afterAll(() => opened?.stop())

const holdings = async () => (await listCold(bench.service.app))[0]?.holdings[0]

it('the coin of a refill is not exchanged under it when another attempt of its move is mined', async () => {
  const { app } = bench.service
  const gate = gateOf(bench.service, 'bitcoin')
  const move = await bench.spend(bench.moveId)
  const { hash = '', block = null } = move.mined ?? {}
  if (block === null || move.feeUnits === null) throw new Error('The move is final.')
  const mined = { kind: 'mined', hash, block, feeUnits: move.feeUnits, succeeded: true } as const
  const refill = await bench.prepare('0.003')
  expect(await bookReplacement(app, gate, move, mined)).toBe(false)
  await expect(app.transaction((tx) => exchangeColdCoin(tx, move, hash))).rejects.toThrow(
    new RegExp(`used by a refill.*give-up ${refill.id}`),
  )
  expect(await app.store.coldMoves.refillOf(move.id)).toBe(refill.id)
  await bench.giveUp(refill)
  expect(await bookReplacement(app, gate, move, mined)).toBe(true)
  expect(await app.store.refills.freeCoins(gateId, 10)).toMatchObject([{ txHash: hash }])
})

it('the file tells an offline signer everything: previous transactions, keys and their origin', async () => {
  const refill = await bench.prepare('0.0031')
  const psbt = Transaction.fromPSBT(refill.psbt)
  const input = psbt.getInput(0)
  expect(input.nonWitnessUtxo).toBeDefined()
  const path = [84, 1, 0].map((step) => step + 2 ** 31).concat(0, 0)
  expect(input.bip32Derivation?.[0]?.[1]).toEqual({ fingerprint: master.fingerprint, path })
  expect(psbt.getOutput(1).bip32Derivation?.[0]?.[1].path).toEqual(path)
  expect(psbt.getOutput(0).bip32Derivation).toBeUndefined()
  // No wallet offers to replace it: the replacement would have another hash.
  expect(input.sequence).toBe(0xfffffffe)
  expect((await writeRefill(bench.service.app, refill.id)).psbt).toEqual(refill.psbt)
  await bench.giveUp(refill)
  await expect(writeRefill(bench.service.app, refill.id)).rejects.toThrow(/has ended \(dead\)/)
})

it('the fee is within max_fee when it is prepared, and no file is written for more', async () => {
  const { app, database } = bench.service
  const refill = await bench.prepare('0.0032')
  const bounded = (most: bigint) => ({
    ...app,
    spending: { ...app.spending, maxFees: new Map([['bitcoin', most]]) },
  })
  const fee = units(refill.fee)
  expect((await writeRefill(bounded(fee), refill.id)).fee).toBe(refill.fee)
  await expect(writeRefill(bounded(fee - 1n), refill.id)).rejects.toThrow(/DO NOT SIGN IT/)
  await bench.giveUp(refill)
  const again = (most: bigint) => prepareRefill(bounded(most), { gateId, amount: '0.0032', by: ada })
  await expect(again(fee - 1n)).rejects.toThrow(/signer.max_fee allows/)
  expect(await query(database.url, 'select from cold_coins where pinned_by is not null')).toEqual([])
  await bench.giveUp(await again(fee))
})

it('more than is there, amounts that are none, and networks without a cold wallet are refused', async () => {
  const refills = () => query(bench.service.database.url, 'select spend_id from refills')
  const before = await refills()
  await expect(bench.prepare('0.007')).rejects.toThrow(/has 0.007 BTC that a refill can use/)
  await expect(bench.prepare('0.000000001')).rejects.toThrow(/no amount of BTC/)
  await expect(bench.prepare('-1')).rejects.toThrow(/no amount of BTC/)
  const on = (id: string) => prepareRefill(bench.service.app, { gateId: id, amount: '1', by: ada })
  await expect(on('litecoin-test')).rejects.toThrow(/has no cold wallet/)
  await expect(on('nothing-test')).rejects.toThrow(/no gate nothing-test/)
  expect(await refills()).toEqual(before)
})

it('a reorganisation that undoes a booked refill for good is reversed by new postings, and the coins are cold again', async () => {
  const refill = await bench.prepare('0.0033')
  await bench.submit(sign(refill.psbt))
  await bench.until(refill.id, 'final')
  await bench.reorganise(refill.txHash)
  await bench.ruleOut(refill)
  await bench.shop.mine(3)
  await recheckEnded(bench.service.app, gateOf(bench.service, 'bitcoin'))
  await bench.giveUp(refill)
  await bench.expectNothingBooked()
  expect(await bench.service.app.store.refills.freeCoins(gateId, 10)).toMatchObject([{ units: 700_000n }])
})

it('a refill that the operator has signed goes from cold to hot, with its change back in the cold wallet, and is paid out', async () => {
  const { shop, service } = bench
  const before = await shop.balance('BTC')
  const refill = await bench.prepare('0.003')
  expect(refill.change?.address).toBe(coldAddressAt(0))

  const file = sign(refill.psbt)
  expect(await bench.submit(file)).toMatchObject({ id: refill.id, txHash: refill.txHash, refusal: null })
  // A second process, or the same command again, sends the same bytes.
  expect(await bench.submit(file)).toMatchObject({ id: refill.id, refusal: null })

  await bench.until(refill.id, 'final')
  await bench.expectBooked(refill)
  expect(await shop.balance('BTC')).toEqual(before)
  expect(await query(service.database.url, 'select from payments')).toHaveLength(1)
  expect(await service.app.store.coldMoves.coins(gateId, 10)).toMatchObject([
    {
      txHash: refill.txHash,
      outputIndex: 1,
      address: coldAddressAt(0),
      units: units(refill.change?.amount ?? ''),
    },
  ])
  // More than the hot wallet had before.
  await until(shop, await payOutTo(shop, 'bitcoin', { currency: 'BTC', amount: '0.0075' }), 'completed')

  // The change can come back as well.
  const next = await bench.prepare('0.001')
  await bench.submit(sign(next.psbt))
  await bench.until(next.id, 'final')
})

it('a prepared refill is in transit and is listed with what to do next, until it is booked or given up', async () => {
  const cold = units((await holdings())?.cold ?? '')
  const refill = await bench.prepare('0.0004')
  const moving = 40_000n + units(refill.fee)
  const inTransit = async () => units((await holdings())?.inTransit ?? '')
  expect(await inTransit()).toBe(moving)
  expect(units((await holdings())?.cold ?? '')).toBe(cold - moving)
  const listed = () => listRefills(bench.service.app, gateId)
  expect(await listed()).toEqual([
    {
      id: refill.id,
      txHash: refill.txHash,
      amount: '0.0004',
      fee: refill.fee,
      feeCurrency: 'BTC',
      currency: 'BTC',
      preparedAt: expect.any(Date),
      preparedBy: 'cli:ada',
      status: 'prepared',
      next: expect.stringMatching(
        new RegExp(`Sign its file, then: .* --submit FILE.* --again ${refill.id} .* give-up ${refill.id}$`),
      ),
    },
  ])
  await bench.submit(sign(refill.psbt))
  expect(await listed()).toMatchObject([{ id: refill.id, status: 'sent', next: /deep enough/ }])
  expect(await inTransit()).toBe(moving)
  await bench.until(refill.id, 'final')
  expect(await listed()).toEqual([])
  expect(await inTransit()).toBe(0n)

  const other = await bench.prepare('0.00041')
  await bench.giveUp(other)
  expect(await listed()).toEqual([])
  expect(await inTransit()).toBe(0n)
})

it('a file that is handed in while the chain is halted is stored, and sent once the chain is followed again', async () => {
  const { service } = bench
  const refill = await bench.prepare('0.00042')
  const broadcast = vi.spyOn(gateOf(service, 'bitcoin'), 'broadcast')
  await setHalt(service, gateId, 'A test halts it.')
  expect(await bench.submit(sign(refill.psbt))).toMatchObject({ refusal: expect.stringMatching(/is halted/) })
  expect((await bench.spend(refill.id)).transactions[0]).toMatchObject({ signed: {}, sentAt: null })
  expect(broadcast).not.toHaveBeenCalled()
  await setHalt(service, gateId, null)
  await bench.until(refill.id, 'final')
  await bench.expectBooked(refill)
})

it('two commands at once never use one coin twice', async () => {
  const results = await Promise.allSettled([bench.prepare('0.00043'), bench.prepare('0.00043')])
  expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
  const [made] = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []))
  if (made === undefined) throw new Error('Neither was prepared.')
  // Handed in and given up at once, only one of them happens.
  const [handed, given] = await Promise.allSettled([bench.submit(sign(made.psbt)), bench.giveUp(made)])
  const [first] = (await bench.spend(made.id)).transactions
  if (given.status === 'rejected') {
    expect(first?.signed).not.toBeNull()
    return bench.until(made.id, 'final')
  }
  // It may have been taken up again, since it was handed in after that.
  const [, again] = await bench.bookings(made.txHash)
  expect([handed.status, again === undefined]).toEqual(
    again === undefined ? ['rejected', true] : ['fulfilled', false],
  )
  if (again !== undefined) await bench.until(again.id, 'final')
})

it('two processes that hand in the same file store and send the same bytes', async () => {
  const refill = await bench.prepare('0.00044')
  const file = sign(refill.psbt)
  const both = await Promise.all([bench.submit(file), bench.submit(file)])
  expect(both.map(({ id, refusal }) => [id, refusal])).toEqual([
    [refill.id, null],
    [refill.id, null],
  ])
  const noted = await query(
    bench.service.database.url,
    `select from audit_entries where action = 'refill.submitted' and subject = $1`,
    [refill.id],
  )
  expect(noted).toHaveLength(1)
  await bench.until(refill.id, 'final')
  await bench.expectBooked(refill)
})

it('a reorganisation before a refill is booked changes nothing: it is mined again and booked once', async () => {
  const refill = await bench.prepare('0.00045')
  await bench.submit(sign(refill.psbt))
  await bench.shop.mine(1)
  await bench.reorganise(refill.txHash)
  await bench.until(refill.id, 'final')
  await bench.expectBooked(refill)
})
