import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { approvalHash } from '../../../src/domain/payouts.ts'
import { type AccountPlan, hotKey } from '../../../src/domain/spends.ts'
import { query } from '../../support/database/database.ts'
import { type Desk, elsewhere, openDesk } from '../../support/signer/signer-desk.ts'
import { limitsOf } from '../../support/signer/signer-limits.ts'

let desk: Desk
beforeEach(async () => {
  desk = await openDesk()
})
afterEach(() => desk.close())

const refused = async (spendId: string, words: string | RegExp) => {
  expect(await desk.sign()).toBe(0)
  const { hash, refusal } = await desk.outcome(spendId)
  expect(hash).toBeNull()
  expect(refusal).toMatch(words)
  expect(desk.journal().all()).toEqual([])
}

it('an approved payout is signed, journaled and stored, and shows its hash', async () => {
  const { payout, spendId } = await desk.ordinary()
  expect(await desk.sign()).toBe(1)
  const { hash, refusal } = await desk.outcome(spendId)
  expect(refusal).toBeNull()
  expect((await desk.find(payout.id)).txHash).toBe(hash)
  expect(desk.journal().ofPayout(payout.id)).toMatchObject([{ spendId, attempt: 1, hash }])
  expect(await desk.sign()).toBe(0)
})

it('a transaction with several payouts and a token transfer from the hot wallet are signed', async () => {
  const payouts = [await desk.payout(), await desk.payout({ amountUnits: 7_000n })]
  const batch = await desk.plan(desk.coinPlan([await desk.coin()], payouts), payouts)
  const token = await desk.payout({
    network: 'ethereum',
    currency: 'USDT',
    destination: elsewhere.ethereum,
    amountUnits: 5_000_000n,
  })
  const transfer = await desk.plan(desk.transferPlan(token, 0n), [token], { gateId: 'ethereum-test' })
  expect(await desk.sign()).toBe(2)
  expect((await desk.outcome(batch)).hash).toMatch(/^[0-9a-f]{64}$/)
  expect((await desk.outcome(transfer)).hash).toMatch(/^0x[0-9a-f]{64}$/)
})

it('a refusal is shown on the payout, and the operator is told once', async () => {
  const { payout } = await desk.ordinary({ approvers: [] })
  await desk.sign()
  await desk.sign()
  expect((await desk.find(payout.id)).waitingReason).toMatch('0 of 1 approvals')
  expect(desk.alerts).toMatchObject([{ msg: 'THE SIGNER REFUSES A TRANSACTION', gate: 'bitcoin-test' }])
})

it('a refused transaction blocks no other, and is signed once its reason is gone', async () => {
  const { payout, spendId } = await desk.ordinary({ approvers: [] })
  const other = await desk.ordinary()
  expect(await desk.sign()).toBe(1)
  expect((await desk.outcome(other.spendId)).hash).not.toBeNull()
  await desk.approve(payout, 'user:late')
  expect(await desk.sign()).toBe(1)
  expect(await desk.outcome(spendId)).toMatchObject({ refusal: null })
  expect((await desk.find(payout.id)).waitingReason).toBeNull()
})

describe('approvals', () => {
  it('a payout whose destination was changed after its approval is refused', async () => {
    const { payout, plan, spendId } = await desk.ordinary()
    await desk.forge('payouts', 'update payouts set destination = $2 where id = $1', [
      payout.id,
      elsewhere.otherBitcoin,
    ])
    await desk.forge('spend_transactions', 'update spend_transactions set plan = $2 where spend_id = $1', [
      spendId,
      JSON.stringify(plan, (_, value) => (typeof value === 'bigint' ? String(value) : value)).replaceAll(
        elsewhere.bitcoin,
        elsewhere.otherBitcoin,
      ),
    ])
    await refused(spendId, 'does not match this payout')
  })

  it.each([
    ['amount', 'update payouts set amount_units = amount_units + 1 where id = $1'],
    ['tag', `update payouts set destination_tag = '1' where id = $1`],
    ['currency', `update payouts set currency = 'LTC' where id = $1`],
  ])('a payout whose %s was changed after its approval is refused', async (_, statement) => {
    const { payout, spendId } = await desk.ordinary()
    await desk.forge('payouts', statement, [payout.id])
    await refused(spendId, 'does not match this payout')
  })

  it('another payout’s approval does not count', async () => {
    const first = await desk.payout()
    const { payout, spendId } = await desk.ordinary({ approvers: [] })
    await desk.approve(payout, 'user:one', approvalHash(first))
    await refused(spendId, 'does not match this payout')
  })

  it('where two approvals are required, neither the creator nor one person twice is enough', async () => {
    await desk.policy('approvals_required', '2')
    const { payout, spendId } = await desk.ordinary({ approvers: ['user:creator', 'user:one'] })
    await refused(spendId, '1 of 2 approvals')
    await desk.approve(payout, 'user:two')
    expect(await desk.sign()).toBe(1)
  })

  it('a key that created a payout cannot approve it through the test helper', async () => {
    await desk.policy('approvals_required', '2')
    const { payout, spendId } = await desk.ordinary({ approvers: ['test:k1', 'user:one'] })
    await desk.forge('payouts', `update payouts set created_by = 'key:k1' where id = $1`, [payout.id])
    await refused(spendId, '1 of 2 approvals')
  })

  it('a payout is not signed before its cooling-off ends, whatever executable_at says', async () => {
    const early = await desk.ordinary({ executableAt: new Date(Date.now() + 60_000) })
    await refused(early.spendId, 'cooling-off')
    await desk.policy('cooling_off_seconds', '3600')
    const forged = await desk.ordinary()
    await refused(forged.spendId, 'cooling-off')
  })

  it('the signer enforces the merchant’s limit per payout and list of destinations', async () => {
    await desk.policy('max_payout, only_known_destinations', '5000, true')
    const unknown = await desk.ordinary({ worth: 1n })
    await refused(unknown.spendId, "not on its merchant's list")
    await query(
      desk.url,
      `insert into payout_destinations (merchant_id, environment, network, address) values ($1, 'test', 'bitcoin', $2)`,
      [desk.merchantId, elsewhere.bitcoin],
    )
    const large = await desk.ordinary({ worth: 5001n })
    const unvalued = await desk.ordinary({ worth: null })
    expect(await desk.sign()).toBe(1)
    expect((await desk.outcome(large.spendId)).refusal).toMatch("over its merchant's limit")
    expect((await desk.outcome(unvalued.spendId)).refusal).toMatch('is unknown')
  })
})

