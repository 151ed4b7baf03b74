import { type Answer, get, post, type Row } from '../client.ts'
import { anyone, assetOf, type Fuzz, onlineAsset, someAmount } from '../fuzz.ts'
import { checkInvoice, readInvoice } from '../invoice-checks.ts'
import {
  isPriced,
  type Merchant,
  newInvoice,
  newPayment,
  type PricedInvoice,
  type StaticAddress,
} from '../model.ts'
import { sum, toText } from '../money.ts'
import { assess, awaitedIn, depositedIn, seePayment, thresholdOf } from '../settlement.ts'
import { mine } from './chain.ts'
import { expire } from './invoices.ts'

/** An invoice to pay: preferably one that a reorganisation reopened, otherwise mostly an open one. */
export function somePayable({ random }: Fuzz, merchant: Merchant): PricedInvoice | undefined {
  const isOpen = ({ status }: PricedInvoice) => status === 'pending' || status === 'underpaid'
  const all = [...merchant.invoices.values()]
    .filter((each) => each.source !== 'static_address')
    .filter(isPriced)
  // Paying these checks that events which must occur once do not occur twice.
  const again = all.filter((each) => each.wasPaid && isOpen(each))
  if (again.length > 0 && random.hits(0.3)) return random.pick(again)
  const open = all.filter(isOpen).slice(-25)
  if (random.hits(0.6) && open.length > 0) return random.pick(open)
  return random.pick(random.hits(0.7) ? all.slice(-15) : all)
}

export function depositTo(fuzz: Fuzz, to: PricedInvoice | StaticAddress, units: bigint): Promise<Answer> {
  const { address, tag, asset, merchant } = to
  fuzz.measures.count('deposits')
  return post(merchant.api, '/v1/test/deposits', {
    address,
    ...(tag ? { address_tag: tag } : {}),
    amount: toText(units, asset.decimals),
    currency: asset.currency,
    network: asset.network,
  })
}

/** Pays an invoice: exactly, a unit short, a unit over, in parts, several times over, or with almost nothing. */
export async function deposit(fuzz: Fuzz): Promise<void> {
  const { random } = fuzz
  const invoice = somePayable(fuzz, anyone(fuzz))
  if (invoice === undefined) return
  const { amount, asset, toleranceBps } = invoice
  const deposited = depositedIn(invoice)
  const due = amount - deposited - sum(awaitedIn(invoice).map(({ units }) => units))
  const threshold = thresholdOf(invoice)
  const units = random.weighted<() => bigint>([
    [5, () => amount],
    [4, () => (due > 0n ? due : amount)],
    [2, () => (due > 1n ? due - 1n : 1n)],
    [2, () => (due > 0n ? due : 0n) + 1n],
    [2, () => amount / BigInt(random.int(2, 5))],
    [2, () => amount * BigInt(random.int(2, 4))],
    [toleranceBps > 0 ? 5 : 1, () => threshold - deposited],
    [toleranceBps > 0 ? 5 : 1, () => threshold - deposited - 1n],
    [1, () => asset.minimum / BigInt(random.int(2, 5000))],
  ])()
  await pay(fuzz, invoice, units > 0n ? units : amount)
}

export async function pay(fuzz: Fuzz, invoice: PricedInvoice, units: bigint): Promise<void> {
  const { findings, measures } = fuzz
  measures.deposited.set(invoice.id, performance.now())
  const { status, data, error } = await depositTo(fuzz, invoice, units)
  if (!findings.check(status === 201, 'deposit', `answered ${status}`, { error, units })) return
  if (units < invoice.asset.minimum && (await isDust(fuzz, invoice, data.tx_hash, units))) {
    measures.deposited.delete(invoice.id)
    await readInvoice(fuzz, invoice, 'after dust')
    return
  }
  seePayment(fuzz, newPayment(invoice, data.tx_hash, units))
  if (invoice.status !== 'pending' && invoice.status !== 'underpaid') measures.deposited.delete(invoice.id)
  assess(fuzz, invoice)
  await readInvoice(fuzz, invoice, 'after a deposit')
}

