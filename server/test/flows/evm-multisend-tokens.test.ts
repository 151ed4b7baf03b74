import { randomBytes } from 'node:crypto'
import type { Address } from 'viem'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { keepAllowances } from '../../src/app/spends/keep-allowances.ts'
import { formatDecimal, parseDecimal } from '../../src/domain/money.ts'
import { canonicalAddress } from '../../src/gates/evm/address.ts'
import { type Gate, hotAddressOf } from '../../src/gates/gate.ts'
import type { AllowedPair } from '../../src/store/allowances.ts'
import { query } from '../support/database.ts'
import { type EvmShop, openEvmShop } from '../support/evm-shop.ts'
import { approveTogether, expectCleanBooks, gateOf, hurry, untilRaised } from '../support/money-out.ts'

const ether = 10n ** 18n
const allowed = 100_000_000n
let world: EvmShop
let multisend: Address
beforeAll(async () => {
  const payouts = { raise_fee_after_seconds: 1, sweep_max_cost_bps: 0 }
  const gate = { multisend_allowances: { USDT: '100', SILENT: '100' } }
  const tokens = { USDT: 'CarefulToken', SILENT: 'SilentToken', USDC: 'PlainToken' }
  world = await openEvmShop(tokens, { config: { payouts }, gate, multisend: 'Disperse' })
  const { spending } = gateOf(world.service, 'ethereum')
  multisend = (spending.kind === 'account' ? spending.multisend?.address : null) as Address
})
afterAll(() => world.close())
afterEach(async () => {
  await world.untilQuiet()
  await expectCleanBooks(world.service)
  for (const currency of ['ETH', 'USDT', 'USDC'])
    expect(await world.heldInBooks(currency), currency).toBe(await world.heldOnChain(currency))
})

const stranger = () => canonicalAddress(`0x${randomBytes(20).toString('hex')}`) as Address
const hot = () => hotAddressOf(gateOf(world.service, 'ethereum')) as Address
const usdt = () => ({ contract: 'CarefulToken', at: world.tokens.USDT as Address })

/** What the contract may take, as the chain says. */
const allowedOnChain = async (code = 'USDT') =>
  BigInt(
    await world.anvil.ask(
      'eth_call',
      { to: world.tokens[code], data: world.encode('PlainToken', 'allowance', hot(), multisend) },
      'latest',
    ),
  )

async function fund(code: 'USDT' | 'USDC', amount: string) {
  const invoice = await world.shop.create({ currency: code, amount, network: 'ethereum' })
  const at = world.tokens[code] as Address
  await world.send(
    { contract: 'PlainToken', at },
    'transfer',
    invoice.deposit_address,
    parseDecimal(amount, 6),
  )
  await world.mine(world.confirmations)
}

type Order = { readonly to: Address; readonly amount: string }
const some = (count: number, amount = '1'): Order[] =>
  Array.from({ length: count }, () => ({ to: stranger(), amount }))

/** Payouts that fall due at the same moment. */
async function payOut(wanted: readonly Order[], currency = 'USDT') {
  const payouts = []
  for (const { to, amount } of wanted)
    payouts.push(await world.shop.payOut({ currency, network: 'ethereum', amount, destination: to }))
  await approveTogether(world.shop, payouts)
  return payouts
}

async function untilAll(payouts: readonly { id: string }[], status = 'completed') {
  for (const payout of payouts) await world.untilPaidOut(payout, status)
}

const spendsOf = (payouts: readonly { id: string }[]) =>
  query(
    world.service.database.url,
    `select payouts.spend_id, payouts.tx_hash as hash, network_fee_units::text as fee, spends.fee_units::text as taken, spends.status,
       jsonb_array_length(plan -> 'outputs') as outputs
     from payouts join spends on spends.id = payouts.spend_id
     join spend_transactions as t on t.spend_id = spends.id and t.attempt = 1
     where payouts.id = any($1) order by payouts.id`,
    [payouts.map(({ id }) => id)],
  )

const changes = () =>
  query(
    world.service.database.url,
    `select currency, status, units::text, plan ->> 'allowsUnits' as allows from spends
     join spend_transactions on spend_id = spends.id and attempt = 1 where kind = 'allow' order by nonce`,
  )

/** Has what was taken renewed, and waits until it is. */
async function renewed(): Promise<void> {
  const pair = { gateId: 'ethereum-test', from: hot(), spender: multisend, currency: 'USDT' } as const
  await expect
    .poll(
      async () => {
        await keepAllowances(world.service.app)
        await world.moveOn()
        return (await world.service.app.store.allowances.of(pair)).leftUnits
      },
      { interval: 100 },
    )
    .toBe(allowed)
}

