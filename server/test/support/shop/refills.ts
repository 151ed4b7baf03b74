import { HDKey } from '@scure/bip32'
import { Transaction } from '@scure/btc-signer'
import { expect } from 'vitest'
import { findRefills } from '../../../src/app/spends/cold/find-refills.ts'
import { prepareRefill } from '../../../src/app/spends/cold/prepare-refill.ts'
import { type SubmittedRefill, submitRefill } from '../../../src/app/spends/cold/submit-refill.ts'
import type { PreparedRefill } from '../../../src/app/spends/cold/write-refill.ts'
import { giveUpMove } from '../../../src/app/spends/settling/give-up-move.ts'
import { parseDecimal } from '../../../src/domain/money.ts'
import type { SignedTransaction, Spend } from '../../../src/domain/spends.ts'
import { usesOf } from '../../../src/domain/uses.ts'
import { query } from '../database/database.ts'
import { coldKeyOn, operatorsSeed, platformBalance, untilColdSent, untilEnded } from './cold.ts'
import { expectCleanBooks, gateOf, hurry, mineForNext, untilSettled } from './money-out.ts'
import { fewNetworks } from './registry.ts'
import { startTestService, type TestService } from './service.ts'
import { openShop, quiet, type Shop, settle } from './shop.ts'

export const gateId = 'bitcoin-test'
/** The cold wallet's master key, which only the operator has. */
export const master = HDKey.fromMasterSeed(operatorsSeed)
const origin = `[${master.fingerprint.toString(16).padStart(8, '0')}/84'/1'/0']`
// The sandbox's rate is 60,000 USD: the cap is 0.01 BTC, and a move leaves 0.005.
export const coldSettings = {
  network: 'bitcoin',
  environment: 'test',
  destination: `${origin}${coldKeyOn('test')}`,
  cap: '600.00',
  keep: '300.00',
  currency: 'USD',
}
export const ada = { actor: 'cli:ada', name: 'ada', ip: null, userAgent: null }
/** What the cold wallet has when the bench opens. */
export const coldAtFirst = 700_000n

export const units = (amount: string) => parseDecimal(amount, 8) ?? -1n

/** What the operator's hardware does. */
export function sign(psbt: Uint8Array, change: (transaction: Transaction) => void = () => {}): Uint8Array {
  const transaction = Transaction.fromPSBT(psbt)
  change(transaction)
  transaction.sign(master as Parameters<typeof transaction.sign>[0])
  return transaction.toPSBT()
}

/** The signed transaction, as another program would send it. */
export function finished(refill: PreparedRefill): SignedTransaction {
  const transaction = Transaction.fromPSBT(sign(refill.psbt))
  transaction.finalize()
  return { hash: transaction.id, bytes: transaction.extract() }
}

/** A shop whose hot wallet has 0.005 BTC less a fee, and whose cold wallet has one coin of 0.007 BTC. */
export type RefillBench = {
  readonly service: TestService
  readonly shop: Shop
  readonly moveFee: bigint
  readonly moveId: string
  held(kind: string): Promise<bigint>
  prepare(amount: string): Promise<PreparedRefill>
  submit(file: Uint8Array): Promise<SubmittedRefill>
  giveUp(refill: { readonly id: string }): Promise<unknown>
  /** Sends it without handing it in. */
  sendElsewhere(refill: PreparedRefill): Promise<void>
  /** Does what the worker does after each block. */
  look(): Promise<number>
  spend(id: string): Promise<Spend>
  /** Every spend of this kind with this transaction, oldest first. */
  bookings(txHash: string): Promise<{ id: string; status: string; againOf: string | null }[]>
  until(id: string, status: string): Promise<void>
  /** Makes sure that the network can never mine it. */
  ruleOut(refill: PreparedRefill): Promise<void>
  /** Removes the newest blocks, so that `hash` is in none of them any more. */
  reorganise(hash: string, options?: { readonly forGood?: boolean }): Promise<void>
  /** A test begins: what it books is compared with the books of now. */
  begin(): Promise<void>
  /** The books say that of this test's refills this one, and no other, was mined. */
  expectBooked(refill: PreparedRefill): Promise<void>
  /** The books are as at the beginning of the test. */
  expectNothingBooked(): Promise<void>
  /** Nothing is open any more: the next test can begin. */
  check(): Promise<void>
  /** Expects sound books, with everything that the tests have left in them, and stops. */
  stop(): Promise<void>
}

