import { base58 } from '@scure/base'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { PaymentOrder } from '../../../src/gates/gate.ts'
import { GateOutageError } from '../../../src/gates/gate.ts'
import { tokenPrograms } from '../../../src/gates/solana/derived-address.ts'
import {
  type Script,
  ScriptedError,
  type ScriptedNode,
  startScriptedNode,
} from '../../support/nodes/scripted-rpc.ts'
import { invoiceId, madeBytes, paymentBy, termsOf } from './payments.ts'
import { receiver } from './plans.ts'
import { accountOf, hash, inContext, nonceData, usual } from './scripted-answers.ts'
import { openGate, prices, sol, tokenAt } from './spending.ts'

const mint = hash(60)
const usdc = tokenAt(mint)
const [payer, deposit, stranger] = [receiver(150), receiver(151), receiver(152)]
const order: PaymentOrder = {
  payer,
  to: { address: deposit, tag: null },
  asset: usdc,
  units: 300n,
  invoiceId,
}
const rents = { 0: 890_880, 165: 2_039_280 } as const
const wallet = accountOf(new Uint8Array(), { lamports: 10_000_000 })

/** A token account. */
function holding(units: bigint, owner = payer, of = mint) {
  const data = new Uint8Array(165)
  data.set(base58.decode(of), 0)
  data.set(base58.decode(owner), 32)
  new DataView(data.buffer).setBigUint64(64, units, true)
  return accountOf(data, { owner: tokenPrograms.token, lamports: rents[165] })
}

let node: ScriptedNode
let opened: ReturnType<typeof openGate>
beforeAll(async () => {
  node = await startScriptedNode()
  opened = openGate([node.url], { assets: [sol, usdc] })
})
afterAll(async () => {
  opened.close()
  await node.close()
})

/** Asks for a payment of tokens on a node with these accounts of payer, deposit address, and their tokens. */
function paying(accounts: readonly unknown[] = [wallet, null, holding(300n), null], script: Script = {}) {
  node.script = {
    ...usual,
    getMultipleAccounts: (addresses: string[]) => inContext(accounts.slice(0, addresses.length)),
    getLatestBlockhash: () => inContext({ blockhash: hash(77), lastValidBlockHeight: 200 }),
    getMinimumBalanceForRentExemption: (bytes: 0 | 165) => rents[bytes],
    getRecentPrioritizationFees: () => [{ slot: 1, prioritizationFee: 1_000 }],
    ...script,
  }
  return opened.gate.paymentTransaction(order)
}

it('the transaction holds the node’s newest hash and nothing that only a node could have said', async () => {
  const bytes = madeBytes(await paying())
  expect(termsOf(bytes)).toEqual({ blockhash: hash(77), computeLimit: 121_000, computePrice: 1_000n })
  expect(bytes).toEqual(await paymentBy(order, termsOf(bytes)))
})

it.each([
  ['too short', base58.encode(new Uint8Array(31).fill(200))],
  ['too long', base58.encode(new Uint8Array(33).fill(1))],
  ['of characters that base58 does not have', hash(77).replace(/.$/, '0')],
  ['with a line end', `${hash(77)}\n`],
  ['of zeros', '1'.repeat(32)],
  ['empty', ''],
  ['a number', 7],
  ['missing', undefined],
  ['an object', { toString: hash(77) }],
])('a hash that is %s makes no transaction', async (_, blockhash) => {
  await expect(paying(undefined, { getLatestBlockhash: () => inContext({ blockhash }) })).rejects.toThrow(
    /not trusted: it has no recent block/,
  )
})

