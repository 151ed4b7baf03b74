/** A customer and an administrator of a running Vendure, over its two APIs. */

type Answer = { readonly data?: unknown; readonly errors?: readonly { readonly message: string }[] }
// biome-ignore lint/suspicious/noExplicitAny: tests read only the fields they ask for
type Fields = any

export class VendureClient {
  readonly #url: string
  #token: string | null = null

  constructor(url: string) {
    this.#url = url
  }

  async ask(query: string, variables: object = {}): Promise<Fields> {
    const { data, errors } = await this.answer(query, variables)
    if (errors !== undefined) throw new Error(errors.map(({ message }) => message).join('; '))
    return data
  }

  async answer(query: string, variables: object = {}): Promise<Answer> {
    const response = await fetch(this.#url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        ...(this.#token !== null && { authorization: `Bearer ${this.#token}` }),
      },
      body: JSON.stringify({ query, variables }),
    })
    this.#token = response.headers.get('vendure-auth-token') ?? this.#token
    return (await response.json()) as Answer
  }
}

export class VendureShop {
  readonly admin: VendureClient
  readonly #url: string
  #variantId = ''

  constructor(url: string) {
    this.#url = url
    this.admin = new VendureClient(`${url}/admin-api`)
  }

  /** Signs in, and puts a product on the shelf: 12.34, and 20 % tax on top. */
  async stock(password: string): Promise<void> {
    const { admin } = this
    await admin.ask(
      `mutation ($password: String!) { login(username: "superadmin", password: $password) { __typename } }`,
      { password },
    )
    const { taxCategories } = await admin.ask('{ taxCategories { items { id } } }')
    const { createProduct } = await admin.ask(
      `mutation { createProduct(input: { enabled: true,
        translations: [{ languageCode: en, name: "Coffee", slug: "coffee", description: "" }] }) { id } }`,
    )
    const { createProductVariants } = await admin.ask(
      `mutation ($input: [CreateProductVariantInput!]!) { createProductVariants(input: $input) { id } }`,
      {
        input: [
          {
            productId: createProduct.id,
            sku: 'coffee',
            price: 1234,
            stockOnHand: 1000,
            taxCategoryId: taxCategories.items[0].id,
            translations: [{ languageCode: 'en', name: 'Coffee' }],
          },
        ],
      },
    )
    this.#variantId = createProductVariants[0].id
  }

  /** A customer who has filled a cart and pays. */
  async checkOut(): Promise<Checkout> {
    const shop = new VendureClient(`${this.#url}/shop-api`)
    await shop.ask(
      `mutation ($id: ID!) { addItemToOrder(productVariantId: $id, quantity: 1) { __typename } }`,
      { id: this.#variantId },
    )
    await shop.ask(
      `mutation { setCustomerForOrder(input: { firstName: "Ada", lastName: "L", emailAddress: "ada${crypto.randomUUID()}@example.com" }) { __typename } }`,
    )
    await shop.ask(
      `mutation { setOrderShippingAddress(input: { streetLine1: "1 Street", city: "Berlin", countryCode: "DE" }) { __typename } }`,
    )
    const { eligibleShippingMethods } = await shop.ask('{ eligibleShippingMethods { id } }')
    await shop.ask(
      `mutation ($id: [ID!]!) { setOrderShippingMethod(shippingMethodId: $id) { __typename } }`,
      {
        id: [eligibleShippingMethods[0].id],
      },
    )
    await shop.ask('mutation { transitionOrderToState(state: "ArrangingPayment") { __typename } }')
    const checkout = new Checkout(this.admin, shop)
    await checkout.pay()
    return checkout
  }
}

export class Checkout {
  readonly #admin: VendureClient
  readonly #shop: VendureClient
  orderId = ''

  constructor(admin: VendureClient, shop: VendureClient) {
    this.#admin = admin
    this.#shop = shop
  }

  /** Asks for a payment; the customer is then sent to its payment page. */
  async pay(): Promise<Fields> {
    const { addPaymentToOrder } = await this.#shop.ask(
      `mutation { addPaymentToOrder(input: { method: "crypto", metadata: {} }) {
        __typename ... on Order { id code totalWithTax currencyCode payments { id state transactionId metadata } }
        ... on ErrorResult { message } ... on PaymentDeclinedError { paymentErrorMessage }
        ... on PaymentFailedError { paymentErrorMessage } } }`,
    )
    if (addPaymentToOrder.id !== undefined) this.orderId = addPaymentToOrder.id
    return addPaymentToOrder
  }

  async order(): Promise<Fields> {
    const { order } = await this.#admin.ask(
      `query ($id: ID!) { order(id: $id) { id code state totalWithTax
        payments { id state amount transactionId errorMessage metadata refunds { id state total transactionId metadata } }
        history { items { type data isPublic } } } }`,
      { id: this.orderId },
    )
    return order
  }

  /** What staff enter before they refund. */
  async refundTo(address: string): Promise<void> {
    await this.#admin.ask(
      `mutation ($id: ID!, $to: String!) { setOrderCustomFields(input: { id: $id, customFields: { sluiceRefundAddress: $to } }) { id } }`,
      { id: this.orderId, to: address },
    )
  }

  async refund(paymentId: string, amount: number): Promise<Answer> {
    return this.#admin.answer(
      `mutation ($id: ID!, $amount: Money!) { refundOrder(input: { paymentId: $id, amount: $amount, reason: "returned",
        lines: [], shipping: 0, adjustment: 0 }) { __typename ... on Refund { id state metadata transactionId }
        ... on ErrorResult { message } } }`,
      { id: paymentId, amount },
    )
  }

  /** Its newest payment. */
  async payment(): Promise<Fields> {
    const { payments } = await this.order()
    return payments.toSorted((a: Fields, b: Fields) => Number(a.id) - Number(b.id)).at(-1)
  }
}