/**
 * Dust is shown nowhere. Its limit is not public, but it is a single number: no dust is larger than an amount that was not
 * dust.
 */
async function isDust(fuzz: Fuzz, invoice: PricedInvoice, hash: string, units: bigint): Promise<boolean> {
  const { dust, findings } = fuzz
  const { asset, merchant, id } = invoice
  const { data } = await get(merchant.api, `/v1/invoices/${id}`)
  const isGone = Boolean(data) && !data.payments.some((row: Row) => row.tx_hash === hash)
  const known = dust.get(asset) ?? { dust: 0n, real: null }
  if (isGone) known.dust = units > known.dust ? units : known.dust
  else if (known.real === null || units < known.real) known.real = units
  dust.set(asset, known)
  findings.check(
    known.real === null || known.dust < known.real,
    'dust',
    `${asset.currency} on ${asset.network}: ${known.dust} was dust and ${known.real} was not`,
  )
  return isGone
}

/** Several payments at once. */
export async function depositMany(fuzz: Fuzz): Promise<void> {
  const { random, findings } = fuzz
  const invoice = somePayable(fuzz, anyone(fuzz))
  if (invoice === undefined) return
  const count = random.int(2, 8)
  const part = invoice.amount / BigInt(count) + (random.hits(0.5) ? 1n : 0n)
  if (part < invoice.asset.minimum) return
  const answers = await Promise.all(Array.from({ length: count }, () => depositTo(fuzz, invoice, part)))
  for (const { status, data, error } of answers)
    if (findings.check(status === 201, 'deposit', `answered ${status}`, error))
      seePayment(fuzz, newPayment(invoice, data.tx_hash, part))
  assess(fuzz, invoice)
  await readInvoice(fuzz, invoice, 'after many deposits')
}

/** Two payments at different heights: the first is deep while the second may or may not still settle the invoice. */
export async function depositStaggered(fuzz: Fuzz): Promise<void> {
  const { random } = fuzz
  const merchant = anyone(fuzz)
  const invoice = random.pick(
    [...merchant.invoices.values()]
      .filter(isPriced)
      .filter((each) => each.source !== 'static_address' && each.status === 'pending')
      .filter((each) => each.payments.length === 0 && !each.isWindowOver && each.required > 1)
      .filter((each) => each.amount / 2n > each.asset.minimum),
  )
  if (invoice === undefined) return
  const half = invoice.amount / 2n
  const { network } = invoice.asset
  await pay(fuzz, invoice, half)
  await mine(fuzz, network, 1)
  await pay(fuzz, invoice, invoice.amount - half + random.pick([0n, 0n, -1n, 1n]))
  if (random.hits(0.3)) await expire(fuzz, merchant, invoice)
  await mine(fuzz, network, invoice.required - 1)
  if (random.hits(0.5)) await mine(fuzz, network, 1)
}

const otherFamilies = ['bitcoin', 'litecoin', 'solana', 'xrp']

/** Pays with another asset or on another network to the same address: suspense, and no status changes. */
export async function depositStrange(fuzz: Fuzz): Promise<void> {
  const { random, assets, measures } = fuzz
  const merchant = anyone(fuzz)
  const invoice = somePayable(fuzz, merchant)
  if (invoice === undefined || !invoice.address.startsWith('0x')) return
  const other = random.pick(
    assets.filter((asset) => asset !== invoice.asset && !otherFamilies.includes(asset.network)),
  )
  if (other === undefined) return
  await post(merchant.api, '/v1/test/deposits', {
    address: invoice.address,
    amount: toText(someAmount(fuzz, other, 2, 20), other.decimals),
    currency: other.currency,
    network: other.network,
  })
  measures.count('deposits')
  await readInvoice(fuzz, invoice, 'after a strange deposit')
}

