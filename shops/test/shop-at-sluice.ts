import { createSluice, type Invoice, webhooks } from '../../sdk/src/client.ts'
import { permissions } from '../../server/src/domain/permissions.ts'
import { startTestService, type TestService } from '../../server/test/support/shop/service.ts'
import { openShop, quiet, type Shop } from '../../server/test/support/shop/shop.ts'

/** What the guides tell a shop to grant. */
const granted = permissions.filter((each) => /^(invoices|refunds):/.test(each))

export type ShopAtSluice = {
  readonly service: TestService
  readonly shop: Shop
  /** Settings of a shop: a key with the least permissions, and an endpoint for its webhooks. */
  readonly settings: { baseUrl: string; apiKey: string; webhookSecret: string }
  /** The payer picks Bitcoin and pays a share of the price; not in a block yet. */
  pay(invoiceId: string, share?: { numerator: bigint; denominator: bigint }): Promise<void>
  /** A webhook about an invoice, signed with a secret: the right one unless a test says otherwise. */
  webhook(
    event: string,
    data: object,
    secret?: string,
  ): Promise<{ body: string; headers: Record<string, string> }>
  stop(): Promise<void>
}

/** A running Sluice with a merchant, whose webhooks go to `hookUrl`. */
export async function openAtSluice(hookUrl: string): Promise<ShopAtSluice> {
  const service = await startTestService(quiet)
  const shop = await openShop(service)
  // A rate, which the sandbox would fetch.
  const { key } = await service.makeKey(shop.merchantId, { permissions: granted })
  const endpoint = (await shop.expect(201, 'createWebhookEndpoint', { json: { url: hookUrl } })).body.data
  const settings = { baseUrl: `${service.url}/api`, apiKey: key, webhookSecret: endpoint.secret as string }
  const sluice = createSluice({ baseUrl: settings.baseUrl, apiKey: shop.key })
  const live = async (id: string): Promise<Invoice> => {
    const invoice = await sluice.invoices.get(id)
    return invoice.amount === null ? sluice.test.activateInvoice(id, { currency: 'BTC' }) : invoice
  }
  return {
    service,
    shop,
    settings,
    async pay(invoiceId, share = { numerator: 1n, denominator: 1n }) {
      const { amount, deposit_address: address } = await live(invoiceId)
      if (amount === null || address === null) throw new Error('The invoice has no address.')
      const [whole = '0', fraction = ''] = amount.split('.')
      const units = (BigInt(whole + fraction.padEnd(8, '0')) * share.numerator) / share.denominator
      const digits = units.toString().padStart(9, '0')
      const paid = `${digits.slice(0, -8)}.${digits.slice(-8)}`.replace(/\.?0+$/, '')
      await sluice.test.deposit({ address, amount: paid, currency: 'BTC' })
    },
    async webhook(event, data, secret = settings.webhookSecret) {
      const body = JSON.stringify({
        id: `evt_${crypto.randomUUID()}`,
        event,
        created_at: new Date().toISOString(),
        environment: 'test',
        data,
      })
      return { body, headers: await webhooks.sign(body, secret) }
    },
    stop: () => service.stop(),
  }
}
