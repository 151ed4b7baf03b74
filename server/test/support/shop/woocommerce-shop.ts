import { createHash } from 'node:crypto'
import { Webhook } from 'standardwebhooks'
import { expect } from 'vitest'
import { type DashboardClient, makePerson, signedIn } from '../people/dashboard-client.ts'
import { type PhpShop, startPhpShop } from '../servers/php-shop.ts'
import { startTestService, type TestService } from './service.ts'
import { openShop, quiet, type Row, type Shop } from './shop.ts'

/** The plugin for WooCommerce as it ships, beside this service: its staff, its shoppers, and a payer. */
export class WooCommerceShop {
  readonly service: TestService
  readonly shop: PhpShop
  readonly payer: Shop
  /** Who may connect the shop. */
  readonly owner: DashboardClient
  #orders = 1000

  constructor(service: TestService, shop: PhpShop, payer: Shop, owner: DashboardClient) {
    this.service = service
    this.shop = shop
    this.payer = payer
    this.owner = owner
  }

  async stop(): Promise<void> {
    await this.shop.stop()
    await this.service.stop()
  }

  /** The path of the merchant's environment in the dashboard's operations. */
  here() {
    return { merchantID: this.payer.merchantId, environment: 'test' }
  }

  /** A form of the shop's admin. */
  post(form: Record<string, string>, headers = {}): Promise<Response> {
    return this.shop.ask('/wp-admin/admin-post.php', {
      method: 'POST',
      body: new URLSearchParams(form),
      headers,
    })
  }

  /** Presses “Connect” in the shop, and returns what it asks for at the dashboard. */
  async begin(): Promise<Record<string, string>> {
    const form = {
      action: 'sluice_connect',
      _wpnonce: nonce('sluice_connect'),
      sluice_url: this.service.url,
    }
    const to = new URL((await this.post(form)).headers.get('location') ?? '')
    expect(`${to.origin}${to.pathname}`).toBe(`${this.service.url}/dashboard/connect`)
    return Object.fromEntries(to.searchParams)
  }

  /** The browser comes back to the shop. */
  goBack(url: string): Promise<Response> {
    return this.shop.ask(url.replace(this.shop.url, ''))
  }

  async connect(): Promise<void> {
    const allowed = await this.owner.call('allowShop', { path: this.here(), body: await this.begin() })
    expect(outcome(await this.goBack(allowed.body.data.redirect_to))).toBe('connected')
  }

  /** An order at the payment page, whose payer has chosen a currency. */
  async ordered(total = '49.90', currency = 'EUR', more: object = {}): Promise<{ id: number; invoice: Row }> {
    const id = await this.create(total, currency, more)
    return { id, invoice: await this.paying(id) }
  }

  /** An order that was placed and not paid. */
  async create(total: string, currency = 'EUR', more: object = {}): Promise<number> {
    this.#orders += 1
    const id = this.#orders
    await this.shop.act('create', { id, total, currency, key: `k${id}`, ...more })
    return id
  }

  /** The payer goes to the payment page and chooses Bitcoin. */
  async paying(id: number): Promise<Row> {
    const { result, redirect } = await this.shop.act('pay', { id })
    expect([result, redirect]).toEqual(['success', expect.stringContaining(`${this.service.url}/pay/`)])
    const [invoice] = await this.invoicesOf(id)
    const path = { invoiceID: invoice.id }
    return (await this.payer.expect(200, 'activateTestInvoice', { path, json: { currency: 'BTC' } })).body
      .data
  }

  /** The invoices of an order, newest first. */
  async invoicesOf(id: number): Promise<Row[]> {
    return (await this.payer.expect(200, 'listInvoices', { query: { external_id: String(id) } })).body.data
  }

  /** A confirmed payment. */
  async pay(invoice: Row, amount = invoice.amount): Promise<string> {
    const hash = await this.payer.pay(invoice, amount)
    await this.payer.mine(2)
    return hash
  }

  /** Waits until an order has this status. */
  becomes(id: number, status: string): Promise<void> {
    return expect.poll(() => this.status(id)).toBe(status) as unknown as Promise<void>
  }

  async status(id: number): Promise<string> {
    return (await this.shop.order(id)).status
  }

  async notes(id: number): Promise<string> {
    return (await this.shop.order(id)).notes.join('\n')
  }

  /** Sends a webhook to the shop by hand, signed by its secret unless another is given, and returns the answer's status. */
  async deliver(name: string, data: object, secret?: string): Promise<number> {
    const body = {
      id: 'evt_1',
      event: name,
      created_at: new Date().toISOString(),
      environment: 'test',
      data,
    }
    const text = JSON.stringify(body)
    const at = new Date()
    const key = secret ?? (await this.shop.act('connection')).webhook_secret
    const headers = {
      'webhook-id': 'evt_1',
      'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
      'webhook-signature': new Webhook(key).sign('evt_1', at, text),
    }
    return (await this.shop.ask('/wc-api/sluice/', { method: 'POST', body: text, headers })).status
  }

  /** Does something while no webhook reaches the shop, which is connected again afterwards. */
  async withoutWebhooks(work: () => Promise<void>): Promise<void> {
    const { data } = (await this.owner.call('listWebhookEndpoints', { path: this.here() })).body
    for (const { id } of data)
      await this.owner.call('deleteWebhookEndpoint', { path: { ...this.here(), endpointID: id } })
    try {
      await work()
    } finally {
      await this.connect()
    }
  }
}

/** The nonce of the stand-in for WordPress. */
export function nonce(action: string): string {
  return createHash('sha256').update(`nonce ${action}`).digest('hex').slice(0, 10)
}

/** What the settings page would say after this answer. */
export function outcome(answer: Response): string | null {
  return new URL(answer.headers.get('location') ?? '').searchParams.get('sluice')
}

export async function openWooCommerceShop(): Promise<WooCommerceShop> {
  const service = await startTestService(quiet)
  const shop = await startPhpShop()
  const payer = await openShop(service)
  const login = await makePerson(service, { merchantId: payer.merchantId, role: 'owner' })
  return new WooCommerceShop(service, shop, payer, await signedIn(service, login))
}
