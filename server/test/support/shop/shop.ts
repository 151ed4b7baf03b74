import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'vitest'
import { settleGate } from '../../../src/simulator/helpers/settle-gate.ts'
import { query } from '../database/database.ts'
import { patienceMs } from '../patience.ts'
import { type Answer, type CallOptions, call, expectWebhook } from './contract-client.ts'
import { inventedEvents } from './invented-events.ts'
import type { TestService } from './service.ts'

// biome-ignore lint/suspicious/noExplicitAny: every answer was checked against the contract; tests read only the fields they need
export type Row = any

const pollMs = 20

type Payable = {
  readonly deposit_address: string
  readonly deposit_address_tag: string | null
  readonly currency: string
  readonly network: string
}

/** Settings of a service under test that mines only on request, and whose limits delay no test. */
export const quiet = {
  env: { SLUICE_SANDBOX_BLOCK_SECONDS: '0' },
  config: {
    limits: { key_per_minute: 1_000_000, ip_per_minute: 1_000_000, checkout_per_minute: 1_000_000 },
    // Deposits are not swept until a payout needs them, or a test says otherwise.
    payouts: { sweep_max_cost_bps: 0 },
  },
} as const

/** A merchant with a test key and everything it can do with incoming money. All of it goes over HTTP. */
export class Shop {
  readonly service: TestService
  readonly merchantId: string
  readonly key: string
  #told = 0

  constructor(service: TestService, merchantId: string, key: string) {
    this.service = service
    this.merchantId = merchantId
    this.key = key
  }

  /** Calls an operation with the shop's key; a body may be given as an object. */
  call(operation: string, { json, ...options }: CallOptions & { json?: object } = {}): Promise<Answer> {
    return call(this.service.url, operation, {
      key: this.key,
      ...(json !== undefined && { body: JSON.stringify(json) }),
      ...options,
    })
  }

  /** The same; any other status fails the test. */
  async expect(status: number, operation: string, options: CallOptions & { json?: object } = {}) {
    const answer = await this.call(operation, options)
    expect(answer.status, answer.text).toBe(status)
    return answer
  }

  async create(json: object = { currency: 'BTC', amount: '0.01' }): Promise<Row> {
    return this.#withAddress('createInvoice', json)
  }

  async createAddress(json: object = { currency: 'BTC' }): Promise<Row> {
    return this.#withAddress('createAddress', json)
  }

