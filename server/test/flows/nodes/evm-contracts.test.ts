import type { Address } from 'viem'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { auditBooks } from '../../../src/app/audit/audit-books.ts'
import { query } from '../../support/database/database.ts'
import { type EvmShop, openEvmShop } from '../../support/nodes/evm-shop.ts'

const listed = {
  USDT: 'PlainToken',
  FALSE: 'FalseToken',
  SILENT: 'SilentToken',
  FEE: 'FeeToken',
  REBASING: 'RebasingToken',
  BLOCKLIST: 'BlocklistToken',
}
type Code = keyof typeof listed

let stage: EvmShop
let wallet: Address
let batch: Address
beforeAll(async () => {
  stage = await openEvmShop(listed)
  wallet = await stage.deploy('ContractWallet')
  batch = await stage.deploy('BatchSender')
  await stage.sendNative(wallet, 100n * ether)
  await transfer('USDT', wallet, 1_000_000_000n)
  await stage.mine()
})
afterAll(() => stage.close())
afterEach(async () => {
  expect(await auditBooks(stage.service.app)).toEqual({ ok: true, differences: [] })
})

const ether = 10n ** 18n
const tokenAt = (code: Code): Address => stage.tokens[code] as Address
const invoiceIn = (currency: string, amount: string) =>
  stage.shop.create({ currency, amount, network: 'ethereum' })
const transfer = (code: Code, to: string, units: bigint) =>
  stage.send({ contract: listed[code], at: tokenAt(code) }, 'transfer', to, units)
const fromWallet = (to: string, value: bigint, data = '0x') =>
  stage.send({ contract: 'ContractWallet', at: wallet }, 'execute', to, value, data)

/** Mines what is pending in one block, and more blocks until it is deep enough. */
async function confirm(): Promise<void> {
  await stage.mine()
  await stage.mine(stage.confirmations - 1)
}

async function statusOf(hash: string): Promise<boolean> {
  return (await stage.anvil.ask('eth_getTransactionReceipt', hash)).status === '0x1'
}

/** The amount credited to an invoice, and the number of its payments. */
async function creditOf(invoice: { id: string }): Promise<[status: string, paid: string, payments: number]> {
  const { status, amount_paid, payments } = await stage.shop.get(invoice)
  return [status, amount_paid, payments.length]
}

it('one contract call pays many invoices, in ETH and in tokens', async () => {
  const coins = [await invoiceIn('ETH', '1'), await invoiceIn('ETH', '0.5'), await invoiceIn('ETH', '0.25')]
  const values = [ether, ether / 2n, ether / 4n + 1n]
  const total = values.reduce((sum, value) => sum + value, 0n)
  const places = (invoices: { deposit_address: string }[]) => invoices.map((each) => each.deposit_address)
  await stage.send({ contract: 'BatchSender', at: batch, value: total }, 'sendNative', places(coins), values)
  const tokens = [await invoiceIn('USDT', '10'), await invoiceIn('USDT', '20')]
  const token = { contract: 'PlainToken', at: tokenAt('USDT') }
  await stage.send(token, 'approve', batch, 40_000_000n)
  // One of them is paid twice in the same transaction.
  const to = [...places(tokens), tokens[0]?.deposit_address]
  const units = [4_000_000n, 20_000_000n, 6_000_000n]
  await stage.send({ contract: 'BatchSender', at: batch }, 'sendTokens', token.at, to, units)
  await confirm()
  expect(await Promise.all([...coins, ...tokens].map(creditOf))).toEqual([
    ['paid', '1', 1],
    ['paid', '0.5', 1],
    ['overpaid', '0.250000000000000001', 1],
    ['paid', '10', 2],
    ['paid', '20', 1],
  ])
})

it('a contract wallet pays ETH and tokens by internal transfers', async () => {
  const [coins, tokens] = [await invoiceIn('ETH', '3'), await invoiceIn('USDT', '30')]
  await fromWallet(coins.deposit_address, 3n * ether)
  const call = stage.encode('PlainToken', 'transfer', tokens.deposit_address, 30_000_000n)
  await fromWallet(tokenAt('USDT'), 0n, call)
  await confirm()
  expect([await creditOf(coins), await creditOf(tokens)]).toEqual([
    ['paid', '3', 1],
    ['paid', '30', 1],
  ])
})