it('nothing is allowed out of what belongs to merchants; with a float, what the operator has written down, and never what could not be paid', async () => {
  await fund('USDT', '500')
  expect(await keepAllowances(world.service.app)).toBe(0)
  await world.fillFloat(10n * ether)
  await untilAll(await payOut(some(1)))
  await expect
    .poll(
      async () => {
        await world.mine()
        await hurry(world.service)
        return changes()
      },
      { interval: 100 },
    )
    .toEqual([{ currency: 'USDT', status: 'final', units: '0', allows: `${allowed}` }])
  expect(await allowedOnChain()).toBe(allowed)
  expect(world.service.logged).toContainEqual(
    expect.objectContaining({ gate: 'ethereum-test', contract: multisend, amount: '100 USDT' }),
  )
  // Disperse wants an answer of a token, and this one gives none.
  expect(await allowedOnChain('SILENT')).toBe(0n)
  const told = world.service.logged.filter(
    ({ currency, reason }) => currency === 'SILENT' && reason !== undefined,
  )
  expect(told).toMatchObject([
    { gate: 'ethereum-test', reason: expect.stringMatching('cannot pay this token') },
  ])
  expect(await keepAllowances(world.service.app)).toBe(0)
})

it('twenty payouts of a token leave in one transaction; each arrives to the unit, and they share what the network took', async () => {
  const wanted = Array.from({ length: 20 }, (_, at) => ({
    to: stranger(),
    amount: formatDecimal(1_000_000n + BigInt(at), 6),
  }))
  const before = await allowedOnChain()
  const payouts = await payOut(wanted)
  await untilAll(payouts)
  const rows = await spendsOf(payouts)
  expect(new Set(rows.map(({ spend_id }) => spend_id)).size).toBe(1)
  expect(rows[0]).toMatchObject({ outputs: 20, status: 'final' })
  for (const { to, amount } of wanted) expect(await world.heldAt(to, usdt().at)).toBe(parseDecimal(amount, 6))
  // Equal parts of what the fee is worth in the token, and what is left over a unit each.
  const shares = new Set(rows.map(({ fee }) => BigInt(fee)))
  const [share = 0n, next = share] = shares
  expect([-1n, 0n, 1n]).toContain(share - next)
  expect(shares.size).toBeLessThanOrEqual(2)
  expect(shares).not.toContain(0n)
  expect(await allowedOnChain()).toBe(before - 20_000_190n)
  const receipt = await world.anvil.ask('eth_getTransactionReceipt', rows[0]?.hash)
  process.stdout.write(
    `20 payouts of a token: ${BigInt(receipt.gasUsed)} gas, ${BigInt(receipt.gasUsed) / 20n} each\n`,
  )
})

it('what is not allowed any more leaves one by one, and the rest of it is renewed: taken back first where the token wants that', async () => {
  const before = (await changes()).length
  const first = await payOut(some(4, '10'))
  await untilAll(first)
  expect((await spendsOf(first))[0]).toMatchObject({ outputs: 4 })
  // Of a hundred some 40 are left: less than half.
  await renewed()
  expect((await changes()).slice(before)).toEqual([
    { currency: 'USDT', status: 'final', units: '0', allows: '0' },
    { currency: 'USDT', status: 'final', units: '0', allows: `${allowed}` },
  ])
  expect(await allowedOnChain()).toBe(allowed)
  const large = await payOut(some(2, '60'))
  await untilAll(large)
  expect((await spendsOf(large)).map(({ outputs }) => outputs)).toEqual([null, null])
  expect(await allowedOnChain()).toBe(allowed)
})

it('a token without an allowance, and a receiver that is a program, go by themselves', async () => {
  await fund('USDC', '10')
  const others = await payOut(some(3), 'USDC')
  await untilAll(others)
  expect((await spendsOf(others)).map(({ outputs }) => outputs)).toEqual([null, null, null])
  const program = await world.deploy('FickleReceiver')
  const payouts = await payOut([...some(3), { to: program, amount: '1' }])
  await untilAll(payouts)
  expect((await spendsOf(payouts)).map(({ outputs }) => outputs)).toEqual([3, 3, 3, null])
})

