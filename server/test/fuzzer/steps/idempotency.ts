import { isReplay, post, type Row } from '../client.ts'
import { anyone, type Fuzz, onlineAsset, someAmount } from '../fuzz.ts'
import { toText, toUnits } from '../money.ts'
import { learnInvoice } from './invoices.ts'
import { destinationOn, learnPayout, someFunds } from './payouts.ts'
import { learnRefund, refundableOf, someRefundable } from './refunds.ts'

const racers = 50

/** Sends the same request many times, or two requests alternately under one key. */
function crowd(one: Row, other: Row, isMixed: boolean): Row[] {
  return Array.from({ length: racers }, (_, at) => (isMixed && at % 2 === 1 ? other : one))
}

/** One key, many concurrent requests: one invoice is created, and every answer is that invoice or a mismatch. */
export async function raceInvoiceKey(fuzz: Fuzz): Promise<void> {
  const { random, findings } = fuzz
  const merchant = anyone(fuzz)
  const asset = onlineAsset(fuzz, merchant)
  if (asset === undefined) return
  const { currency, network, decimals } = asset
  const key = `race-${random.seed}-${findings.step}`
  const bodyOf = (units: bigint) => ({
    currency,
    network,
    amount: toText(units, decimals),
    idempotency_key: key,
  })
  const one = bodyOf(someAmount(fuzz, asset, 1, 50))
  const other = bodyOf(someAmount(fuzz, asset, 51, 99))
  const isMixed = random.hits(0.5)
  const bodies = crowd(one, other, isMixed)
  const answers = await Promise.all(bodies.map((body) => post(merchant.api, '/v1/invoices', body)))
  const made = answers.filter(({ status }) => status === 201)
  const ids = new Set(made.map(({ data }) => data.id))
  const check = (ok: boolean, what: string, context?: unknown) =>
    findings.check(ok, 'idem-race', what, context)
  check(ids.size === 1, `${ids.size} invoices from one key`, [...ids])
  check(
    made.filter((each) => !isReplay(each)).length === 1,
    'not exactly one answer is the original',
    made.map(isReplay),
  )
  const [first] = made
  if (first === undefined) return
  const isOne = toUnits(first.data.amount, decimals) === toUnits(one.amount, decimals)
  const winner = isOne ? one : other
  for (const [at, { status, code, error }] of answers.entries())
    if (bodies[at] === winner || !isMixed)
      check(status === 201, `the winner's body answered ${status}`, error)
    else
      check(
        status === 422 && code === 'idempotency_key_mismatch',
        `the other body answered ${status} ${code}`,
        error,
      )
  learnInvoice(fuzz, merchant, first, winner, key)
}

export async function racePayoutKey(fuzz: Fuzz): Promise<void> {
  const { random, findings } = fuzz
  const merchant = anyone(fuzz)
  const funds = await someFunds(fuzz, merchant)
  if (funds === null || funds.available < funds.asset.minimum * 3n) return
  const { asset } = funds
  const key = `prace-${random.seed}-${findings.step}`
  const one = {
    currency: asset.currency,
    network: asset.network,
    amount: toText(asset.minimum, asset.decimals),
    ...destinationOn(fuzz, asset, '1'),
    idempotency_key: key,
  }
  const other = { ...one, description: 'other' }
  const bodies = crowd(one, other, random.hits(0.5))
  const answers = await Promise.all(bodies.map((body) => post(merchant.api, '/v1/payouts', body)))
  const made = answers.filter(({ status }) => status === 201)
  const check = (ok: boolean, what: string, context?: unknown) =>
    findings.check(ok, 'idem-payout-race', what, context)
  const ids = new Set(made.map(({ data }) => data.id))
  check(ids.size <= 1, `${ids.size} payouts from one key`)
  const [first] = made
  if (first === undefined) {
    const codes = answers.map(({ code }) => code)
    check(
      codes.every((code) => code === 'insufficient_balance'),
      'none won',
      codes,
    )
    return
  }
  check(made.filter((each) => !isReplay(each)).length === 1, 'not exactly one original')
  for (const { status, code } of answers)
    if (status !== 201)
      check(status === 422 && code === 'idempotency_key_mismatch', `answered ${status} ${code}`)
  learnPayout(fuzz, merchant, asset, first.data)
  merchant.keys.payout.set(key, { body: first.data.description ? other : one, id: first.data.id })
}

