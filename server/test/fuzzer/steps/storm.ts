import { setTimeout as sleep } from 'node:timers/promises'
import { type Answer, post } from '../client.ts'
import { anyone, type Fuzz, onlineAsset, someAmount } from '../fuzz.ts'
import type { Asset, Invoice, Merchant, Payment, Payout, PricedInvoice, StaticAddress } from '../model.ts'
import { openStates } from '../model.ts'
import { toText } from '../money.ts'
import type { Decision } from '../payout-checks.ts'
import { dropOf } from './chain.ts'
import { depositTo, somePayable } from './deposits.ts'
import { decideCall, destinationOn, someFunds } from './payouts.ts'
import { reconcile } from './reconcile.ts'
import { refundableOf, someRefundable } from './refunds.ts'

/** A request that is sent together with others, and its subject. */
export type Flight = { readonly merchant: Merchant; go(): Promise<Answer>; answer?: Answer } & (
  | { readonly kind: 'invoice'; readonly key: string; readonly body: object }
  | { readonly kind: 'payout'; readonly key: string; readonly body: object; readonly asset: Asset }
  | { readonly kind: 'refund'; readonly key: string; readonly body: object; readonly invoice: PricedInvoice }
  | { readonly kind: 'deposit'; readonly invoice: PricedInvoice; readonly units: bigint }
  | { readonly kind: 'cancel' | 'expire'; readonly invoice: Invoice }
  | { readonly kind: 'static'; readonly address: StaticAddress; readonly units: bigint }
  | { readonly kind: 'decide'; readonly payout: Payout; readonly decision: Decision }
  | { readonly kind: 'mine'; readonly network: string; readonly count: number }
  | { readonly kind: 'reorg'; readonly network: string; readonly dropped: readonly Payment[] }
)
export type Flown = Flight & { answer: Answer }

/** Sends requests of every kind at once, and checks the outcome. */
export async function storm(fuzz: Fuzz): Promise<void> {
  const flights = await brew(fuzz, true)
  await reconcile(fuzz, await Promise.all(launch(fuzz, flights, 60)), 'after a storm')
}

/** Sends all of them within a few milliseconds. */
export function launch({ random }: Fuzz, flights: readonly Flight[], withinMs: number): Promise<Flown>[] {
  return flights.map(async (flight) => {
    await sleep(random.int(0, withinMs))
    return { ...flight, answer: await flight.go() }
  })
}

/** Concurrent requests of every kind for both merchants. If wild, they concentrate on one network and collide more often. */
export async function brew(fuzz: Fuzz, isWild: boolean): Promise<Flight[]> {
  const { random, chains, assets, merchants } = fuzz
  const flights: Flight[] = []
  const busy = random.pick([...chains].filter(([, { payments }]) => payments.size > 0))
  const focus = busy?.[0] ?? (random.pick(assets) as Asset).network
  for (const merchant of merchants) {
    flights.push(...invoicesOf(fuzz, merchant, isWild, focus))
    flights.push(...(await payoutsOf(fuzz, merchant, isWild)))
    flights.push(...refundsOf(fuzz, merchant, isWild))
    flights.push(...depositsOf(fuzz, merchant, isWild, focus))
    flights.push(...decisionsOf(fuzz, merchant, isWild, flights))
    flights.push(...cancelOf(fuzz, merchant, flights))
  }
  const [miner] = merchants as [Merchant]
  const blocks = (network: string, count: number) =>
    flights.push({
      kind: 'mine',
      merchant: miner,
      network,
      count,
      go: () => post(miner.api, '/v1/test/blocks', { network, count }),
    })
  if (chains.of(focus).tip !== null) {
    blocks(focus, random.int(1, 10))
    if (isWild) {
      blocks(focus, random.int(1, 4))
      if (random.hits(0.5)) blocks(random.pick([...chains.keys()]) ?? focus, random.int(1, 20))
    }
  }
  if (isWild && random.hits(0.7)) flights.push(...turnOf(fuzz, focus, true))
  if (!isWild && random.hits(0.3)) {
    const elsewhere = random.pick([...chains.keys()].filter((network) => network !== focus))
    flights.push(...turnOf(fuzz, elsewhere, false))
  }
  return flights
    .map((flight) => [random.next(), flight] as const)
    .sort(([a], [b]) => a - b)
    .map(([, flight]) => flight)
}

const tagOf = ({ random, findings }: Fuzz, { name }: Merchant) => `${random.seed}-${findings.step}-${name}`

function invoicesOf(fuzz: Fuzz, merchant: Merchant, isWild: boolean, focus: string): Flight[] {
  const flights: Flight[] = []
  for (let count = 0; count < 5; count++) {
    const asset =
      onlineAsset(fuzz, merchant, ({ network }) => !isWild || network === focus) ??
      onlineAsset(fuzz, merchant)
    if (asset === undefined) continue
    const { currency, network, decimals } = asset
    const key = `storm-${tagOf(fuzz, merchant)}-${count}`
    const amount = toText(someAmount(fuzz, asset, 1, 60), decimals)
    const body = { currency, network, amount, idempotency_key: key }
    for (let times = 0; times < (isWild ? 2 : 1); times++)
      flights.push({
        kind: 'invoice',
        merchant,
        key,
        body,
        go: () => post(merchant.api, '/v1/invoices', body),
      })
  }
  return flights
}

