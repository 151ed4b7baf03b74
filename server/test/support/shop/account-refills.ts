import { type Hex, parseTransaction } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { expect } from 'vitest'
import { findRefills } from '../../../src/app/spends/cold/find-refills.ts'
import { prepareAccountRefill } from '../../../src/app/spends/cold/prepare-account-refill.ts'
import { submitAccountRefill } from '../../../src/app/spends/cold/submit-account-refill.ts'
import type { PreparedAccountRefill } from '../../../src/app/spends/cold/write-account-refill.ts'
import { giveUpMove } from '../../../src/app/spends/settling/give-up-move.ts'
import { recheckEnded } from '../../../src/app/spends/settling/recheck-ended.ts'
import type { ColdPolicy } from '../../../src/domain/cold-wallets.ts'
import type { GateId } from '../../../src/domain/networks/network.ts'
import { hashOf } from '../../../src/gates/evm/hex.ts'
import { query } from '../database/database.ts'
import { platformBalance, untilColdSent, untilEnded } from './cold.ts'
import { gateOf, hurry, mineForNext, payOutTo, until, untilSettled } from './money-out.ts'
import { startTestService, type TestService } from './service.ts'
import { openShop, quiet, type Shop, settle } from './shop.ts'

const gateId: GateId = 'ethereum-test'

/** The operator's own key, which no process of the service ever sees. */
export const operator = privateKeyToAccount(`0x${'c01d'.repeat(16)}`)
export const by = { actor: 'cli:ada', name: 'ada', ip: null, userAgent: null }

type Request = ReturnType<typeof parseTransaction>
/** What a wallet changes before it signs. */
export type Changes = Partial<Record<string, unknown>>

/** A service whose cold wallet on Ethereum holds ETH and USDT. */
export async function openColdDesk() {
  const cold = {
    network: 'ethereum',
    environment: 'test',
    destination: operator.address,
    currency: 'USD',
    cap: '2000000.00',
    keep: '1000.00',
  }
  const payouts = { ...quiet.config.payouts, float_sweeps: 5 }
  const service = await startTestService({ ...quiet, config: { ...quiet.config, payouts, cold: [cold] } })
  const shop = await openShop(service)
  await fillHot(service, shop, 'ETH', '210', '105')
  await fillHot(service, shop, 'USDT', '900000', '10')
  const policies = service.app.spending.cold as Map<GateId, ColdPolicy>
  const policy = policies.get(gateId) as ColdPolicy
  policies.set(gateId, { ...policy, capValue: 1_000_00n, keepValue: 0n })
  for (let moves = 0; moves < 2; moves++)
    await untilEnded(shop, 'ethereum', (await untilColdSent(service, gateId)).id, 'final')
  // From here on nothing moves by itself.
  policies.set(gateId, { ...policy, capValue: 10n ** 30n })
  return new ColdDesk(service, shop)
}

/** Puts funds into the hot wallet: payouts of a little more than is there sweep everything. */
async function fillHot(service: TestService, shop: Shop, currency: string, amount: string, paid: string) {
  await shop.fund(amount, currency, 'ethereum')
  await until(shop, await payOutTo(shop, 'ethereum', { currency, amount: paid }), 'completed')
  await untilSettled(service, 'ethereum')
}

/** The operator with a cold wallet on the simulated Ethereum. */
export class ColdDesk {
  readonly service: TestService
  readonly shop: Shop

  constructor(service: TestService, shop: Shop) {
    this.service = service
    this.shop = shop
  }

  get chains() {
    return this.service.app.store.simulatedChains
  }

  get gate() {
    return gateOf(this.service, 'ethereum')
  }

  held(kind: string, currency: string): Promise<bigint> {
    return platformBalance(this.service, kind, 'ethereum', currency)
  }

  prepare(amount: string, currency?: string): Promise<PreparedAccountRefill> {
    return prepareAccountRefill(this.service.app, { gateId, amount, by, ...(currency && { currency }) })
  }

  submit(file: string | Uint8Array) {
    return submitAccountRefill(this.service.app, Buffer.from(file), by)
  }

  giveUp(id: string) {
    return giveUpMove(this.service.app, id, { by, deadSpendId: null })
  }

  /** What the operator's wallet does: another program than ours. */
  sign({ unsigned }: Pick<PreparedAccountRefill, 'unsigned'>, changes: Changes = {}): Promise<Hex> {
    return signWith(operator, unsigned, changes)
  }

  /** Sends signed bytes without telling the service. */
  async sendElsewhere(signed: Hex): Promise<string> {
    const bytes = Buffer.from(signed.slice(2), 'hex')
    const hash = hashOf(bytes)
    expect(await this.gate.broadcast({ hash, bytes })).toBeNull()
    return hash
  }

  async spend(id: string) {
    const spend = await this.service.app.store.spends.find(id)
    if (spend === null) throw new Error('There is no such spend.')
    return spend
  }

  /** What the database has of refills, for comparing. */
  rows() {
    return query(
      this.service.database.url,
      `select spends.id, status, attempt, encode(bytes, 'hex') as bytes, sent_at,
         (select count(*)::integer from refill_bookings as b where b.spend_id = spends.id) as bookings
       from refills
       join spends on spends.id = refills.spend_id join spend_transactions as t on t.spend_id = spends.id
       order by spends.id, attempt`,
    )
  }

  /** Mines until a refill has ended, whether it was sent or not. */
  async ended(id: string, status: string): Promise<void> {
    await this.mineUntil(async () => (await this.spend(id)).status === status)
  }

  async mineUntil(holds: () => Promise<boolean>): Promise<void> {
    await expect
      .poll(async () => {
        if (!(await mineForNext(this.shop, 'ethereum'))) await this.shop.mine(1, 'ethereum')
        await findRefills(this.service.app, this.gate)
        await recheckEnded(this.service.app, this.gate)
        await hurry(this.service)
        return holds()
      })
      .toBe(true)
  }

  /** Replaces the blocks from the one that holds a transaction on, without these. */
  async reorganiseFrom(height: bigint, without: readonly string[]): Promise<void> {
    const { height: tip } = await this.chains.tip(gateId)
    await this.chains.reorganise(gateId, Number(tip - height) + 1, [...without], { others: 'mempool' })
    await settle(this.service, gateId)
  }
}

export async function signWith(
  account: typeof operator,
  unsigned: string,
  changes: Changes = {},
): Promise<Hex> {
  const request = { ...parseTransaction(unsigned as Hex), ...changes } as Request
  return account.signTransaction(request as Parameters<typeof account.signTransaction>[0])
}