export async function openRefillBench(): Promise<RefillBench> {
  const service = await startTestService({
    ...quiet,
    networks: fewNetworks,
    config: { ...quiet.config, cold: [coldSettings] },
  })
  const shop = await openShop(service)
  await shop.pay(await shop.create({ currency: 'BTC', amount: '0.012' }), '0.012')
  await shop.mine(2)
  const move = await untilColdSent(service, gateId)
  await untilEnded(shop, 'bitcoin', move.id, 'final')
  const moveFee = BigInt(move.fee)
  const { app } = service
  const chains = app.store.simulatedChains
  const held = (kind: string) => platformBalance(service, kind, 'bitcoin', 'BTC')
  const spend = async (id: string) => {
    const found = await app.store.spends.find(id)
    if (found === null) throw new Error(`There is no spend ${id}.`)
    return found
  }
  expect(await held('cold')).toBe(-coldAtFirst)
  const books = async () => ({
    cold: await held('cold'),
    chain: await held('chain'),
    float: await held('float'),
    suspense: await held('suspense'),
  })
  let before = await books()
  expect(before).toEqual({ cold: -coldAtFirst, chain: -500_000n + moveFee, float: -moveFee, suspense: 0n })

  return {
    service,
    shop,
    moveFee,
    moveId: move.id,
    held,
    spend,
    prepare: (amount) => prepareRefill(app, { gateId, amount, by: ada }),
    submit: (file) => submitRefill(app, file, ada),
    giveUp: ({ id }) => giveUpMove(app, id, { by: ada, deadSpendId: null }),
    async sendElsewhere(refill) {
      expect(await gateOf(service, 'bitcoin').broadcast(finished(refill))).toBeNull()
    },
    look: () => findRefills(app, gateOf(service, 'bitcoin')),
    async bookings(txHash) {
      return query(
        service.database.url,
        `select id, status, again_of as "againOf" from refills join spends on spends.id = spend_id
         where tx_hash = $1 order by created_at, id`,
        [txHash],
      )
    },
    async until(id, status) {
      await expect
        .poll(async () => {
          if (!(await mineForNext(shop, 'bitcoin'))) await shop.mine(1)
          await findRefills(app, gateOf(service, 'bitcoin'))
          await hurry(service)
          return (await spend(id)).status
        })
        .toBe(status)
    },
    async ruleOut({ id, txHash }) {
      const [first] = (await spend(id)).transactions
      if (first === undefined) throw new Error(`Spend ${id} has no plan.`)
      await chains.ruleOut(gateId, txHash, usesOf(first.plan))
    },
    async reorganise(hash, options = {}) {
      const [row] = await query(
        service.database.url,
        `select height::text from simulated_transactions where hash = $1 and state = 'mined'`,
        [hash],
      )
      if (row === undefined) throw new Error(`${hash} is not mined.`)
      const depth = Number((await chains.tip(gateId)).height - BigInt(row.height)) + 1
      await chains.reorganise(gateId, depth, [hash], options)
      await settle(service, gateId)
    },
    async begin() {
      before = await books()
    },
    async expectBooked(refill) {
      const [amount, fee] = [units(refill.amount), units(refill.fee)]
      const { cold, chain, float } = before
      expect(await books()).toEqual({
        cold: cold + amount + fee,
        chain: chain - amount,
        float: float - fee,
        suspense: 0n,
      })
    },
    async expectNothingBooked() {
      expect(await books()).toEqual(before)
    },
    check: () => untilSettled(service, 'bitcoin'),
    async stop() {
      try {
        await expectCleanBooks(service)
      } finally {
        await service.stop()
      }
    },
  }
}