describe('a plan', () => {
  const planned = async (change: (plan: ReturnType<Desk['coinPlan']>) => ReturnType<Desk['coinPlan']>) => {
    const payout = await desk.payout()
    return desk.plan(change(desk.coinPlan([await desk.coin()], [payout])), [payout])
  }
  const output = (at: number, with_: object) => (plan: ReturnType<Desk['coinPlan']>) => ({
    ...plan,
    outputs: plan.outputs.map((each, index) => (index === at ? { ...each, ...with_ } : each)),
  })

  it.each([
    ['another destination', output(0, { address: elsewhere.otherBitcoin }), 'exactly the payouts'],
    ['another amount', output(0, { units: 99_999n }), 'exactly the payouts'],
    ['change to a foreign address', output(1, { address: elsewhere.otherBitcoin }), 'an address that is not'],
    [
      'change to an address of ours with another index',
      (plan: ReturnType<Desk['coinPlan']>) => ({ ...plan, change: { outputIndex: 1, index: 5 } }),
      'an address that is not',
    ],
    [
      'an output that belongs to no payout',
      (plan: ReturnType<Desk['coinPlan']>) => ({
        ...plan,
        outputs: [...plan.outputs, { address: elsewhere.otherBitcoin, units: 5n, payoutId: null }],
      }),
      'an address that is not',
    ],
    [
      'a payout paid twice',
      (plan: ReturnType<Desk['coinPlan']>) => ({
        ...plan,
        outputs: [...plan.outputs, ...plan.outputs.slice(0, 1)],
      }),
      'exactly the payouts',
    ],
    ['sums that are wrong', (plan: ReturnType<Desk['coinPlan']>) => ({ ...plan, feeUnits: 999n }), 'add up'],
    [
      'a key that cannot exist',
      (plan: ReturnType<Desk['coinPlan']>) => ({
        ...plan,
        inputs: plan.inputs.map((each) => ({ ...each, key: { chain: 'own' as const, index: 2 ** 31 } })),
      }),
      'not a plan that the signer understands',
    ],
  ])('with %s is refused', async (_, change, words) => {
    await refused(await planned(change), words)
  })

  it('that omits a payout of its spend is refused', async () => {
    const payouts = [await desk.payout(), await desk.payout()]
    const plan = desk.coinPlan([await desk.coin()], payouts.slice(0, 1))
    await refused(await desk.plan(plan, payouts), 'exactly the payouts')
  })

  it('without payouts is refused', async () => {
    const payout = await desk.payout()
    await refused(await desk.plan(desk.coinPlan([await desk.coin()], [payout]), []), 'No payout')
  })

  it('whose fee exceeds the reserve or the signer’s maximum is refused', async () => {
    const payout = await desk.payout({ networkFeeUnits: 999n })
    await refused(await desk.plan(desk.coinPlan([await desk.coin()], [payout]), [payout]), 'reserved')
    const { spendId } = await desk.ordinary({ networkFeeUnits: 10n ** 8n })
    expect(await desk.sign({ limits: limitsOf([], { bitcoin: '0.00000999' }) })).toBe(0)
    expect((await desk.outcome(spendId)).refusal).toMatch('higher than the signer allows')
  })

  it('of an unknown kind is refused, whether it pays or cancels', async () => {
    await query(desk.url, 'alter table spends drop constraint spends_kind_check')
    const forge = (id: string) => desk.forge('spends', `update spends set kind = 'grant' where id = $1`, [id])
    const { spendId } = await desk.ordinary()
    await forge(spendId)
    await refused(spendId, 'The signer knows no spend of the kind “grant”.')

    const payout = await desk.payout({
      network: 'ethereum',
      currency: 'ETH',
      destination: elsewhere.ethereum,
    })
    const transfer = desk.transferPlan(payout, 0n)
    const cancelling = { ...transfer, to: { address: transfer.from.address, tag: null }, units: 0n }
    const cancelled = await desk.plan(cancelling, [payout], { gateId: 'ethereum-test' })
    await forge(cancelled)
    await refused(cancelled, 'this is a spend of the kind “grant”.')
  })

  it('of the live environment is ignored by a test wallet', async () => {
    const payout = await desk.payout()
    const plan = desk.coinPlan([await desk.coin()], [payout])
    const spendId = await desk.plan(plan, [payout], { gateId: 'bitcoin-live' as never })
    expect(await desk.sign()).toBe(0)
    expect(await desk.outcome(spendId)).toEqual({ hash: null, refusal: null })
  })

  it('of a token with another contract, or from another account, is refused', async () => {
    const token = { network: 'ethereum', currency: 'USDT', destination: elsewhere.ethereum }
    let nonce = 0n
    const wrong = async (change: object, words: string) => {
      const payout = await desk.payout(token)
      const plan = { ...desk.transferPlan(payout, nonce++), ...change }
      const spendId = await desk.plan(plan, [payout], { gateId: 'ethereum-test' })
      await refused(spendId, words)
    }
    await wrong({ contractAddress: elsewhere.ethereum }, 'contract')
    await wrong({ currency: 'USDC' }, 'exactly the payouts')
    await wrong({ to: { address: elsewhere.ethereum, tag: '1' } }, 'exactly the payouts')
    const deposit = { chain: 'deposit' as const, index: 0 }
    const address = desk.wallet.addressAt('ethereum', deposit)
    await wrong({ from: { address, key: deposit } }, 'does not match its key')
    await wrong({ gasPrice: 10n ** 15n }, 'higher than the signer allows')
  })
})