it.each<[string, Script]>([
  ['answers nothing about the hash', { getLatestBlockhash: () => null }],
  ['refuses the hash', { getLatestBlockhash: () => new ScriptedError(-32_602, 'no') }],
  ['asks for a rent that would empty the payer', { getMinimumBalanceForRentExemption: () => 10 ** 9 }],
  ['asks for no rent', { getMinimumBalanceForRentExemption: () => 0 }],
  ['shows fewer accounts', { getMultipleAccounts: () => inContext([wallet]) }],
  [
    'shows a balance that cannot be counted',
    { getMultipleAccounts: () => inContext([{ ...wallet, lamports: 0.5 }, null, null, null]) },
  ],
  ['names fees that are none', { getRecentPrioritizationFees: () => [{ prioritizationFee: 'dear' }] }],
])('a node that %s is not believed', async (_, script) => {
  await expect(paying(undefined, script)).rejects.toThrow(GateOutageError)
})

it('the price stays within the operator’s bounds, whatever the node says, and is the lowest where it says nothing', async () => {
  const priceIf = async (script: Script) => termsOf(madeBytes(await paying(undefined, script))).computePrice
  const saying = (price: number) => ({ getRecentPrioritizationFees: () => [{ prioritizationFee: price }] })
  expect(await priceIf(saying(10 ** 15))).toBe(prices.ceiling)
  expect(await priceIf(saying(0))).toBe(prices.floor)
  const refusing = { getRecentPrioritizationFees: () => new ScriptedError(-32_601, 'Method not found') }
  expect(await priceIf(refusing)).toBe(prices.floor)
})

it.each<[string, unknown]>([
  ['a token account', holding(5n)],
  ['a nonce account', accountOf(nonceData(hash(8)))],
  [
    'a program',
    accountOf(new Uint8Array(36), { executable: true, owner: 'BPFLoaderUpgradeab1e11111111111111111111111' }),
  ],
  ['an account of another program', accountOf(new Uint8Array(), { owner: hash(9) })],
])('%s cannot pay', async (_, found) => {
  expect(await paying([found, null, holding(300n), null])).toEqual({ refused: 'not_a_wallet' })
})

it('counts only tokens that are the payer’s, of this mint, in a token account', async () => {
  const short = (heldUnits: bigint) => ({ refused: 'short', asset: usdc, neededUnits: 300n, heldUnits })
  expect(await paying([wallet, null, holding(299n), null])).toEqual(short(299n))
  expect(await paying([wallet, null, null, null])).toEqual(short(0n))
  expect(await paying([wallet, null, holding(300n, stranger), null])).toEqual(short(0n))
  expect(await paying([wallet, null, holding(300n, payer, hash(61)), null])).toEqual(short(0n))
  expect(await paying([wallet, null, wallet, null])).toEqual(short(0n))
})

it('asks for the rent of an account that is not open yet, less what was sent there in advance', async () => {
  const neededIf = async (tokensTo: unknown) => {
    const made = await paying([accountOf(new Uint8Array(), { lamports: 1 }), null, holding(300n), tokensTo])
    return 'neededUnits' in made ? made.neededUnits - 890_880n - 5_000n - 121n : null
  }
  expect(await neededIf(null)).toBe(2_039_280n)
  expect(await neededIf(holding(0n, deposit))).toBe(0n)
  expect(await neededIf(accountOf(new Uint8Array(), { lamports: 39_280 }))).toBe(2_000_000n)
  expect(await neededIf(accountOf(new Uint8Array(), { lamports: 9_000_000 }))).toBe(0n)
})

it('another node is asked where one gives a hash that is none', async () => {
  const good = await startScriptedNode()
  const both = openGate([node.url, good.url], { assets: [sol, usdc] })
  try {
    await paying()
    good.script = node.script
    node.script = { ...node.script, getLatestBlockhash: () => inContext({ blockhash: 'nonsense' }) }
    const bytes = madeBytes(await both.gate.paymentTransaction(order))
    expect(termsOf(bytes).blockhash).toBe(hash(77))
    good.script = node.script
    await expect(both.gate.paymentTransaction(order)).rejects.toThrow(GateOutageError)
  } finally {
    both.close()
    await good.close()
  }
})
