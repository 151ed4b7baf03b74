import { unbacked } from '../backing-checks.ts'
import { type Answer, get, post, type Row } from '../client.ts'
import { anyone, type Fuzz } from '../fuzz.ts'
import { readInvoice } from '../invoice-checks.ts'
import { isPriced, newPayment } from '../model.ts'
import { chargeOf, toText } from '../money.ts'
import { type Decision, readPayout } from '../payout-checks.ts'
import { assess, seePayment } from '../settlement.ts'
import { catchUp, passBlocks } from './chain.ts'
import { depositTo } from './deposits.ts'
import { decide, decideCall, destinationOn, isWaiting, learnPayout, someFunds } from './payouts.ts'
import { learnRefund, refundableOf, someRefundable } from './refunds.ts'

const racers = 12

function together(count: number, ask: () => Promise<Answer>): Promise<Answer[]> {
  return Promise.all(Array.from({ length: count }, ask))
}

function least(first: bigint, ...others: bigint[]): bigint {
  let found = first
  for (const each of others) if (each < found) found = each
  return found
}

/** Several concurrent decisions on one payout: at most one approval and one ending take effect. */
export async function raceDecisions(fuzz: Fuzz): Promise<void> {
  const { random, findings } = fuzz
  const merchant = anyone(fuzz)
  const payout = random.pick([...merchant.payouts.values()].filter(isWaiting))
  if (payout === undefined) return
  const decisions: Decision[] = random.pick<Decision[]>([
    ['approve', 'cancel'],
    ['approve', 'approve', 'approve'],
    ['approve', 'cancel', 'reject'],
    ['cancel', 'cancel', 'reject'],
    ['approve', 'fail', 'cancel'],
  ])
  const before = decisions.includes('approve') ? await unbacked(payout) : null
  const answers = await Promise.all(decisions.map((each) => decideCall(payout, each)))
  const won = (...some: Decision[]) =>
    answers.filter(({ status }, at) => some.includes(decisions[at] as Decision) && status === 200).length
  const after = before === null ? null : await unbacked(payout)
  if (decisions.includes('fail')) await catchUp(fuzz, payout.asset.network)
  const check = (ok: boolean, what: string, context: unknown) =>
    findings.check(ok, 'race-decide', what, context)
  check(won('approve') <= 1, `${won('approve')} approvals won`, decisions)
  const ended = won('cancel', 'reject', 'fail')
  check(
    ended <= 1,
    'two of cancel, reject and fail won',
    answers.map(({ status }) => status),
  )
  for (const [at, { status, error }] of answers.entries())
    check(status === 200 || status === 409, `${decisions[at]} answered ${status}`, error)
  if (won('approve') > 0 && ended === 0 && before !== null && after !== null)
    findings.report('unbacked', before, { payout: payout.id, decisions })
  await readPayout(
    fuzz,
    payout,
    `after a race of ${decisions}`,
    decisions.filter((each) => won(each) > 0),
  )
  if (won('cancel', 'reject') > 0)
    findings.same(payout.status, 'cancelled', 'race-decide', 'after a won cancel')
}

/** Many concurrent refunds of one invoice: exactly as many are accepted as fit. */
export async function raceRefunds(fuzz: Fuzz): Promise<void> {
  const { random, findings } = fuzz
  const merchant = anyone(fuzz)
  const invoice = someRefundable(fuzz, merchant)
  if (invoice === undefined) return
  const { asset, id } = invoice
  const most = refundableOf(invoice)
  const funds = await someFunds(fuzz, merchant, { any: true, only: asset })
  if (funds === null || funds.available <= 0n) return
  const parts = random.int(1, 4)
  const each = most / BigInt(parts) - BigInt(random.int(0, 1))
  if (each < asset.minimum) return
  const { estimate, available } = funds
  const body = {
    invoice_id: id,
    currency: asset.currency,
    network: asset.network,
    amount: toText(each, asset.decimals),
    ...destinationOn(fuzz, asset, '9'),
  }
  const answers = await together(racers, () => post(merchant.api, '/v1/refunds', body))
  const won = answers.filter(({ status }) => status === 201)
  for (const { data } of won) await learnRefund(fuzz, invoice, data)
  for (const { status, code, error } of answers)
    if (status !== 201) {
      const isRight =
        status === 422 && (code === 'refund_exceeds_credited' || code === 'insufficient_balance')
      findings.check(isRight, 'refund-race', `loser answered ${status} ${code}`, error)
    }
  const context = { id, won: won.length, most, each, available, estimate }
  const isWithin = refundableOf(invoice) >= 0n
  findings.check(isWithin, 'refund-over-cap', 'refunds exceed what was credited', context)
  if (estimate === undefined) return
  const cost = each + chargeOf(each, merchant.terms.refundFee) + estimate
  const fit = least(most / each, available / cost, BigInt(racers))
  const what = `${won.length} of ${racers} won, ${fit} fit`
  findings.check(BigInt(won.length) === fit, 'refund-race', what, context)
}