describe('transfers between our own addresses', () => {
  const deposit = { chain: 'deposit' as const, index: 3 }
  const hot = () => desk.wallet.addressAt('ethereum', hotKey) ?? ''
  const own = () => desk.wallet.addressAt('ethereum', deposit) ?? ''
  const base = { kind: 'account', nonce: 0n, gasLimit: 21_000n, gasPrice: 10n ** 9n, payoutId: null } as const
  const sweep = (): AccountPlan => ({
    ...base,
    from: { address: own(), key: deposit },
    to: { address: hot(), tag: null },
    currency: 'ETH',
    contractAddress: null,
    units: 5n,
  })
  const gas = (): AccountPlan => ({
    ...sweep(),
    from: { address: hot(), key: hotKey },
    to: { address: own(), tag: null },
  })
  const put = (plan: AccountPlan, kind: 'sweep' | 'gas') =>
    desk.plan(plan, [], { kind: kind as never, gateId: 'ethereum-test' })
  beforeEach(async () => {
    const places = [0, 1, 2, 3].map((index) => ({
      address: desk.wallet.addressAt('ethereum', { chain: 'deposit', index }) ?? '',
      tag: null,
      proof: null,
    }))
    await desk.app.store.depositAddresses.add('evm-test', 0, places)
  })

  it('are signed to the hot wallet, and gas to a deposit address', async () => {
    const moved = [await put(sweep(), 'sweep'), await put(gas(), 'gas')]
    expect(await desk.sign()).toBe(2)
    for (const spendId of moved) expect((await desk.outcome(spendId)).hash).toMatch(/^0x/)
  })

  it('are refused to any other address', async () => {
    await refused(await put({ ...sweep(), to: { address: elsewhere.ethereum, tag: null } }, 'sweep'), 'not')
    await refused(await put({ ...gas(), to: { address: elsewhere.ethereum, tag: null } }, 'gas'), 'not')
    const forged = { ...gas(), nonce: 1n, to: { address: elsewhere.ethereum, tag: null } }
    await desk.forge(
      'deposit_addresses',
      `insert into deposit_addresses (keychain, position, address) values ('evm-test', 9, $1)`,
      [elsewhere.ethereum],
    )
    await refused(await put(forged, 'gas'), 'an address that is not')
    await refused(await put({ ...gas(), nonce: 2n, units: 10n ** 19n }, 'gas'), 'can cost')
    await refused(
      await put({ ...sweep(), from: { address: hot(), key: hotKey }, nonce: 3n }, 'sweep'),
      'does not match its key',
    )
  })
})
