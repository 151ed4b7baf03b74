import { getAddress } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { sendFromWallet, type WalletProvider } from '../../../../web/checkout/src/wallets.ts'
import { auditBooks } from '../../../src/app/audit/audit-books.ts'
import { type EvmShop, openEvmShop } from '../../support/nodes/evm-shop.ts'
import {
  createEndpoint,
  eventually,
  type HookReceiver,
  startHookReceiver,
  verify,
} from '../../support/servers/hook-receiver.ts'
import { openPage } from '../../support/shop/checkout-client.ts'

let stage: EvmShop
let receiver: HookReceiver
beforeAll(async () => {
  receiver = await startHookReceiver()
  stage = await openEvmShop({ USDT: 'SilentToken' })
})
afterEach(async () => {
  expect(await auditBooks(stage.service.app)).toEqual({ ok: true, differences: [] })
  for (const currency of ['ETH', 'USDT'])
    expect(await stage.heldInBooks(currency), currency).toBe(await stage.heldOnChain(currency))
})
afterAll(async () => {
  await stage.close()
  await receiver.close()
})

const ether = 10n ** 18n
/** An address that has nothing to do with the service. */
const stranger = () => privateKeyToAccount(generatePrivateKey()).address

it('an invoice in USDT is paid from a wallet, sent as a webhook, swept, paid out and refunded', async () => {
  const { shop, tokens, confirmations, mine, settle, send, untilPaidOut, heldAt, fillFloat } = stage
  const token = tokens.USDT as `0x${string}`
  const hot = await fillFloat(ether)
  const { secret } = await createEndpoint(shop, { url: receiver.url, events: null })

  const invoice = await shop.create({ currency: 'USDT', amount: '100', network: 'ethereum' })
  expect(invoice).toMatchObject({ gate_id: 'ethereum-test', required_confirmations: confirmations })
  expect(invoice.payment_uri).toBe(
    `ethereum:${getAddress(token)}@31337/transfer?address=${invoice.deposit_address}&uint256=100000000`,
  )
  const hash = await send(
    { contract: 'SilentToken', at: token },
    'transfer',
    invoice.deposit_address,
    100_000_000n,
  )
  await settle()
  expect(await shop.get(invoice)).toMatchObject({ status: 'pending', amount_paid: '0' })
  await mine(1)
  expect(await shop.get(invoice)).toMatchObject({ status: 'pending', amount_pending: '100' })
  await mine(confirmations - 1)
  const paid = await shop.get(invoice)
  expect(paid).toMatchObject({ status: 'paid', amount_paid: '100', amount_overpaid: '0' })
  expect(paid.payments).toMatchObject([{ tx_hash: hash, amount: '100', status: 'confirmed' }])
  const told = await eventually(() => {
    const found = receiver.hooks.find(({ body }) => body.event === 'invoice.paid')
    if (found === undefined) throw new Error('The webhook has not arrived yet.')
    return found
  })
  expect(verify(secret, told).data.id).toBe(invoice.id)

  const destination = stranger()
  const payout = await shop.payOut({ currency: 'USDT', network: 'ethereum', amount: '40', destination })
  expect((await shop.approve(payout)).status).toBe(200)
  const done = await untilPaidOut(payout)
  expect(await heldAt(destination, token)).toBe(40_000_000n)
  expect((await stage.anvil.ask('eth_getTransactionReceipt', done.tx_hash)).status).toBe('0x1')
  expect(await heldAt(invoice.deposit_address, token)).toBe(0n)
  expect(await heldAt(hot, token)).toBe(60_000_000n)

  const back = stranger()
  const refund = await shop.refund({
    invoice_id: invoice.id,
    currency: 'USDT',
    network: 'ethereum',
    amount: '25',
    destination: back,
  })
  expect(refund.status, refund.text).toBe(201)
  const { payout_id } = refund.body.data
  expect((await shop.approve({ id: payout_id })).status).toBe(200)
  await untilPaidOut({ id: payout_id })
  expect(await heldAt(back, token)).toBe(25_000_000n)
  expect(await shop.get(invoice)).toMatchObject({ amount_refunded: '25' })
  // Gas that is left at the deposit address is no payment, and no address is short.
  await mine(3)
  expect((await shop.get(invoice)).payments).toHaveLength(1)
})

it.each([
  ['USDT', '49.9'],
  ['ETH', '1.000000000000000001'],
])(
  'a wallet in the payer’s browser pays exactly what an invoice in %s asks for',
  async (currency, amount) => {
    const { shop, anvil, payer, tokens, confirmations, mine, heldAt } = stage
    const invoice = await shop.create({ currency, amount, network: 'ethereum' })
    const asset = async () => (await openPage(invoice.checkout_url)).state.checkout?.asset ?? null
    const wanted = (await asset())?.wallet_transaction ?? null
    const token = tokens[currency]
    expect(wanted?.token).toEqual(
      token === undefined ? null : { address: getAddress(token), symbol: currency, decimals: 6 },
    )
    const asked: string[] = []
    const provider: WalletProvider = {
      async request({ method, params = [] }) {
        asked.push(method)
        return method === 'eth_requestAccounts' ? [payer] : anvil.ask(method, ...(params as unknown[]))
      },
    }
    expect(await sendFromWallet(provider, () => wanted)).toBe('sent')
    expect(asked).toEqual(['eth_requestAccounts', 'eth_chainId', 'eth_sendTransaction'])
    await mine(confirmations)
    expect(await shop.get(invoice)).toMatchObject({
      status: 'paid',
      amount_paid: amount,
      amount_overpaid: '0',
    })
    expect(await heldAt(invoice.deposit_address, token)).toBe(token === undefined ? ether + 1n : 49_900_000n)
    expect((await asset())?.wallet_transaction).toBeNull()
  },
)

it('ETH from inside a contract wallet pays an invoice, is swept and paid out, to the wei', async () => {
  const { shop, confirmations, mine, deploy, send, sendNative, untilPaidOut, heldAt } = stage
  const wallet = await deploy('ContractWallet')
  await sendNative(wallet, 5n * ether)
  await mine()
  const invoice = await shop.create({ currency: 'ETH', amount: '2.000000000000000001', network: 'ethereum' })
  const to = invoice.deposit_address
  await send({ contract: 'ContractWallet', at: wallet }, 'execute', to, 2n * ether + 1n, '0x')
  await mine()
  const { hash } = await stage.anvil.ask('eth_getBlockByNumber', 'latest', false)
  await mine(confirmations - 1)
  expect(await shop.get(invoice)).toMatchObject({
    status: 'paid',
    amount_paid: '2.000000000000000001',
    payments: [{ tx_hash: hash, amount: '2.000000000000000001' }],
  })
  const destination = stranger()
  const payout = await shop.payOut({ currency: 'ETH', network: 'ethereum', amount: '1.9', destination })
  expect((await shop.approve(payout)).status).toBe(200)
  await untilPaidOut(payout)
  expect(await heldAt(destination)).toBe(19n * 10n ** 17n)
  // The swept address is paid again from inside a contract: only the new amount is found.
  await send({ contract: 'ContractWallet', at: wallet }, 'execute', to, ether, '0x')
  await mine()
  await mine(confirmations - 1)
  expect(await shop.get(invoice)).toMatchObject({ status: 'overpaid', amount_paid: '3.000000000000000001' })
})
