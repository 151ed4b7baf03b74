/** A customer and staff of a running Medusa, over its two APIs. */

export type MedusaFacts = {
  readonly regions: { readonly eur: string; readonly jpy: string }
  readonly publishableKey: string
  readonly secretKey: string
  readonly variantId: string
}
// biome-ignore lint/suspicious/noExplicitAny: tests read only the fields they need
type Fields = any

export class MedusaShop {
  readonly #url: string
  readonly #facts: MedusaFacts

  constructor(url: string, facts: MedusaFacts) {
    this.#url = url
    this.#facts = facts
  }

  async call(path: string, body?: object): Promise<{ status: number; body: Fields }> {
    const staff = `Basic ${btoa(`${this.#facts.secretKey}:`)}`
    const response = await fetch(`${this.#url}${path}`, {
      method: body === undefined ? 'GET' : 'POST',
      headers: {
        'content-type': 'application/json',
        ...(path.startsWith('/admin')
          ? { authorization: staff }
          : { 'x-publishable-api-key': this.#facts.publishableKey }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    return { status: response.status, body: await response.json() }
  }

  async expect(path: string, body?: object): Promise<Fields> {
    const answer = await this.call(path, body)
    if (answer.status !== 200) throw new Error(`${path}: ${answer.status} ${JSON.stringify(answer.body)}`)
    return answer.body
  }

  /** A customer with a cart who chooses to pay with crypto. */
  async checkOut(currency: 'eur' | 'jpy' = 'eur'): Promise<Checkout> {
    const { cart } = await this.expect('/store/carts', {
      region_id: this.#facts.regions[currency],
      email: 'ada@example.com',
      items: [{ variant_id: this.#facts.variantId, quantity: 1 }],
    })
    const { payment_collection: collection } = await this.expect('/store/payment-collections', {
      cart_id: cart.id,
    })
    const checkout = new Checkout(this, cart.id, collection.id)
    await checkout.chooseCrypto()
    return checkout
  }
}

export class Checkout {
  readonly #shop: MedusaShop
  readonly #cartId: string
  readonly #collectionId: string
  session: Fields

  constructor(shop: MedusaShop, cartId: string, collectionId: string) {
    this.#shop = shop
    this.#cartId = cartId
    this.#collectionId = collectionId
  }

  /** A new payment session. The storefront sends the payer to `data.checkout_url`. */
  async chooseCrypto(): Promise<void> {
    const path = `/store/payment-collections/${this.#collectionId}/payment-sessions`
    // What a storefront may try to say.
    const data = { invoice_id: crypto.randomUUID(), amount: '0.01' }
    const { payment_collection: collection } = await this.#shop.expect(path, {
      provider_id: 'pp_sluice_sluice',
      data,
    })
    this.session = collection.payment_sessions.at(-1)
  }

  async addAnother(variantId: string): Promise<void> {
    await this.#shop.expect(`/store/carts/${this.#cartId}/line-items`, { variant_id: variantId, quantity: 1 })
  }

  /** What the storefront asks when the payer comes back. */
  async complete(): Promise<Fields> {
    return (await this.#shop.call(`/store/carts/${this.#cartId}/complete`, {})).body
  }

  /** The order, as staff see it. Undefined while there is none. */
  async order(): Promise<Fields | undefined> {
    const { orders } = await this.#shop.expect(
      `/admin/orders?limit=100&fields=id,payment_status,summary,*payment_collections,*payment_collections.payments,*payment_collections.payments.refunds,*payment_collections.payments.captures`,
    )
    return orders.find(({ payment_collections: all }: Fields) =>
      all.some(({ id }: Fields) => id === this.#collectionId),
    )
  }

  /** Its payment collection. Null while there is no order. */
  async collection(): Promise<Fields | null> {
    const order = await this.order()
    if (order === undefined) return null
    return { ...order.payment_collections[0], order_payment_status: order.payment_status }
  }

  async status(): Promise<string | null> {
    return (await this.collection())?.order_payment_status ?? null
  }
}
