import { get, post, type Row } from '../client.ts'
import { anyone, type Fuzz, someKey } from '../fuzz.ts'
import { isPriced, type Merchant, type PricedInvoice, type Refund } from '../model.ts'
import { chargeOf, sum, toText, toUnits } from '../money.ts'
import { creditOf } from '../settlement.ts'
import { destinationOn, learnPayout, someFunds } from './payouts.ts'

/** How much of an invoice can still be refunded. */
export function refundableOf(invoice: PricedInvoice): bigint {
  const taken = invoice.refunds.filter(({ status }) => status !== 'failed' && status !== 'cancelled')
  return creditOf(invoice) - sum(taken.map(({ amount }) => amount))
}

function refundables(merchant: Merchant): PricedInvoice[] {
  return [...merchant.invoices.values()]
    .filter(isPriced)
    .filter(({ asset }) => !merchant.offline.has(asset.network))
}

export function someRefundable({ random }: Fuzz, merchant: Merchant): PricedInvoice | undefined {
  return random.pick(
    refundables(merchant).filter(({ payments }) => payments.some(({ credited }) => credited !== null)),
  )
}

/** Adds a created refund and its payout to the model. */
export async function learnRefund(
  fuzz: Fuzz,
  invoice: PricedInvoice,
  data: Row,
  isFresh = true,
): Promise<void> {
  const { findings } = fuzz
  const { merchant, asset } = invoice
  const refund: Refund = {
    id: data.id,
    merchant,
    invoice,
    asset,
    status: data.status,
    payout: null,
    amount: toUnits(data.amount, asset.decimals),
    fee: toUnits(data.refund_fee, asset.decimals),
  }
  findings.same(refund.fee, chargeOf(refund.amount, merchant.terms.refundFee), 'create-refund', 'fee', data)
  if (isFresh) findings.same(data.status, 'pending', 'create-refund', 'status', data)
  findings.same(data.invoice_id, invoice.id, 'create-refund', 'invoice', data)
  merchant.refunds.set(refund.id, refund)
  invoice.refunds.push(refund)
  const payout = await get(merchant.api, `/v1/payouts/${data.payout_id}`)
  const isThere = findings.check(payout.status === 200, 'create-refund', 'a refund has no payout', data)
  if (isThere) refund.payout = learnPayout(fuzz, merchant, asset, payout.data, refund)
}

/** A refund of everything, of a part, or of more than there is, which must be refused. */
export async function createRefund(fuzz: Fuzz): Promise<void> {
  const { random, findings } = fuzz
  const merchant = anyone(fuzz)
  const invoice = random.hits(0.85) ? someRefundable(fuzz, merchant) : random.pick(refundables(merchant))
  if (invoice === undefined) return
  const { asset, id } = invoice
  const funds = await someFunds(fuzz, merchant, { any: true, only: asset })
  const most = refundableOf(invoice)
  const amount = random.weighted<() => bigint>([
    [3, () => most],
    [2, () => most + 1n],
    [3, () => most / BigInt(random.int(2, 6))],
    [2, () => asset.minimum],
    [1, () => most * 3n + asset.minimum],
  ])()
  if (amount <= 0n) return
  const key = someKey(fuzz)
  const body = {
    invoice_id: id,
    currency: asset.currency,
    network: asset.network,
    amount: toText(amount, asset.decimals),
    ...destinationOn(fuzz, asset, '4'),
    ...(random.hits(0.3) ? { metadata: { why: 'fuzz' } } : {}),
  }
  const headers = key === undefined ? {} : { 'Idempotency-Key': key }
  const { status, code, data, error } = await post(merchant.api, '/v1/refunds', body, headers)
  const cost = amount + chargeOf(amount, merchant.terms.refundFee)
  const context = { id, amount, most, ...funds, error }
  const check = (ok: boolean, what: string) =>
    findings.check(ok, 'create-refund', `${what} ${status} ${code}`, context)
  if (!invoice.payments.some(({ credited }) => credited !== null)) {
    check(status === 400 && code === 'invalid_state', 'of an invoice without credit answered')
    return
  }
  if (amount > most) check(status === 422 && code === 'refund_exceeds_credited', 'above the cap answered')
  else if (status === 422) {
    const isUnknown = funds === null || funds.estimate === undefined
    const isShort = isUnknown || cost + (funds.estimate ?? 0n) > funds.available
    const isSmall = code === 'amount_too_small' && amount < asset.minimum
    check((code === 'insufficient_balance' && isShort) || isSmall, 'refused with')
  } else check(status === 201, 'answered')
  if (status !== 201) return
  await learnRefund(fuzz, invoice, data)
  if (key !== undefined) merchant.keys.refund.set(key, { body, id: data.id })
  if (funds === null || funds.isMoving) return
  const isCovered = cost + toUnits(data.network_fee, asset.decimals) <= funds.available
  findings.check(isCovered, 'overdraft', 'a refund of more than the available balance was accepted', context)
}
