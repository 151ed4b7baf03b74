import type { Address } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { auditBooks } from '../../../src/app/audit/audit-books.ts'
import { formatDecimal } from '../../../src/domain/money.ts'
import { gasPriceOracle } from '../../../src/gates/evm/node-data-fee.ts'
import { query } from '../../support/database/database.ts'
import { type EvmShop, openEvmShop } from '../../support/nodes/evm-shop.ts'
import { type OpNode, shortDataFee, startOpNode } from '../../support/nodes/op-node.ts'

/** On a chain that charges a fee for data on Ethereum besides the gas, as Base and OP Mainnet do. */

const ether = 10n ** 18n
let node: OpNode
let stage: EvmShop
/** The data fees charged and the number of transactions before the tests began. */
let before: { readonly taken: bigint; readonly transactions: bigint }
beforeAll(async () => {
  const started = startOpNode()
  node = await started
  stage = await openEvmShop({ USDT: 'PlainToken' }, { node: started, gate: { data_fee: 'op_stack' } })
  const oracle = await stage.deploy('DataPrice')
  const code = await node.ask('eth_getCode', oracle, 'latest')
  await node.ask('anvil_setCode', gasPriceOracle, code)
  before = { taken: await node.takenForData(), transactions: await transactions() }
})
afterEach(async () => {
  await stage.untilQuiet()
  expect(await auditBooks(stage.service.app)).toEqual({ ok: true, differences: [] })
  for (const currency of ['ETH', 'USDT'])
    expect(await stage.heldInBooks(currency), currency).toBe(await stage.heldOnChain(currency))
  // The node has charged what the receipts say.
  const taken = (await node.takenForData()) - before.taken
  expect(taken).toBe(((await transactions()) - before.transactions) * shortDataFee)
})
afterAll(() => stage.close())

const stranger = () => privateKeyToAccount(generatePrivateKey()).address

/** How many transactions were mined: the payer's and our own. */
async function transactions(): Promise<bigint> {
  const ours = await query(
    stage.service.database.url,
    `select from spends where status = 'final' and kind <> 'absorb'`,
  )
  return BigInt(await node.ask('eth_getTransactionCount', stage.payer, 'latest')) + BigInt(ours.length)
}

async function paidOut(currency: string, amount: string, destination = stranger()) {
  const payout = await stage.shop.payOut({ currency, network: 'ethereum', amount, destination })
  expect((await stage.shop.approve(payout)).status).toBe(200)
  return { ...(await stage.untilPaidOut(payout)), destination }
}

async function costOf(hash: string): Promise<bigint> {
  const { gasUsed, effectiveGasPrice } = await node.ask('eth_getTransactionReceipt', hash)
  return BigInt(gasUsed) * BigInt(effectiveGasPrice) + shortDataFee
}

const spends = (kind: string) =>
  query(
    stage.service.database.url,
    `select units::text, fee_units::text as fee, mined_hash as hash from spends where kind = $1 order by id`,
    [kind],
  )

it('swept and paid-out ETH is booked with its data fee, to the wei', async () => {
  const { shop, mine, confirmations, sendNative, heldAt, fillFloat } = stage
  await fillFloat(ether)
  const invoice = await shop.create({ currency: 'ETH', amount: '2', network: 'ethereum' })
  await sendNative(invoice.deposit_address, 2n * ether)
  await mine(confirmations)
  expect(await shop.get(invoice)).toMatchObject({ status: 'paid', amount_paid: '2' })

  const done = await paidOut('ETH', '1.9')
  expect(await heldAt(done.destination)).toBe(19n * 10n ** 17n)
  expect(done.network_fee).toBe(formatDecimal(await costOf(done.tx_hash), 18))
  await stage.untilQuiet()
  const [sweep] = await spends('sweep')
  expect(BigInt(sweep?.fee)).toBe(await costOf(sweep?.hash))
  // The sweep leaves at the address what was kept for data and not charged.
  const left = await heldAt(invoice.deposit_address)
  expect(left).toBe(2n * ether - BigInt(sweep?.units) - BigInt(sweep?.fee))
  expect(left).toBeGreaterThan(0n)
  expect(left).toBeLessThan(3n * shortDataFee)
})

it('a token’s deposit address gets the gas and data fee it needs, and is then swept and paid out', async () => {
  const { shop, mine, confirmations, send, heldAt, tokens } = stage
  const at = tokens.USDT as Address
  const invoice = await shop.create({ currency: 'USDT', amount: '50', network: 'ethereum' })
  await send({ contract: 'PlainToken', at }, 'transfer', invoice.deposit_address, 50_000_000n)
  await mine(confirmations)

  const done = await paidOut('USDT', '49')
  expect(await heldAt(done.destination, at)).toBe(49_000_000n)
  expect(await heldAt(invoice.deposit_address, at)).toBe(0n)
  await stage.untilQuiet()
  const [brought] = await spends('gas')
  const sweep = (await spends('sweep')).at(-1)
  expect(BigInt(brought?.fee)).toBe(await costOf(brought?.hash))
  expect(BigInt(sweep?.fee)).toBe(await costOf(sweep?.hash))
  expect(await heldAt(invoice.deposit_address)).toBe(BigInt(brought?.units) - BigInt(sweep?.fee))
})