  /** Services under test keep few addresses ready: a test that is faster than the signer does as the error says. */
  async #withAddress(operation: string, json: object): Promise<Row> {
    const until = Date.now() + patienceMs
    for (;;) {
      const answer = await this.call(operation, { json })
      const hasNone = answer.status === 503 && answer.text.includes('No deposit address is available')
      if (!hasNone || Date.now() > until) {
        expect(answer.status, answer.text).toBe(201)
        return answer.body.data
      }
      await sleep(pollMs)
    }
  }

  async get(invoice: { id: string }): Promise<Row> {
    return (await this.expect(200, 'getInvoice', { path: { invoiceID: invoice.id } })).body.data
  }

  async address(address: { id: string }): Promise<Row> {
    return (await this.expect(200, 'getAddress', { path: { addressID: address.id } })).body.data
  }

  /** Pays an invoice, or anything else with a deposit address, and returns the hash of the transaction. */
  async pay(invoice: Payable, amount: string): Promise<string> {
    return this.deposit({
      address: invoice.deposit_address,
      address_tag: invoice.deposit_address_tag,
      amount,
      currency: invoice.currency,
      network: invoice.network,
    })
  }

  async deposit(json: object): Promise<string> {
    return (await this.expect(201, 'createTestDeposit', { json })).body.data.tx_hash
  }

  async mine(count: number, network = 'bitcoin'): Promise<number> {
    return (await this.expect(200, 'mineTestBlocks', { json: { network, count } })).body.data.height
  }

  async reorganise(depth: number, drop: readonly string[] = [], network = 'bitcoin'): Promise<number> {
    const json = { network, depth, drop }
    return (await this.expect(200, 'reorganiseTestChain', { json })).body.data.height
  }

  async cancel(invoice: { id: string }): Promise<Answer> {
    return this.call('cancelInvoice', { path: { invoiceID: invoice.id } })
  }

  async expire(invoice: { id: string }): Promise<Row> {
    return (await this.expect(200, 'expireTestInvoice', { path: { invoiceID: invoice.id } })).body.data
  }

  /** Moves the shop's clock forward. Returns what the move made due. */
  async advance(seconds: number): Promise<Row> {
    return (await this.expect(200, 'advanceTestClock', { json: { advance_seconds: seconds } })).body.data.due
  }

  async activate(invoice: { id: string }, json: object): Promise<Answer> {
    return this.call('activateTestInvoice', { path: { invoiceID: invoice.id }, json })
  }

  /** Makes this amount of a currency available: paid to an invoice, and mined deep enough. */
  async fund(amount: string, currency = 'BTC', network = 'bitcoin'): Promise<Row> {
    const invoice = await this.create({ currency, network, amount })
    await this.pay(invoice, amount)
    await this.mine(invoice.required_confirmations, network)
    return invoice
  }

  async payOut(json: object): Promise<Row> {
    return (await this.expect(201, 'createPayout', { json })).body.data
  }

  async payout(payout: { id: string }): Promise<Row> {
    return (await this.expect(200, 'getPayout', { path: { payoutID: payout.id } })).body.data
  }

  async cancelPayout(payout: { id: string }): Promise<Answer> {
    return this.call('cancelPayout', { path: { payoutID: payout.id } })
  }

  async approve(payout: { id: string }): Promise<Answer> {
    return this.call('approveTestPayout', { path: { payoutID: payout.id } })
  }

  async refund(json: object, key?: string): Promise<Answer> {
    return this.call('createRefund', {
      json,
      ...(key !== undefined && { headers: { 'Idempotency-Key': key } }),
    })
  }

  async setGate(network: string, status: 'online' | 'offline'): Promise<void> {
    await this.expect(200, 'setTestGate', { json: { network, status } })
  }

  /** The events since the last call, oldest first. */
  async events(): Promise<Row[]> {
    const { data, meta } = await this.#page('listEvents', { query: { limit: '100' } })
    const count = meta.pagination.total - this.#told
    if (count > data.length) throw new Error(`${count} events were sent, but a page holds ${data.length}.`)
    this.#told = meta.pagination.total
    const told: Row[] = data.slice(0, count).reverse()
    // A webhook carries everything except the position.
    for (const { position: _, ...body } of told) if (!inventedEvents.has(body.id)) expectWebhook(body)
    return told
  }

  /** The names of the events since the last call, oldest first. */
  async told(): Promise<string[]> {
    return (await this.events()).map(({ event }) => event)
  }

  async balance(currency: string): Promise<Row> {
    const { data } = await this.#page('listBalances')
    return data.find((row: Row) => row.currency === currency)
  }

  /** The whole ledger of a currency, oldest first. */
  async ledger(currency: string, filter: Record<string, string> = {}): Promise<Row[]> {
    const { data } = await this.#page('listLedgerEntries', {
      path: { currency },
      query: { limit: '100', ...filter },
    })
    return data.reverse()
  }

  async #page(operation: string, options: CallOptions = {}): Promise<Row> {
    return (await this.expect(200, operation, options)).body
  }
}

/** A new merchant's shop. Its settings are in place before its key is first used. */
export async function openShop(
  service: TestService,
  settings: {
    feeBps?: number
    payoutFeeBps?: number
    refundFeeBps?: number
    toleranceBps?: number
    baseCurrency?: string
  } = {},
): Promise<Shop> {
  const merchantId = await service.makeMerchant()
  await query(
    service.database.url,
    `update merchants set fee_bps = $2, underpayment_tolerance_bps = $3, base_currency = $4, payout_fee_bps = $5,
      refund_fee_bps = $6 where id = $1`,
    [
      merchantId,
      settings.feeBps ?? 0,
      settings.toleranceBps ?? 0,
      settings.baseCurrency ?? 'USD',
      settings.payoutFeeBps ?? 0,
      settings.refundFeeBps ?? 0,
    ],
  )
  const { key } = await service.makeKey(merchantId)
  return new Shop(service, merchantId, key)
}

/** Returns once everything on a gate's chain is visible: for changes of the chain without a test helper. */
export async function settle({ app }: TestService, gateId: string): Promise<void> {
  const gate = app.gates.find(gateId)
  if (gate === null) throw new Error(`There is no gate ${gateId}.`)
  const endMs = performance.now() + patienceMs
  while (!(await settleGate(app, gate))) {
    if (performance.now() > endMs) throw new Error(`${gateId} does not settle.`)
    await sleep(pollMs)
  }
}
