import { type Answer, post, type Row } from '../client.ts'
import { anyone, assetOf, type Fuzz, onlineAsset, someAmount, someKey } from '../fuzz.ts'
import { checkInvoice, readInvoice } from '../invoice-checks.ts'
import { type Invoice, isPriced, isSettled, type Merchant, newInvoice } from '../model.ts'
import { ceilDiv, fiatDigits, toText, toUnits } from '../money.ts'
import { assess } from '../settlement.ts'

export async function createInvoice(fuzz: Fuzz, merchant = anyone(fuzz)): Promise<void> {
  const { random, findings } = fuzz
  const asset = onlineAsset(fuzz, merchant)
  if (asset === undefined) return
  const key = someKey(fuzz)
  const body = {
    currency: random.hits(0.1) ? asset.currency.toLowerCase() : asset.currency,
    network: asset.network,
    amount: toText(someAmount(fuzz, asset, 1, 400), asset.decimals),
    ...(key === undefined ? {} : { idempotency_key: key }),
    ...(random.hits(0.3) ? { metadata: { step: findings.step }, description: 'fuzz' } : {}),
  }
  const answer = await post(merchant.api, '/v1/invoices', body)
  findings.check(answer.status === 201, 'create-invoice', `answered ${answer.status}`, answer.error)
  learnInvoice(fuzz, merchant, answer, body, key)
}

/** Adds a created invoice to the model. */
export function learnInvoice(
  fuzz: Fuzz,
  merchant: Merchant,
  { status, data }: Answer,
  body: Row,
  key?: string,
): void {
  if (status !== 201 || merchant.invoices.has(data.id)) return
  const { findings } = fuzz
  const asset = data.currency ? assetOf(fuzz, data.currency, data.network) : null
  newInvoice(merchant, data, asset)
  findings.same(data.status, 'pending', 'create-invoice', 'status', data)
  findings.same(data.merchant_id, merchant.id, 'create-invoice', 'merchant', data)
  if (body.amount && asset !== null) {
    const want = toText(toUnits(body.amount, asset.decimals), asset.decimals)
    findings.same(data.amount, want, 'create-invoice', 'amount', data)
  }
  if (body.amount_fiat && asset !== null) checkPrice(fuzz, data)
  if (key !== undefined) merchant.keys.invoice.set(key, { body, id: data.id })
}

/** The fiat amount at this rate, rounded up to what a payer can be expected to type: 8 decimals, and 6 for a dollar token. */
function checkPrice(fuzz: Fuzz, data: Row): void {
  const { findings, rates } = fuzz
  const { exchange_rate: rate, amount_fiat: fiat, fiat_currency: code, currency } = data
  const { decimals } = assetOf(fuzz, currency, data.network)
  const digits = (text: string) => (text.split('.')[1] ?? '').length
  const [rateDigits, fiatDigitsShown] = [digits(rate), digits(fiat)]
  const places = Math.min(['USDC', 'USDT'].includes(currency) ? 6 : 8, decimals)
  const units = ceilDiv(
    toUnits(fiat, fiatDigitsShown) * 10n ** BigInt(places) * 10n ** BigInt(rateDigits),
    toUnits(rate, rateDigits) * 10n ** BigInt(fiatDigitsShown),
  )
  findings.same(data.amount, toText(units, places), 'pricing', `${fiat} ${code} at ${rate}`, data)
  findings.same(rate, rates.get(`${currency}/${code}`), 'pricing', 'rate against /v1/rates', data)
  findings.same(fiatDigitsShown, fiatDigits(code), 'pricing', `minor digits of ${code}`, data)
}

export async function createFiat(fuzz: Fuzz): Promise<void> {
  const { random, findings, rates } = fuzz
  const merchant = anyone(fuzz)
  const asset = onlineAsset(fuzz, merchant)
  if (asset === undefined) return
  const fiat = random.pick(['USD', 'EUR', 'JPY', 'GBP', 'BHD', 'CHF', 'INR'])
  if (!rates.has(`${asset.currency}/${fiat}`)) return
  const amount = toText(BigInt(random.int(1, 5_000_000)), fiatDigits(fiat))
  const { currency, network } = asset
  const body = { currency, network, amount_fiat: amount, fiat_currency: fiat }
  const answer = await post(merchant.api, '/v1/invoices', body)
  const { status, code, error } = answer
  if (status === 422) {
    findings.check(code === 'amount_too_small', 'create-fiat', `422 ${code}`, { body, error })
    return
  }
  findings.check(status === 201, 'create-fiat', `answered ${status}`, { body, error })
  learnInvoice(fuzz, merchant, answer, body)
}

