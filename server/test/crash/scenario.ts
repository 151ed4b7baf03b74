import { randomUUID } from 'node:crypto'
import { ed25519 } from '@noble/curves/ed25519.js'
import { base58, bech32, hex } from '@scure/base'
import type { App } from '../../src/app/app.ts'
import { invoiceCreator } from '../../src/app/invoices/create-invoice.ts'
import { createMerchant } from '../../src/app/merchants/create-merchant.ts'
import { approvePayout } from '../../src/app/payouts/approve-payout.ts'
import { payoutCreator } from '../../src/app/payouts/create-payout.ts'
import { refundCreator } from '../../src/app/refunds/create-refund.ts'
import { marksFor } from '../../src/domain/address-demand.ts'
import type { Caller } from '../../src/domain/caller.ts'
import { ServiceError } from '../../src/domain/errors.ts'
import type { Invoice } from '../../src/domain/invoices.ts'
import { createLog } from '../../src/log.ts'
import { readSettings } from '../../src/settings/settings.ts'
import { fillAddresses } from '../../src/signer/fill-addresses.ts'
import { addressGranter } from '../../src/signer/grant-addresses.ts'
import { journalPath, openJournal } from '../../src/signer/journal.ts'
import { openTestWallet } from '../../src/signer/kept-wallet.ts'
import { deposit } from '../../src/simulator/helpers/deposit.ts'
import { mineBlocks } from '../../src/simulator/helpers/mine-blocks.ts'
import { type Opened, openApp } from '../../src/wire/app.ts'
import { Closers } from '../../src/wire/closers.ts'
import { fillFirst } from '../../src/wire/gates.ts'
import { gateChains } from '../../src/wire/node-gates.ts'
import type { Random } from '../simulation/random.ts'
import { makePlace, openPlace, type Place, readyAddresses } from './place.ts'

/** A merchant whose deposits are so deep that no reorganisation of a run reaches them. */
export type Funded = {
  readonly place: Place
  readonly caller: Caller
  readonly invoices: Readonly<Record<Currency, readonly Invoice[]>>
}

export type Currency = 'BTC' | 'ETH' | 'USDT' | 'SOL' | 'USDC'

/** A payout of the run, as it was requested. */
export type Wanted = {
  readonly id: string
  readonly currency: Currency
  readonly amount: string
  readonly destination: string
  readonly isRefund: boolean
  /** Whether the signer refuses it for good, so that it is cancelled. */
  readonly isRefused: boolean
}

export const networks = {
  BTC: 'bitcoin',
  ETH: 'ethereum',
  USDT: 'ethereum',
  SOL: 'solana',
  USDC: 'solana',
} as const
const currencies = Object.keys(networks) as Currency[]
type Amounts = Partial<Readonly<Record<Currency, readonly string[]>>>

/** The hot wallet of a simulated network is given 100 ETH or SOL: only a larger payout makes us sweep deposits. */
const funds: Amounts = {
  BTC: ['0.5', '0.3', '0.2'],
  ETH: ['60', '45', '30'],
  USDT: ['500', '300'],
  SOL: ['60', '45', '30'],
  USDC: ['500', '300', '200'],
}
const deep = 30

export const nothingMore = {
  amountFiat: null,
  fiatCurrency: null,
  deferred: null,
  description: null,
  externalId: null,
  metadata: null,
  redirectUrl: null,
  expiresIn: null,
  idempotencyKey: null,
}

/** Creates the place that every run copies; with this configuration, apart from what every place has. */
export async function fund(amounts = funds, more: object = {}): Promise<Funded> {
  const place = await makePlace(undefined, more)
  const closers = new Closers()
  const { app } = await openWithWallet(place.env('parent'), closers)
  const funded = await fundMerchant(app, amounts)
  await closers.close()
  return { place, ...funded }
}