export async function raceRefundKey(fuzz: Fuzz): Promise<void> {
  const { random, findings } = fuzz
  const merchant = anyone(fuzz)
  const invoice = someRefundable(fuzz, merchant)
  if (invoice === undefined) return
  const { asset } = invoice
  const funds = await someFunds(fuzz, merchant, { any: true, only: asset })
  if (funds === null || funds.available < asset.minimum * 3n) return
  if (refundableOf(invoice) < asset.minimum) return
  const key = `rrace-${random.seed}-${findings.step}`
  const one = {
    invoice_id: invoice.id,
    currency: asset.currency,
    network: asset.network,
    amount: toText(asset.minimum, asset.decimals),
    ...destinationOn(fuzz, asset, '1'),
  }
  const other = { ...one, description: 'other' }
  const bodies = crowd(one, other, random.hits(0.5))
  const headers = { 'Idempotency-Key': key }
  const answers = await Promise.all(bodies.map((body) => post(merchant.api, '/v1/refunds', body, headers)))
  const made = answers.filter(({ status }) => status === 201)
  const ids = new Set(made.map(({ data }) => data.id))
  findings.check(ids.size <= 1, 'idem-refund-race', 'several refunds from one key')
  const [first] = made
  for (const { status, code } of answers) {
    if (status === 201) continue
    const isMismatch = status === 409 && code === 'conflict' && first !== undefined
    const isShort = first === undefined && code === 'insufficient_balance'
    findings.check(isMismatch || isShort, 'idem-refund-race', `answered ${status} ${code}`)
  }
  if (first === undefined) return
  await learnRefund(fuzz, invoice, first.data)
  merchant.keys.refund.set(key, { body: first.data.description ? other : one, id: first.data.id })
}

/** Repeats a request that was made under a key: the original is returned, and another body under that key is refused. */
export async function replay(fuzz: Fuzz): Promise<void> {
  const { random, findings } = fuzz
  const merchant = anyone(fuzz)
  const kind = random.pick<'invoice' | 'payout' | 'refund'>(['invoice', 'payout', 'refund'])
  const [key, kept] = random.pick([...merchant.keys[kind]]) ?? []
  if (key === undefined || kept === undefined) return
  const path = `/v1/${kind}s`
  const headers: Record<string, string> = kind === 'refund' ? { 'Idempotency-Key': key } : {}
  // The same body with another order and an extra null is the same body.
  const shuffled = Object.fromEntries(
    Object.entries({ ...kept.body, metadata: kept.body.metadata ?? null }).reverse(),
  )
  const again = await post(merchant.api, path, shuffled, headers)
  checkReplay(fuzz, kind, kept.id, again)
  const changed = { ...kept.body, description: `another ${findings.step}` }
  const { status, code } = await post(merchant.api, path, changed, headers)
  const isRefused =
    kind === 'refund'
      ? status === 409 && code === 'conflict'
      : status === 422 && code === 'idempotency_key_mismatch'
  findings.check(isRefused, 'replay', `${kind} with another body: answered ${status} ${code}`)
}

/** The original is returned: its id, 201, and the header that says so. */
export function checkReplay(
  { findings }: Pick<Fuzz, 'findings'>,
  kind: string,
  id: string,
  answer: Awaited<ReturnType<typeof post>>,
): void {
  const { status, data, error } = answer
  const isSame = status === 201 && data.id === id && isReplay(answer)
  findings.check(isSame, 'replay', `${kind}: answered ${status} ${data?.id}, want ${id}`, error)
}