export async function createDeferred(fuzz: Fuzz): Promise<void> {
  const { random, findings } = fuzz
  const merchant = anyone(fuzz)
  const fiat = random.pick(['USD', 'EUR', 'JPY'])
  const body = {
    amount_fiat: toText(BigInt(random.int(100, 500_000)), fiatDigits(fiat)),
    fiat_currency: fiat,
    ...(random.hits(0.5) ? { deferred: true } : {}),
  }
  const answer = await post(merchant.api, '/v1/invoices', body)
  const { status, error } = answer
  if (findings.check(status === 201, 'create-deferred', `answered ${status}`, error))
    learnInvoice(fuzz, merchant, answer, body)
}

/** Picks the asset of a deferred invoice, as its payer would; a second pick is refused. */
export async function activate(fuzz: Fuzz): Promise<void> {
  const { random, findings } = fuzz
  const merchant = anyone(fuzz)
  const invoice = random.pick([...merchant.invoices.values()].filter((each) => each.amount === null))
  if (invoice === undefined) return
  const asset = onlineAsset(fuzz, merchant)
  if (asset === undefined) return
  const pickIt = () => {
    const { currency, network } = asset
    return post(merchant.api, `/v1/test/invoices/${invoice.id}/activate`, { currency, network })
  }
  const { status, code, data, error } = await pickIt()
  const what = `activating a ${invoice.status} invoice`
  if (invoice.status !== 'pending') return void findings.same(status, 409, 'activate', what)
  if (status === 422) return void findings.same(code, 'amount_too_small', 'activate', '422')
  if (!findings.check(status === 200, 'activate', `answered ${status}`, error)) return
  invoice.asset = asset
  invoice.amount = toUnits(data.amount, asset.decimals)
  invoice.required = data.required_confirmations
  invoice.address = data.deposit_address
  invoice.tag = data.deposit_address_tag
  invoice.events['invoice.confirming'] = 1
  checkPrice(fuzz, data)
  findings.same((await pickIt()).status, 409, 'activate', 'a second pick')
}

/** Ends the window of an invoice. */
export async function expire(fuzz: Fuzz, merchant = anyone(fuzz), given?: Invoice): Promise<void> {
  const { random, findings } = fuzz
  const invoice =
    given ??
    random.pick(
      [...merchant.invoices.values()].filter(
        (each) => each.source !== 'static_address' && (!each.isWindowOver || random.hits(0.05)),
      ),
    )
  if (invoice === undefined) return
  const { status, data, error } = await post(merchant.api, `/v1/test/invoices/${invoice.id}/expire`)
  if (invoice.isWindowOver || invoice.status === 'cancelled' || invoice.status === 'expired') {
    findings.same(status, 409, 'expire', `expiring a ${invoice.status} invoice whose window is over`)
    return
  }
  if (isSettled(invoice.status)) {
    if (status === 200) {
      invoice.isWindowOver = true
      await readInvoice(fuzz, invoice, 'after the window of a paid invoice')
    } else findings.same(status, 409, 'expire', `expiring a ${invoice.status} invoice`)
    return
  }
  const what = `answered ${status} for a ${invoice.status} invoice`
  if (!findings.check(status === 200, 'expire', what, error)) return
  invoice.isWindowOver = true
  if (isPriced(invoice)) assess(fuzz, invoice)
  else {
    invoice.status = 'expired'
    invoice.events['invoice.expired'] = 1
  }
  checkInvoice(fuzz, invoice, data, 'answer of expire')
  await readInvoice(fuzz, invoice, 'after expire')
}

/** Cancels an invoice: that is possible only if nothing was ever paid to it. */
export async function cancelInvoice(fuzz: Fuzz): Promise<void> {
  const { random, findings } = fuzz
  const merchant = anyone(fuzz)
  const invoice = random.pick(
    [...merchant.invoices.values()].filter(
      (each) => each.source !== 'static_address' && (each.payments.length === 0 || random.hits(0.1)),
    ),
  )
  if (invoice === undefined) return
  const { id, payments, isWindowOver } = invoice
  const { status, code, data, error } = await post(merchant.api, `/v1/invoices/${id}/cancel`)
  if (invoice.status !== 'pending' || payments.length > 0) {
    const what = `cancelling a ${invoice.status} invoice with ${payments.length} payments`
    findings.same(status, 409, 'cancel', what)
    findings.same(code, 'conflict', 'cancel', 'code')
    return
  }
  const what = `cancelling an untouched invoice answered ${status}`
  if (!findings.check(status === 200, 'cancel', what, { error, id, isWindowOver })) return
  invoice.status = 'cancelled'
  invoice.events['invoice.cancelled'] = 1
  checkInvoice(fuzz, invoice, data, 'answer of cancel')
}
