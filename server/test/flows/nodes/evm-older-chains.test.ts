import type { Address } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { auditBooks } from '../../../src/app/audit/audit-books.ts'
import { gasPriceOracle } from '../../../src/gates/evm/node-data-fee.ts'
import { type EvmShop, openEvmShop } from '../../support/nodes/evm-shop.ts'

const dataFee = 123_456_789n
let stage: EvmShop
beforeAll(async () => {
  const gate = { transactions: 'legacy', data_fee: 'op_stack' }
  stage = await openEvmShop({ USDT: 'PlainToken' }, { gate })
  // Answers every call with the same word.
  const word = dataFee.toString(16).padStart(64, '0')
  await stage.anvil.ask('anvil_setCode', gasPriceOracle, `0x7f${word}60005260206000f3`)
})
afterEach(async () => {
  expect(await auditBooks(stage.service.app)).toEqual({ ok: true, differences: [] })
  for (const currency of ['ETH', 'USDT'])
    expect(await stage.heldInBooks(currency), currency).toBe(await stage.heldOnChain(currency))
})
afterAll(() => stage.close())

const ether = 10n ** 18n
const stranger = () => privateKeyToAccount(generatePrivateKey()).address

it('on a chain without tips and with a data fee, sweeps and payouts are legacy transactions that leave room for it', async () => {
  const { shop, anvil, mine, confirmations, sendNative, send, untilPaidOut, heldAt, fillFloat } = stage
  const hot = await fillFloat(ether)
  const coins = await shop.create({ currency: 'ETH', amount: '2', network: 'ethereum' })
  await sendNative(coins.deposit_address, 2n * ether)
  const tokens = await shop.create({ currency: 'USDT', amount: '50', network: 'ethereum' })
  const at = stage.tokens.USDT as Address
  await send({ contract: 'PlainToken', at }, 'transfer', tokens.deposit_address, 50_000_000n)
  await mine(confirmations)

  for (const [currency, amount] of [
    ['ETH', '1.9'],
    ['USDT', '49'],
  ]) {
    const payout = await shop.payOut({ currency, network: 'ethereum', amount, destination: stranger() })
    expect((await shop.approve(payout)).status).toBe(200)
    const { tx_hash } = await untilPaidOut(payout)
    const sent = await anvil.ask('eth_getTransactionByHash', tx_hash)
    expect(sent).toMatchObject({ type: '0x0', from: hot.toLowerCase() })
  }
  // This node charges no data fee, so the amount that the sweep left for it, twice the current price, is still there.
  expect(await heldAt(coins.deposit_address)).toBe(2n * dataFee)
  expect(await heldAt(tokens.deposit_address, at)).toBe(0n)
})