/** Many concurrent payouts of parts of the balance: exactly as many are accepted as fit, to the unit. */
export async function racePayouts(fuzz: Fuzz): Promise<void> {
  const { random, findings } = fuzz
  const merchant = anyone(fuzz)
  const funds = await someFunds(fuzz, merchant)
  if (funds === null || funds.estimate === undefined) return
  const { asset, available, estimate } = funds
  const parts = BigInt(random.int(1, 6))
  const cost = (amount: bigint) => amount + chargeOf(amount, merchant.terms.payoutFee) + estimate
  let each = available / parts
  while (each > 0n && cost(each) * parts > available) each -= (cost(each) * parts - available) / parts + 1n
  if (each < asset.minimum) return
  if (random.hits(0.5)) each += 1n
  const fit = least(available / cost(each), BigInt(racers))
  const body = {
    currency: asset.currency,
    network: asset.network,
    amount: toText(each, asset.decimals),
    ...destinationOn(fuzz, asset, '9'),
  }
  const answers = await together(racers, () => post(merchant.api, '/v1/payouts', body))
  const won = answers
    .filter(({ status }) => status === 201)
    .map(({ data }) => learnPayout(fuzz, merchant, asset, data))
  for (const { status, code, error } of answers)
    if (status !== 201) {
      const isRight = status === 422 && code === 'insufficient_balance'
      findings.check(isRight, 'payout-race', `loser answered ${status} ${code}`, error)
    }
  const what = `${won.length} of ${racers} won, ${fit} fit`
  const context = { each, available, estimate, currency: asset.currency, network: asset.network }
  findings.check(BigInt(won.length) === fit, 'payout-race', what, context)
  for (const payout of won) if (random.hits(0.7)) await decide(fuzz, payout, 'cancel')
}

type Rival = 'cancel' | 'expire' | 'mine' | 'cancel+mine'

/** A payment concurrent with a cancel, an expiry or a block: whichever comes first, the result is consistent. */
export async function racePayment(fuzz: Fuzz): Promise<void> {
  const { random, findings, chains, measures } = fuzz
  const { api, invoices } = anyone(fuzz)
  const invoice = random.pick(
    [...invoices.values()]
      .filter(isPriced)
      .filter(({ status, source }) => status === 'pending' && source !== 'static_address')
      .filter(({ isWindowOver, payments }) => !isWindowOver && payments.length === 0),
  )
  if (invoice === undefined) return
  const { id, asset, amount } = invoice
  const rival: Rival = random.pick<Rival>(['cancel', 'expire', 'mine', 'cancel+mine'])
  const chain = chains.of(asset.network)
  const height = chain.tip ?? 0
  const none = Promise.resolve(null)
  const [paid, cancelled, expired, mined] = await Promise.all([
    depositTo(fuzz, invoice, amount),
    rival.includes('cancel') ? post(api, `/v1/invoices/${id}/cancel`) : none,
    rival.includes('expire') ? post(api, `/v1/test/invoices/${id}/expire`) : none,
    rival.includes('mine')
      ? post(api, '/v1/test/blocks', { network: asset.network, count: random.int(1, 3) })
      : none,
  ])
  const payment = newPayment(invoice, paid.data?.tx_hash, amount)
  const answered = `deposit answered ${paid.status}`
  if (!findings.check(paid.status === 201, 'race-pay', answered, paid.error)) return
  if (mined?.status === 200) {
    measures.count('blocks', mined.data.height - height)
    chain.tip = mined.data.height
    for (const each of chain.payments) if (each.height === null && !each.isDropped) each.height = height + 1
  }
  const { data } = await get(api, `/v1/invoices/${id}`)
  const row = data?.payments?.find(({ tx_hash }: Row) => tx_hash === payment.hash)
  if (!findings.check(row, 'race-pay', 'the payment is missing', data)) return
  payment.height = row.block_height
  for (const answer of [cancelled, expired])
    if (answer !== null)
      findings.check([200, 409].includes(answer.status), 'race-pay', `${rival} answered ${answer.status}`)
  if (cancelled !== null) {
    const isCancelled = data.status === 'cancelled'
    const what = `cancelled after ${cancelled.status}`
    findings.same(isCancelled, cancelled.status === 200, 'race-pay', what)
    if (cancelled.status === 200) {
      invoice.status = 'cancelled'
      invoice.events['invoice.cancelled'] = 1
    }
  }
  if (expired?.status === 200) {
    invoice.isWindowOver = true
    if (row.late) {
      invoice.status = 'expired'
      invoice.events['invoice.expired'] = 1
    }
  }
  seePayment(fuzz, payment)
  payment.isInTime = !row.late
  if (invoice.status === 'cancelled' || invoice.status === 'expired')
    invoice.maybe['invoice.payment_detected'] = 1
  passBlocks(fuzz, asset.network, height + 1, chain.tip ?? 0)
  assess(fuzz, invoice)
  await readInvoice(fuzz, invoice, `after a race of payment and ${rival}`)
}