/** Opens the use cases with a new test wallet, so that there are gates, and grants addresses as the signer does. */
export async function openWithWallet(env: Record<string, string>, closers: Closers): Promise<Opened> {
  const settings = readSettings(env)
  const log = createLog('silent', { write: () => {} })
  const opened = await openApp(settings, 'command', log, closers)
  const wallet = await openTestWallet(opened.app, {
    dataDir: settings.dataDir,
    log,
    chains: gateChains(settings.assets, settings.config.gates),
  })
  await opened.gates.open(closers)
  if (wallet === null) throw new Error('The test wallet belongs to another place.')
  const header = { environment: wallet.environment, wallet: wallet.fingerprint }
  const journal = await openJournal(journalPath(settings.dataDir, wallet.environment), header)
  const granter = addressGranter(wallet, { makeStamp: randomUUID, log, now: () => performance.now() })
  // The signer learns of the keychain of a node's chain from its pool.
  await fillFirst(opened.app, opened.gates.keychains())
  await granter.grant(opened.app.store, journal)
  await fillAddresses(opened.app, wallet, marksFor(readyAddresses))
  // No grant may be left over: a copy of the place would have to skip its addresses.
  closers.add(async () => {
    await granter.withdraw(opened.app.store, journal)
    await journal.close()
  })
  return opened
}

/** A merchant that was paid these amounts, each on an invoice of its own. */
export async function fundMerchant(app: App, amounts: Amounts): Promise<Omit<Funded, 'place'>> {
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
  for (const currency of currencies)
    for (const amount of amounts[currency] ?? []) {
      const network = networks[currency]
      const request = { ...nothingMore, currency, network, amount }
      const { invoice } = await invoiceCreator(app)(caller, request, {})
      const address = invoice.asset?.depositAddress ?? ''
      await deposit(app, caller, { address, tag: null, amount, currency, network })
      invoices[currency].push(invoice)
    }
  for (const network of new Set(Object.values(networks)))
    await mineBlocks(app, caller, { network, count: deep })
  return { caller, invoices }
}

export function noInvoices(): Record<Currency, Invoice[]> {
  return { BTC: [], ETH: [], USDT: [], SOL: [], USDC: [] }
}

/** Requests a payout, or a refund of the currency's last invoice, to an address that receives nothing else. */
export async function ask(
  app: App,
  { caller, invoices }: Funded,
  random: Random,
  currency: Currency,
  amount: string,
  { isRefund = false, isRefused = false, bech32Prefix = 'tb' } = {},
): Promise<Wanted> {
  const request = {
    currency,
    network: networks[currency],
    amount,
    destination: addressesOf[networks[currency]](random, bech32Prefix),
    destinationTag: null,
    description: null,
    metadata: null,
  }
  const invoiceId = invoices[currency].at(-1)?.id as string
  const { id, destination: written } = isRefund
    ? (await refundCreator(app)(caller, { ...request, invoiceId }, { key: null, body: {} })).refund.payout
    : (await payoutCreator(app).one(caller, { request: { ...request, idempotencyKey: null }, body: {} }))
        .payout
  return { id, currency, amount, destination: written, isRefund, isRefused }
}

/** Approves payouts, all at the same moment as far as the planner can tell. A cancelled payout stays cancelled. */
export async function approve(app: App, payouts: readonly Wanted[]): Promise<void> {
  for (const { id } of payouts)
    await approvePayout(app, null, id, { approver: 'cli:test' }).catch((error: unknown) => {
      if (!(error instanceof ServiceError)) throw error
    })
}

/** A place with exactly one payout, which is approved. */
export async function onePayout(
  funded: Funded,
  random: Random,
  currency: Currency,
  amount: string,
  options: { readonly isRefused?: boolean } = {},
): Promise<{ place: Place; wanted: Wanted }> {
  const place = await makePlace(funded.place)
  const { app, close } = await openPlace(place)
  const wanted = await ask(app, funded, random, currency, amount, options)
  await approve(app, [wanted])
  await close()
  return { place, wanted }
}

/** Addresses that no other payment goes to, by network. */
const addressesOf = {
  bitcoin: (random: Random, prefix: string) =>
    bech32.encode(prefix, [0, ...bech32.toWords(random.bytes(20))]),
  ethereum: (random: Random) => `0x${hex.encode(random.bytes(20))}`,
  solana: (random: Random) => base58.encode(ed25519.getPublicKey(random.bytes(32))),
}
