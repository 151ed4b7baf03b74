import { type Address, encodeDeployData } from 'viem'
import type { App } from '../../src/app/app.ts'
import { invoiceCreator } from '../../src/app/invoices/create-invoice.ts'
import { createMerchant } from '../../src/app/merchants/create-merchant.ts'
import type { Caller } from '../../src/domain/caller.ts'
import { parseDecimal } from '../../src/domain/money.ts'
import type { GateId } from '../../src/domain/networks/network.ts'
import { transferCall } from '../../src/gates/evm/transfer-call.ts'
import { type Gate, hotAddressOf } from '../../src/gates/gate.ts'
import { settleGate } from '../../src/simulator/helpers/settle-gate.ts'
import { Closers } from '../../src/wire/closers.ts'
import type { Random } from '../simulation/random.ts'
import { type Anvil, startAnvil } from '../support/nodes/anvil.ts'
import { compileContracts } from '../support/nodes/solidity.ts'
import { confirmations, nodeGateId } from './networks.ts'
import { makePlace, type Place } from './place.ts'
import {
  ask,
  type Currency,
  type Funded,
  networks,
  noInvoices,
  nothingMore,
  openWithWallet,
  type Wanted,
} from './scenario.ts'

/** A merchant with deposits on a real node, with which every run begins. */
export type FundedOnNode = Funded & { readonly anvil: Anvil; readonly token: Address }

const decimals = { ETH: 18, USDT: 6 } as const
const funds = { ETH: ['3', '2'], USDT: ['300', '200'] } as const
const float = 10n ** 18n
const supply = 10n ** 15n
const deep = 10
const hexOf = (units: bigint) => `0x${units.toString(16)}`

/** Creates the chain and the place that every run copies. */
export async function fundOnNode(): Promise<FundedOnNode> {
  const anvil = await startAnvil()
  try {
    const [payer] = await anvil.ask('eth_accounts')
    const pay = (to: string | null, rest: object) =>
      anvil.ask('eth_sendTransaction', { from: payer, ...(to !== null && { to }), ...rest })
    const contracts = await compileContracts()
    const deploy = async (name: string, ...args: readonly unknown[]) => {
      const contract = contracts.get(name)
      if (contract === undefined) throw new Error(`There is no contract ${name}.`)
      const made = await pay(null, { data: encodeDeployData({ ...contract, args: [...args] }) })
      await anvil.mine()
      return (await anvil.ask('eth_getTransactionReceipt', made)).contractAddress as Address
    }
    const token = await deploy('BlocklistToken', supply)
    const gate = {
      network: 'ethereum',
      environment: 'test',
      kind: 'evm',
      rpc_url: anvil.url,
      chain_id: anvil.chainId,
      confirmations: confirmations.ethereum,
      tokens: [{ code: 'USDT', contract: token, decimals: decimals.USDT }],
    }
    const place = await makePlace(undefined, { gates: [gate], payouts: { sweep_max_cost_bps: 0 } })
    await followNode(place)
    return await withNode(place, nodeGateId, async (app, node) => {
      const { caller, invoices } = await invoicesOf(app, funds)
      for (const currency of ['ETH', 'USDT'] as const)
        for (const [at, { asset }] of invoices[currency].entries()) {
          const units = parseDecimal(funds[currency][at] ?? '', decimals[currency]) as bigint
          const to = asset?.depositAddress ?? ''
          await (currency === 'ETH'
            ? pay(to, { value: hexOf(units) })
            : pay(token, { data: transferCall(to, units) }))
        }
      await pay(hotAddressOf(node), { value: hexOf(float) })
      await anvil.mine(deep)
      await settleGate(app, node)
      return { place, caller, invoices, anvil, token }
    })
  } catch (error) {
    await anvil.close()
    throw error
  }
}

/**
 * Follows the chain, because a gate is online only if its chain was followed recently; that is checked when it is opened.
 */
export async function followNode(place: Place, gateId = nodeGateId): Promise<void> {
  await withNode(place, gateId, async (app, node) => settleGate(app, node))
}

/** Runs `work` with the use cases and the gate of a real node, at a place that no other process uses. */
export async function withNode<T>(
  place: Place,
  gateId: GateId,
  work: (app: App, node: Gate) => Promise<T>,
): Promise<T> {
  const closers = new Closers()
  try {
    const { app } = await openWithWallet(place.env('parent'), closers)
    return await work(app, app.gates.find(gateId) as Gate)
  } finally {
    await closers.close()
  }
}

/** A merchant with an invoice for each of these amounts. */
export async function invoicesOf(
  app: App,
  amounts: Partial<Readonly<Record<Currency, readonly string[]>>>,
): Promise<Omit<Funded, 'place'>> {
  const merchant = { baseCurrency: 'USD', feeBps: 0, payoutFeeBps: 100, refundFeeBps: 50, toleranceBps: 0 }
  const { merchantId } = await createMerchant(app, { name: 'Test shop', settings: merchant })
  const caller: Caller = {
    actor: `key:${merchantId}`,
    person: null,
    merchantId,
    environment: 'test',
    permissions: new Set(),
    merchant,
  }
  const invoices = noInvoices()
  for (const currency of Object.keys(invoices) as Currency[])
    for (const amount of amounts[currency] ?? []) {
      const request = { ...nothingMore, currency, network: networks[currency], amount }
      invoices[currency].push((await invoiceCreator(app)(caller, request, {})).invoice)
    }
  return { caller, invoices }
}

/** Payouts that need sweeps of both currencies, small ones between them, and a refund. */
export async function askManyOnNode(app: App, funded: Funded, random: Random): Promise<Wanted[]> {
  const wanted: Wanted[] = []
  const pay = async (currency: 'ETH' | 'USDT', amount: string, isRefund = false) => {
    wanted.push(await ask(app, funded, random, currency, amount, { isRefund }))
  }
  await pay('ETH', `3.${random.between(1, 6)}`)
  // Payouts that are due together leave together.
  for (let more = random.between(4, 6); more > 0; more--) await pay('ETH', `0.${random.between(11, 14)}`)
  for (let more = random.between(1, 2); more > 0; more--) await pay('USDT', String(random.between(40, 160)))
  for (let more = random.between(3, 5); more > 0; more--) await pay('USDT', String(random.between(11, 14)))
  const refunds = { ETH: '0.25', USDT: '20.25' } as const
  const refunded = random.pick<'ETH' | 'USDT'>(['ETH', 'USDT'])
  await pay(refunded, refunds[refunded], true)
  return wanted
}