it('ETH from a self-destructing contract and from a block reward is found', async () => {
  const [heir, miner] = [await invoiceIn('ETH', '1'), await invoiceIn('ETH', '0.001')]
  await stage.sendNative(null, ether, stage.creationOf('Bequest', heir.deposit_address))
  await stage.mine()
  const coinbase = await stage.anvil.ask('eth_coinbase')
  await stage.anvil.ask('anvil_setCoinbase', miner.deposit_address)
  await stage.sendNative(wallet, 1n)
  await stage.mine()
  await stage.anvil.ask('anvil_setCoinbase', coinbase)
  await confirm()
  expect(await creditOf(heir)).toEqual(['paid', '1', 1])
  const reward = await stage.heldAt(miner.deposit_address)
  expect(reward).toBeGreaterThan(0n)
  // The reward may be below an invoice's minimum: then it goes to suspense.
  const [booked] = await query(
    stage.service.database.url,
    'select sum(units)::text as units from payments where address = $1',
    [miner.deposit_address],
  )
  expect(BigInt(booked?.units)).toBe(reward)
})

it('a payment inside a reverted call counts for nothing, although its transaction succeeded', async () => {
  const invoice = await invoiceIn('ETH', '1')
  const other = await invoiceIn('USDT', '5')
  const at = { contract: 'ContractWallet', at: wallet }
  const hashes = [
    await stage.send(
      { ...at, value: ether },
      'attempt',
      tokenAt('USDT'),
      invoice.deposit_address,
      5_000_000n,
    ),
    await stage.send({ ...at, value: ether }, 'attempt', tokenAt('USDT'), other.deposit_address, 5_000_000n),
  ]
  await confirm()
  expect(await Promise.all(hashes.map(statusOf))).toEqual([true, true])
  expect([await creditOf(invoice), await creditOf(other)]).toEqual([
    ['pending', '0', 0],
    ['pending', '0', 0],
  ])
})

it('a failed transaction pays nothing, in ETH or tokens', async () => {
  const [coins, tokens] = [await invoiceIn('ETH', '1'), await invoiceIn('USDT', '5')]
  const missing = { contract: 'BatchSender', at: batch, value: 1n }
  const hashes = [
    await stage.send(missing, 'sendNative', [coins.deposit_address], [ether]),
    await transfer('USDT', tokens.deposit_address, 10n ** 30n),
  ]
  await confirm()
  expect(await Promise.all(hashes.map(statusOf))).toEqual([false, false])
  expect([await creditOf(coins), await creditOf(tokens)]).toEqual([
    ['pending', '0', 0],
    ['pending', '0', 0],
  ])
})

it('a token that returns false and logs a transfer it did not make credits nothing, and its real transfers count', async () => {
  const [lied, paid] = [await invoiceIn('FALSE', '5'), await invoiceIn('FALSE', '7')]
  const hash = await transfer('FALSE', lied.deposit_address, 10n ** 30n)
  await transfer('FALSE', paid.deposit_address, 7_000_000n)
  await confirm()
  expect((await stage.anvil.ask('eth_getTransactionReceipt', hash)).logs).toHaveLength(1)
  expect([await creditOf(lied), await creditOf(paid)]).toEqual([
    ['pending', '0', 0],
    ['paid', '7', 1],
  ])
})

it('a false log and a real payment in the same block add up to what really arrived', async () => {
  const invoice = await invoiceIn('FALSE', '5')
  await transfer('FALSE', invoice.deposit_address, 10n ** 30n)
  await transfer('FALSE', invoice.deposit_address, 5_000_000n)
  await confirm()
  expect((await creditOf(invoice)).slice(0, 2)).toEqual(['paid', '5'])
})

it('a token that returns nothing pays like any other', async () => {
  const invoice = await invoiceIn('SILENT', '5')
  await transfer('SILENT', invoice.deposit_address, 5_000_000n)
  await confirm()
  expect(await creditOf(invoice)).toEqual(['paid', '5', 1])
})

