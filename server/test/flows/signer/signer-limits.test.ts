import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { LimitEntry } from '../../../src/settings/limit-config.ts'
import { openPasskeyDesk } from '../../support/people/passkey-desk.ts'
import { type Desk, elsewhere, openDesk } from '../../support/signer/signer-desk.ts'
import { limitsOf } from '../../support/signer/signer-limits.ts'

let desk: Desk
let nowMs: number
beforeEach(async () => {
  desk = await openDesk()
  nowMs = Date.now()
})
afterEach(() => desk.close())

const hourMs = 3_600_000
const limit = (over: Partial<LimitEntry>): LimitEntry => ({ network: 'bitcoin', currency: 'BTC', ...over })
const sign = (...entries: LimitEntry[]) =>
  desk.sign({ limits: limitsOf(entries), ownNow: () => new Date(nowMs) })
// 0.001 BTC, and 0.00001 BTC as network fee.
const ask = () => desk.ordinary()

it('a payout above the limit is refused in spite of its approvals', async () => {
  const { spendId } = await ask()
  expect(await sign(limit({ per_payout: '0.00099999' }))).toBe(0)
  expect((await desk.outcome(spendId)).refusal).toBe(
    "It would exceed the signer's own limit of 0.00099999 BTC per payout on bitcoin.",
  )
  expect(await sign(limit({ per_payout: '0.001' }))).toBe(1)
})

it('any number of forged approvals release no more than the hourly and daily limits, fees included', async () => {
  for (let each = 0; each < 10; each++) await ask()
  const limits = [limit({ per_hour: '0.00304', per_day: '0.006' })]
  expect(await sign(...limits)).toBe(3)
  expect(await sign(...limits)).toBe(0)
  nowMs += hourMs + 1
  expect(await sign(...limits)).toBe(2)
  nowMs += hourMs + 1
  expect(await sign(...limits)).toBe(0)
  nowMs += 24 * hourMs
  expect(await sign(...limits)).toBe(3)
})

it('signatures from before a restart count, and setting the clock back frees nothing', async () => {
  await ask()
  const limits = [limit({ per_hour: '0.0015' })]
  expect(await sign(...limits)).toBe(1)
  await desk.reopenJournal()
  await ask()
  nowMs -= 10 * hourMs
  expect(await sign(...limits)).toBe(0)
  nowMs += 10 * hourMs + 1000
  expect(await sign(...limits)).toBe(0)
  nowMs += hourMs
  expect(await sign(...limits)).toBe(1)
})

it('the database’s clock does not affect the limits', async () => {
  await ask()
  await ask()
  const limits = limitsOf([limit({ per_hour: '0.0015' })])
  desk.app.now = () => new Date(Date.now() + 48 * hourMs)
  expect(await desk.sign({ limits })).toBe(1)
  expect(await desk.sign({ limits })).toBe(0)
})

it('a limit applies to one network, one currency and, if it names one, one environment', async () => {
  const { spendId } = await ask()
  const token = await desk.payout({ network: 'ethereum', currency: 'USDT', destination: elsewhere.ethereum })
  await desk.plan(desk.transferPlan(token, 0n), [token], { gateId: 'ethereum-test' })
  expect(
    await sign(
      limit({ network: 'litecoin', currency: 'LTC', per_payout: '0' }),
      limit({ environment: 'live', per_payout: '0' }),
      { network: 'ethereum', currency: 'USDC', per_payout: '0' },
      { network: 'ethereum', currency: 'USDT', per_payout: '0.01' },
    ),
  ).toBe(1)
  expect((await desk.outcome(spendId)).hash).not.toBeNull()
})

it('a second attempt of the same spend counts only the fee it adds', async () => {
  const payout = await desk.payout({ networkFeeUnits: 10_000n })
  const coin = await desk.coin()
  const spendId = await desk.plan(desk.coinPlan([coin], [payout]), [payout])
  const limits = [limit({ per_hour: '0.00106' })]
  expect(await sign(...limits)).toBe(1)
  await desk.app.store.spends.addAttempt(spendId, 2, desk.coinPlan([coin], [payout], 6_000n))
  expect(await sign(...limits)).toBe(1)
  await desk.app.store.spends.addAttempt(spendId, 3, desk.coinPlan([coin], [payout], 6_001n))
  expect(await sign(...limits)).toBe(0)
})

it('a second transaction that does not rule out the first is never signed', async () => {
  const { payout, spendId } = await ask()
  expect(await sign()).toBe(1)
  const { hash } = await desk.outcome(spendId)
  await desk.app.store.spends.addAttempt(spendId, 2, desk.coinPlan([await desk.coin()], [payout]))
  expect(await sign()).toBe(0)
  expect((await desk.outcome(spendId, 2)).refusal).toMatch(`has transaction ${hash} for payout ${payout.id}`)
})

it('the limit of the native currency bounds the gas burnt in forged sweeps', async () => {
  const deposit = { chain: 'deposit' as const, index: 0 }
  const address = desk.wallet.addressAt('ethereum', deposit) ?? ''
  const hot = desk.wallet.addressAt('ethereum', { chain: 'own', index: 0 }) ?? ''
  for (let nonce = 0n; nonce < 5n; nonce++)
    await desk.plan(
      {
        kind: 'account',
        from: { address, key: deposit },
        nonce,
        to: { address: hot, tag: null },
        currency: 'ETH',
        contractAddress: null,
        units: 1n,
        gasLimit: 100_000n,
        gasPrice: 10n ** 12n,
        payoutId: null,
      },
      [],
      { kind: 'sweep' as never, gateId: 'ethereum-test' },
    )
  expect(await sign({ network: 'ethereum', currency: 'ETH', per_day: '0.25' })).toBe(2)
})

describe('in the live environment', () => {
  let live: Awaited<ReturnType<typeof openPasskeyDesk>>
  beforeEach(async () => {
    live = await openPasskeyDesk()
  })
  afterEach(() => live.close())
  const signLive = (entries: LimitEntry[], areRequired = true) =>
    live.sign({ limits: { ...limitsOf(entries), areRequired } })

  it('a payout waits until a limit bounds what leaves by hour or by day, and then is signed', async () => {
    const { spendId } = await live.ordinary({ approvers: ['user:one'] })
    const unbounding = [
      [],
      // Any number of payouts stays below it.
      [limit({ per_payout: '1' })],
      [limit({ environment: 'test', per_day: '1' })],
      [limit({ network: 'litecoin', currency: 'LTC', per_day: '1' })],
    ]
    for (const entries of unbounding) {
      expect(await signLive(entries)).toBe(0)
      expect(await live.outcome(spendId)).toMatchObject({
        hash: null,
        refusal: expect.stringMatching(
          /^The signer has no limit by hour or by day for BTC on Bitcoin\. Set one/,
        ),
      })
    }
    expect(await signLive([limit({ per_day: '1' })])).toBe(1)
  })

  it('the operator can waive that', async () => {
    await live.ordinary({ approvers: ['user:one'] })
    expect(await signLive([], false)).toBe(1)
  })
})