async function payoutsOf(fuzz: Fuzz, merchant: Merchant, isWild: boolean): Promise<Flight[]> {
  const funds = await someFunds(fuzz, merchant)
  if (funds === null) return []
  const { asset, available } = funds
  const flights: Flight[] = []
  for (let count = 0; count < 3; count++) {
    const key = `stormp-${tagOf(fuzz, merchant)}-${count}`
    const third = available / 3n
    const body = {
      currency: asset.currency,
      network: asset.network,
      amount: toText(isWild && third > asset.minimum ? third : asset.minimum, asset.decimals),
      ...destinationOn(fuzz, asset, '5'),
      idempotency_key: key,
    }
    for (let times = 0; times < (isWild ? 2 : 1); times++)
      flights.push({
        kind: 'payout',
        merchant,
        key,
        body,
        asset,
        go: () => post(merchant.api, '/v1/payouts', body),
      })
  }
  return flights
}

function refundsOf(fuzz: Fuzz, merchant: Merchant, isWild: boolean): Flight[] {
  const flights: Flight[] = []
  for (let count = 0; count < (isWild ? 3 : 1); count++) {
    const invoice = someRefundable(fuzz, merchant)
    if (invoice === undefined) continue
    const most = refundableOf(invoice)
    if (most <= 0n) continue
    const { asset, id } = invoice
    const key = `stormr-${tagOf(fuzz, merchant)}-${count}`
    const amount = isWild || most < asset.minimum ? most : asset.minimum
    const body = {
      invoice_id: id,
      currency: asset.currency,
      network: asset.network,
      amount: toText(amount, asset.decimals),
      ...destinationOn(fuzz, asset, '5'),
    }
    flights.push({
      kind: 'refund',
      merchant,
      key,
      body,
      invoice,
      go: () => post(merchant.api, '/v1/refunds', body, { 'Idempotency-Key': key }),
    })
  }
  return flights
}

function depositsOf(fuzz: Fuzz, merchant: Merchant, isWild: boolean, focus: string): Flight[] {
  const { random } = fuzz
  const flights: Flight[] = []
  for (let count = 0; count < (isWild ? 8 : 3); count++) {
    const invoice = somePayable(fuzz, merchant)
    if (invoice === undefined) continue
    const isNear = !isWild || invoice.asset.network === focus || random.hits(0.2)
    if (!isNear) continue
    const units = random.hits(0.6) ? invoice.amount : invoice.amount / 2n + 1n
    if (units < invoice.asset.minimum) continue
    const go = () => depositTo(fuzz, invoice, units)
    flights.push({ kind: 'deposit', merchant, invoice, units, go })
    if (isWild && random.hits(0.3)) flights.push(expiryOf(merchant, invoice))
    if (isWild && random.hits(0.2)) flights.push(cancellationOf(merchant, invoice))
  }
  const address = random.pick([...merchant.addresses.values()])
  if (!isWild || address === undefined) return flights
  for (let count = 0; count < random.int(0, 3); count++) {
    const units = someAmount(fuzz, address.asset, 1, 30)
    const go = () => depositTo(fuzz, address, units)
    flights.push({ kind: 'static', merchant, address, units, go })
  }
  return flights
}

function expiryOf(merchant: Merchant, invoice: Invoice): Flight {
  const go = () => post(merchant.api, `/v1/test/invoices/${invoice.id}/expire`)
  return { kind: 'expire', merchant, invoice, go }
}

function cancellationOf(merchant: Merchant, invoice: Invoice): Flight {
  const go = () => post(merchant.api, `/v1/invoices/${invoice.id}/cancel`)
  return { kind: 'cancel', merchant, invoice, go }
}

function decisionsOf(
  { random }: Fuzz,
  merchant: Merchant,
  isWild: boolean,
  others: readonly Flight[],
): Flight[] {
  const flights: Flight[] = []
  for (let count = 0; count < (isWild ? 3 : 1); count++) {
    const taken = [...others, ...flights].flatMap((each) => (each.kind === 'decide' ? [each.payout] : []))
    const payout = random.pick(
      [...merchant.payouts.values()].filter((each) => openStates.has(each.status) && !taken.includes(each)),
    )
    if (payout === undefined) continue
    const decisions: Decision[] = isWild
      ? random.pick<Decision[]>([
          ['approve', 'cancel'],
          ['approve'],
          ['reject', 'cancel'],
          ['approve', 'reject', 'cancel'],
        ])
      : [random.pick<Decision>(['approve', 'cancel', 'reject'])]
    for (const decision of decisions)
      flights.push({
        kind: 'decide',
        merchant,
        payout,
        decision,
        go: () => decideCall(payout, decision),
      })
  }
  return flights
}

/** Cancels an invoice that no other request touches. */
function cancelOf({ random }: Fuzz, merchant: Merchant, others: readonly Flight[]): Flight[] {
  const taken = new Set(
    others.map((each) => ('invoice' in each && each.kind !== 'refund' ? each.invoice : null)),
  )
  const invoice = random.pick(
    [...merchant.invoices.values()].filter(
      (each) => each.status === 'pending' && each.payments.length === 0 && !taken.has(each),
    ),
  )
  return invoice === undefined ? [] : [cancellationOf(merchant, invoice)]
}

/** Replaces the last blocks of a network and drops half of the payments in them. */
function turnOf(fuzz: Fuzz, network: string | undefined, isWild: boolean): Flight[] {
  const { random, chains } = fuzz
  if (network === undefined) return []
  const { payments } = chains.of(network)
  const tip = chains.tipOf(network)
  if (tip <= 3) return []
  const depth = random.int(1, Math.min(isWild ? 20 : 3, tip))
  const merchant = anyone(fuzz)
  const dropped = [...payments]
    .filter(({ invoice, isDropped }) => invoice.merchant === merchant && !isDropped)
    .filter(({ height }) => height !== null && height > tip - depth)
    .filter(() => random.hits(0.5))
  const body = { network, depth, ...dropOf(dropped) }
  const go = () => post(merchant.api, '/v1/test/reorgs', body)
  return [{ kind: 'reorg', merchant, network, dropped, go }]
}