const maxAddresses = 13
const maxAddressPages = 5

export async function createAddress(fuzz: Fuzz): Promise<void> {
  const merchant = anyone(fuzz)
  if (merchant.addresses.size >= maxAddresses) return
  const asset = onlineAsset(fuzz, merchant)
  if (asset === undefined) return
  const { currency, network } = asset
  const label = `till ${fuzz.findings.step}`
  const { status, data, error } = await post(merchant.api, '/v1/addresses', { currency, network, label })
  if (!fuzz.findings.check(status === 201, 'create-address', `answered ${status}`, error)) return
  const { id, address, address_tag: tag } = data
  merchant.addresses.set(id, { id, merchant, asset, address, tag, invoices: new Set() })
}

/** Several concurrent deposits to a static address: each creates an invoice. */
export async function depositStatic(fuzz: Fuzz): Promise<void> {
  const { random, findings } = fuzz
  const merchant = anyone(fuzz)
  const count = random.weighted([
    [4, 1],
    [1, random.int(2, 6)],
  ])
  const address = random.pick([...merchant.addresses.values()])
  if (address === undefined) return
  const units = Array.from({ length: count }, () => someAmount(fuzz, address.asset, 1, 50))
  const answers = await Promise.all(units.map((each) => depositTo(fuzz, address, each)))
  const made = new Map<string, bigint>()
  for (const [at, { status, data, error }] of answers.entries())
    if (findings.check(status === 201, 'deposit', `to a static address answered ${status}`, error))
      made.set(data.tx_hash, units[at] ?? 0n)
  await adoptStatic(fuzz, address, made)
}

/** Finds the invoices that deposits to a static address created, by their transaction hashes. */
export async function adoptStatic(
  fuzz: Fuzz,
  address: StaticAddress,
  made: Map<string, bigint>,
  isBlurred = false,
): Promise<void> {
  const { merchant, id } = address
  const limit = Math.min(100, made.size + 5)
  for (let page = 0; page < maxAddressPages && made.size > 0; page++) {
    const path = `/v1/addresses/${id}/invoices?limit=${limit}&offset=${page * limit}`
    const answer = await get(merchant.api, path)
    if (answer.status !== 200)
      return fuzz.findings.report('address-invoices', `answered ${answer.status}`, id)
    for (const row of answer.data) {
      if (merchant.invoices.has(row.id)) continue
      const { data } = await get(merchant.api, `/v1/invoices/${row.id}`)
      const units = made.get(data?.payments?.[0]?.tx_hash)
      if (units === undefined) continue
      made.delete(data.payments[0].tx_hash)
      adopt(fuzz, address, data, units, isBlurred)
    }
    if (!answer.page.has_more) break
  }
  for (const [hash, units] of made)
    fuzz.findings.report('static-lost', 'a deposit to a static address created no invoice', {
      hash,
      units,
      id,
    })
}

function adopt(fuzz: Fuzz, address: StaticAddress, data: Row, units: bigint, isBlurred: boolean): void {
  const { findings } = fuzz
  const asset = assetOf(fuzz, data.currency, data.network)
  const invoice = newInvoice(address.merchant, data, asset, 'static_address') as PricedInvoice
  findings.check(
    data.source === 'static_address' &&
      data.static_address_id === address.id &&
      data.checkout_url === null &&
      data.expires_at === null,
    'static-invoice',
    'fields of a static address’s invoice',
    data,
  )
  findings.same(data.amount, toText(units, asset.decimals), 'static-invoice', 'amount', data)
  findings.same(data.payments.length, 1, 'static-invoice', 'payments', data)
  address.invoices.add(invoice)
  const [row] = data.payments
  const payment = newPayment(invoice, row.tx_hash, units)
  payment.height = row.block_height
  seePayment(fuzz, payment)
  invoice.isBlurred = isBlurred
  assess(fuzz, invoice)
  checkInvoice(fuzz, invoice, data, 'a static address’s invoice')
}