it('receivers who give all they have away before it is mined are paid all the same, together and alone', async () => {
  const { anvil, send } = world
  const wanted = some(4)
  for (const { to } of wanted) await send(usdt(), 'transfer', to, 5n)
  await world.mine()
  /** Where the token keeps what an address has. */
  const forget = async (to: Address) => {
    for (const slot of [0, 1]) {
      const key = await anvil.ask(
        'web3_sha3',
        `0x${to.slice(2).padStart(64, '0')}${String(slot).padStart(64, '0')}`,
      )
      await anvil.ask('anvil_setStorageAt', usdt().at, key, `0x${'0'.repeat(64)}`)
    }
  }
  const payouts = await payOut(wanted)
  await expect.poll(async () => BigInt((await anvil.ask('txpool_status')).pending)).toBe(1n)
  for (const { to } of wanted) await forget(to)
  await untilAll(payouts)
  expect(await spendsOf(payouts)).toMatchObject(Array(4).fill({ status: 'final', outputs: 4 }))
  const [alone] = some(1)
  await send(usdt(), 'transfer', alone?.to, 5n)
  await world.mine()
  const single = await payOut([alone as Order])
  await expect.poll(async () => BigInt((await anvil.ask('txpool_status')).pending)).toBe(1n)
  await forget(alone?.to as Address)
  await untilAll(single)
  expect(await world.heldAt(alone?.to as Address, usdt().at)).toBe(1_000_000n)
})

it('one that is blocked between the trial and the block fails all of them, which get everything back; what was allowed counts as used', async () => {
  const { anvil, shop, send } = world
  const before = await shop.balance('USDT')
  const wanted = some(3)
  const payouts = await payOut(wanted)
  await expect.poll(async () => BigInt((await anvil.ask('txpool_status')).pending)).toBe(1n)
  const onChain = await allowedOnChain()
  const [waiting] = await anvil
    .ask('eth_getBlockByNumber', 'pending', false)
    .then(({ transactions }) => transactions)
  await anvil.ask('anvil_dropTransaction', waiting)
  await send(usdt(), 'setBlocked', wanted[1]?.to, true)
  await world.mine()
  await untilAll(payouts, 'failed')
  expect(await spendsOf(payouts)).toMatchObject(Array(3).fill({ status: 'reverted', outputs: 3 }))
  for (const payout of payouts)
    expect((await shop.payout(payout)).failure_reason).toMatch('one of those that it was to pay together')
  expect(await shop.balance('USDT')).toEqual(before)
  expect(await allowedOnChain()).toBe(onChain)
  const { leftUnits } = await world.service.app.store.allowances.of({
    ...{ gateId: 'ethereum-test', from: hot(), spender: multisend, currency: 'USDT' },
  })
  expect(leftUnits).toBe(onChain - 3_000_000n)
})

it('one that waits too long is raised as a whole, and is mined once', async () => {
  const { anvil } = world
  const payouts = await payOut(some(3))
  await expect.poll(async () => BigInt((await anvil.ask('txpool_status')).pending)).toBe(1n)
  await anvil.ask('anvil_setNextBlockBaseFeePerGas', `0x${(60n * 10n ** 9n).toString(16)}`)
  await world.mine()
  await untilRaised(world.service, payouts[0])
  await untilAll(payouts)
  const attempts = await query(
    world.service.database.url,
    `select plan ->> 'nonce' as nonce, mined_hash = t.tx_hash as mined from spends join spend_transactions as t on t.spend_id = spends.id
     where spends.id = (select spend_id from payouts where id = $1)`,
    [payouts[0]?.id],
  )
  expect(attempts.length).toBeGreaterThanOrEqual(2)
  expect(new Set(attempts.map(({ nonce }) => nonce)).size).toBe(1)
  expect(attempts.filter(({ mined }) => mined)).toHaveLength(1)
  await anvil.ask('anvil_setNextBlockBaseFeePerGas', '0x3b9aca00')
  await world.mine()
})

it('a token that the operator names no more is taken back, and named again it is allowed again', async () => {
  const { app } = world.service
  const before = (await changes()).length
  const without = (gate: Gate): Gate => {
    const { spending } = gate
    if (spending.kind !== 'account' || spending.multisend === undefined) return gate
    return { ...gate, spending: { ...spending, multisend: { ...spending.multisend, allowances: new Map() } } }
  }
  const list = () => app.gates.list().map(without)
  // Whatever was counted as used: what failed on chain has used nothing.
  const of = async (pair: AllowedPair) => ({ ...(await app.store.allowances.of(pair)), leftUnits: 0n })
  const store = { ...app.store, allowances: { of } }
  expect(await keepAllowances({ ...app, store, gates: { ...app.gates, list } })).toBe(1)
  expect((await changes()).slice(before)).toMatchObject([{ currency: 'USDT', allows: '0' }])
  await renewed()
  expect((await changes()).slice(before)).toMatchObject([
    { allows: '0', status: 'final' },
    { allows: `${allowed}`, status: 'final' },
  ])
  expect(await allowedOnChain()).toBe(allowed)
})

it('the service does not start with a contract that cannot pay tokens', async () => {
  const gate = { multisend_allowances: { USDT: '100' } }
  await expect(openEvmShop({ USDT: 'PlainToken' }, { gate, multisend: 'CoinDisperse' })).rejects.toThrow(
    'does not know how to pay the token',
  )
})
