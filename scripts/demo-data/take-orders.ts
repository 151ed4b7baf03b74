import type { Sluice } from '../../sdk/src/client.ts'
import type { Invoice, StaticAddress } from '../../sdk/src/contract.generated.ts'
import { type Coin, type Order, perMilleOf } from './catalogue.ts'
import type { Randomness } from './randomness.ts'

/** An order with its invoice. */
export type Placed = { readonly order: Order; readonly invoice: Invoice }

/** Enough for every simulated network. */
const manyBlocks = 40

/** The shop's till: it makes invoices and plays their payers. */
export type Till = {
  /** Makes the invoices of orders; those that are cancelled are, and those never chosen stay without a coin. */
  place(orders: readonly Order[]): Promise<Placed[]>
  /** Pays what is to be paid while the window is open. */
  pay(placed: readonly Placed[]): Promise<void>
  /** Pays the invoices whose window has ended meanwhile. */
  payLate(): Promise<void>
  /** Pays one of the static addresses now and then. */
  tip(): Promise<void>
  /** Pays an invoice in a coin that it was not made for: the payment waits in suspense. */
  payWrongly(): Promise<void>
  /** Mines what was paid, on each network. */
  confirm(): Promise<void>
  /** Invoices that were paid in full, and can be refunded. */
  readonly refundable: Placed[]
}

const addresses = [
  [{ currency: 'BTC', network: 'bitcoin' }, 'Donations', ['0.0004', '0.001', '0.0025']],
  [{ currency: 'USDT', network: 'ethereum' }, 'Café Mirabell, monthly account', ['180', '240', '395.5']],
  [{ currency: 'LTC', network: 'litecoin' }, 'Tips at the bar', ['0.05', '0.1', '0.3']],
] as const

export async function openTill(sluice: Sluice, random: Randomness, offered: readonly Coin[]): Promise<Till> {
  const unconfirmed = new Map<string, number>()
  const late: Placed[] = []
  const refundable: Placed[] = []
  const isOffered = (coin: Pick<Coin, 'currency' | 'network'>) =>
    offered.some(({ currency, network }) => currency === coin.currency && network === coin.network)
  const jars: (readonly [StaticAddress, readonly string[]])[] = []
  for (const [coin, label, amounts] of addresses)
    if (isOffered(coin)) jars.push([await sluice.addresses.create({ ...coin, label }), amounts])

  async function send(
    to: { readonly address: string; readonly tag: string | null },
    { currency, network }: Pick<Coin, 'currency' | 'network'>,
    amount: string,
    confirmations = manyBlocks,
  ): Promise<void> {
    const { address, tag } = to
    await sluice.test.deposit({
      address,
      amount,
      currency,
      network,
      ...(tag !== null && { address_tag: tag }),
    })
    unconfirmed.set(network, Math.max(unconfirmed.get(network) ?? 0, confirmations))
  }

  async function settle({ order, invoice }: Placed): Promise<void> {
    const {
      deposit_address: address,
      deposit_address_tag: tag,
      amount,
      required_confirmations: deep,
    } = invoice
    if (address === null || amount === null) return
    const sent = order.sentPerMille === 1_000 ? amount : perMilleOf(amount, order.sentPerMille)
    await send({ address, tag }, order.coin, sent, deep ?? manyBlocks)
  }

  async function placeOne(order: Order): Promise<Placed> {
    const { coin, price, outcome, isDeferred, description, external_id, metadata } = order
    const { currency, network } = coin
    const asked = isDeferred ? { deferred: true } : { currency, network }
    const made = await sluice.invoices.create({
      ...price,
      ...asked,
      description,
      external_id,
      metadata: { ...metadata },
    })
    // Who leaves the page has often not picked a coin either.
    const isChosen = !isDeferred || (outcome !== 'expired' && outcome !== 'cancelled')
    const invoice =
      isDeferred && isChosen ? await sluice.test.activateInvoice(made.id, { currency, network }) : made
    if (outcome === 'cancelled') await sluice.invoices.cancel(invoice.id)
    return { order, invoice }
  }

  return {
    refundable,
    async place(orders) {
      const placed: Placed[] = []
      for (const order of orders) placed.push(await placeOne(order))
      late.push(...placed.filter(({ order }) => order.outcome === 'late'))
      return placed
    },
    async pay(placed) {
      for (const each of placed)
        if (['paid', 'overpaid', 'underpaid'].includes(each.order.outcome)) await settle(each)
      refundable.push(...placed.filter(({ order }) => order.outcome === 'paid'))
    },
    async payLate() {
      for (const each of late.splice(0)) await settle(each)
    },
    async tip() {
      if (jars.length === 0) return
      const [{ address, address_tag: tag, currency, network }, amounts] = random.pick(jars)
      await send({ address, tag }, { currency, network }, random.pick(amounts))
    },
    async payWrongly() {
      if (!isOffered({ currency: 'USDT', network: 'ethereum' })) return
      const request = { currency: 'ETH', network: 'ethereum', amount: '0.05', description: 'Hand grinder' }
      const { deposit_address: address } = await sluice.invoices.create(request)
      if (address !== null)
        await send({ address, tag: null }, { currency: 'USDT', network: 'ethereum' }, '125')
    },
    async confirm() {
      for (const [network, count] of unconfirmed) await sluice.test.mine({ network, count })
      unconfirmed.clear()
    },
  }
}