it('a token that keeps part of each transfer is credited with what arrives, not with what it logs', async () => {
  const invoice = await invoiceIn('FEE', '5')
  await transfer('FEE', invoice.deposit_address, 5_000_000n)
  // Seen as pending it is what the call says; mined it is another payment, of what arrived.
  await stage.settle()
  expect(await stage.shop.get(invoice)).toMatchObject({ amount_paid: '0', amount_pending: '5' })
  await confirm()
  const { status, amount_paid, amount_pending, payments } = await stage.shop.get(invoice)
  expect([status, amount_paid, amount_pending]).toEqual(['underpaid', '4.95', '0'])
  const paid = payments.map((each: { status: string; amount: string }) => [each.status, each.amount])
  expect(paid.sort()).toEqual([
    ['confirmed', '4.95'],
    ['reversed', '5'],
  ])
})

it('another contract with the same symbol counts for nothing, and so does a transfer of zero', async () => {
  const invoice = await invoiceIn('USDT', '5')
  const fake = await stage.deploy('PlainToken', 10n ** 15n)
  await stage.send({ contract: 'PlainToken', at: fake }, 'transfer', invoice.deposit_address, 5_000_000n)
  await transfer('USDT', invoice.deposit_address, 0n)
  await confirm()
  expect(await creditOf(invoice)).toEqual(['pending', '0', 0])
})

it('transfers of a rebasing token are credited once, and its rebases never', async () => {
  const invoice = await invoiceIn('REBASING', '10')
  const token = { contract: 'RebasingToken', at: tokenAt('REBASING') }
  await transfer('REBASING', invoice.deposit_address, 4_000_000n)
  await confirm()
  await stage.send(token, 'rebase', 150n)
  await confirm()
  expect(await creditOf(invoice)).toEqual(['underpaid', '4', 1])
  await transfer('REBASING', invoice.deposit_address, 3_000_000n)
  await confirm()
  expect(await creditOf(invoice)).toEqual(['underpaid', '7', 2])
  // In this block the balance falls below its earlier value, so the log is not trusted.
  await stage.send(token, 'rebase', 100n)
  await transfer('REBASING', invoice.deposit_address, 1_000_000n)
  await confirm()
  expect((await creditOf(invoice))[1]).toBe('7')
})

it('a blocked sender cannot pay with a token, and an unblocked one can', async () => {
  const invoice = await invoiceIn('BLOCKLIST', '5')
  const token = { contract: 'BlocklistToken', at: tokenAt('BLOCKLIST') }
  await stage.send(token, 'setBlocked', stage.payer, true)
  await stage.mine()
  const refused = await transfer('BLOCKLIST', invoice.deposit_address, 5_000_000n)
  await confirm()
  expect(await statusOf(refused)).toBe(false)
  expect(await creditOf(invoice)).toEqual(['pending', '0', 0])
  await stage.send(token, 'setBlocked', stage.payer, false)
  await stage.mine()
  await transfer('BLOCKLIST', invoice.deposit_address, 5_000_000n)
  await confirm()
  expect(await creditOf(invoice)).toEqual(['paid', '5', 1])
})

it('a reorganisation reverses ETH from inside a contract, and it is credited again when it is paid again', async () => {
  const invoice = await invoiceIn('ETH', '2')
  await stage.mine()
  await fromWallet(invoice.deposit_address, 2n * ether)
  await confirm()
  expect(await creditOf(invoice)).toEqual(['paid', '2', 1])
  await stage.anvil.ask('anvil_reorg', stage.confirmations, [])
  await stage.mine()
  expect((await creditOf(invoice)).slice(0, 2)).toEqual(['pending', '0'])
  await fromWallet(invoice.deposit_address, 2n * ether)
  await confirm()
  const { status, amount_paid, payments } = await stage.shop.get(invoice)
  expect([status, amount_paid]).toEqual(['paid', '2'])
  expect(payments.map((payment: { status: string }) => payment.status).sort()).toEqual([
    'confirmed',
    'reversed',
  ])
})

it('after all of this the books match the chain in every currency', async () => {
  // The balances of a rebasing token change by themselves, so they cannot match.
  const held = Object.keys(listed).filter((code) => code !== 'REBASING')
  for (const currency of ['ETH', ...held])
    expect(await stage.heldInBooks(currency), currency).toBe(await stage.heldOnChain(currency))
})
