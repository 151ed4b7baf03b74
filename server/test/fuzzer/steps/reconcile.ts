import { isReplay, isUnsure, post, type Row } from '../client.ts'
import { fullCheck } from '../full-check.ts'
import type { Fuzz } from '../fuzz.ts'
import type { Invoice, Merchant, StaticAddress } from '../model.ts'
import { type Decision, readPayout } from '../payout-checks.ts'
import { adoptStatic } from './deposits.ts'
import { learnInvoice } from './invoices.ts'
import { learnPayout } from './payouts.ts'
import { learnRefund } from './refunds.ts'
import { adoptUnsure, resync } from './resync.ts'
import type { Flown } from './storm.ts'

type Of<Kind extends Flown['kind']> = Extract<Flown, { kind: Kind }>
type Maker = Of<'invoice' | 'payout' | 'refund'>

/** Finds out what became of concurrent requests: nothing acknowledged is lost, and nothing takes effect twice. */
export async function reconcile(fuzz: Fuzz, flown: readonly Flown[], where: string): Promise<void> {
  const { findings, merchants, chains } = fuzz
  for (const { network, dropped } of of(flown, 'reorg')) {
    chains.of(network).turns++
    if (dropped.length > 0) chains.of(network).hasDropped = true
  }
  await settleDecisions(fuzz, of(flown, 'decide'), where)
  for (const each of of(flown, 'invoice', 'payout', 'refund')) await repeat(fuzz, each, flown, where)
  for (const { kind, answer, invoice } of of(flown, 'cancel', 'expire')) {
    const { status, error } = answer
    const isKnown = status === 200 || status === 409 || isUnsure(answer)
    findings.check(isKnown, 'storm', `${where}: ${kind} answered ${status}`, error)
    if (kind === 'expire' && status === 200) invoice.isWindowOver = true
  }
  for (const network of networksOf(flown)) await settleNetwork(fuzz, network, flown, where)
  const unpriced = of(flown, 'cancel', 'expire').filter(({ invoice }) => invoice.amount === null)
  for (const invoice of new Set(unpriced.map((each) => each.invoice)))
    await resync(fuzz, invoice, aboutInvoice(flown, invoice), [], where)
  for (const merchant of merchants) await fullCheck(fuzz, merchant, where)
}

function of<Kind extends Flown['kind']>(flown: readonly Flown[], ...kinds: Kind[]): Of<Kind>[] {
  return flown.filter((each) => (kinds as string[]).includes(each.kind)) as Of<Kind>[]
}

function aboutInvoice(flown: readonly Flown[], invoice: Invoice): Of<'deposit' | 'cancel' | 'expire'>[] {
  return of(flown, 'deposit', 'cancel', 'expire').filter((each) => each.invoice === invoice)
}

async function settleDecisions(fuzz: Fuzz, decisions: readonly Of<'decide'>[], where: string): Promise<void> {
  const { findings } = fuzz
  for (const payout of new Set(decisions.map((each) => each.payout))) {
    const own = decisions.filter((each) => each.payout === payout)
    const won = (...some: Decision[]) =>
      own.filter(({ decision, answer }) => some.includes(decision) && answer.status === 200).length
    findings.check(
      won('approve') <= 1 && won('cancel', 'reject') <= 1,
      'decided-twice',
      `${where}: two decisions on one payout were accepted`,
      own.map(({ decision, answer }) => [decision, answer.status]),
    )
    const possible = own.filter(({ answer }) => answer.status === 200 || isUnsure(answer))
    const asked = [...new Set(possible.map(({ decision }) => decision))]
    const data = await readPayout(fuzz, payout, where, asked)
    if (data === null) continue
    if (won('cancel', 'reject') > 0)
      findings.same(data.status, 'cancelled', 'lost', `${where}: an acknowledged cancel`)
    else if (won('approve') > 0) {
      const isKept = data.status !== 'pending_approval'
      findings.check(isKept, 'lost', `${where}: an acknowledged approval is lost`, data)
    }
  }
}

/** Repeats a creating request under its key: the answer shows what became of the first one. */
async function repeat(fuzz: Fuzz, flight: Maker, flown: readonly Flown[], where: string): Promise<void> {
  const { findings } = fuzz
  const { merchant, kind, key, body, answer: first } = flight
  const isRefusal = ({ status, code }: { status: number; code: string | undefined }) =>
    status === 422 || (status === 400 && code === 'invalid_state')
  const headers: Record<string, string> = kind === 'refund' ? { 'Idempotency-Key': key } : {}
  const again = await post(merchant.api, `/v1/${kind}s`, body, headers)
  const { status, data, error } = again
  if (first.status === 201) {
    const isKept = status === 201 && data.id === first.data.id && isReplay(again)
    const what = `${where}: an acknowledged ${kind} is not what its key names`
    findings.check(isKept, 'lost', what, { first: first.data?.id, now: data?.id, status, error })
  } else if (!isUnsure(first)) {
    const what = `${where}: ${kind} answered ${first.status}`
    findings.check(isRefusal(first), 'storm', what, { error: first.error, body })
    const isAlone = !flown.some((each) => 'key' in each && each.key === key && each !== flight)
    if (status === 201 && isReplay(again) && isAlone)
      findings.report(
        'refused-but-done',
        `${where}: ${kind} was refused with ${first.status} but exists`,
        data,
      )
  }
  if (status === 201) await learn(fuzz, flight, again)
  else findings.check(isRefusal(again), 'storm', `${where}: ${kind} again answered ${status}`, error)
}

async function learn(fuzz: Fuzz, flight: Maker, answer: Awaited<ReturnType<typeof post>>): Promise<void> {
  const { merchant, key, body } = flight
  const { data } = answer
  if (flight.kind === 'invoice') learnInvoice(fuzz, merchant, answer, body, key)
  if (flight.kind === 'payout' && !merchant.payouts.has(data.id)) {
    learnPayout(fuzz, merchant, flight.asset, data)
    merchant.keys.payout.set(key, { body, id: data.id })
  }
  if (flight.kind === 'refund' && !merchant.refunds.has(data.id)) {
    await learnRefund(fuzz, flight.invoice, data, false)
    merchant.keys.refund.set(key, { body, id: data.id })
  }
}

function networksOf(flown: readonly Flown[]): Set<string> {
  const networks = new Set<string>()
  for (const each of flown) {
    if (each.kind === 'mine' || each.kind === 'reorg') networks.add(each.network)
    if (each.kind === 'static') networks.add(each.address.asset.network)
    if (each.kind === 'deposit' || each.kind === 'cancel' || each.kind === 'expire')
      if (each.invoice.asset !== null) networks.add(each.invoice.asset.network)
  }
  return networks
}

/** Finds out what was mined, by mining one more block wherever something happened, and by the heights of payments. */
async function settleNetwork(
  fuzz: Fuzz,
  network: string,
  flown: readonly Flown[],
  where: string,
): Promise<void> {
  const { findings, measures, chains, merchants } = fuzz
  const chain = chains.of(network)
  const turns = of(flown, 'reorg').filter((each) => each.network === network)
  for (const each of of(flown, 'mine', 'reorg')) {
    if (each.network !== network) continue
    const { kind, answer } = each
    if (kind === 'mine' && answer.status === 200) measures.count('blocks', each.count)
    if (kind === 'reorg' && answer.status === 200) {
      measures.count('reorgs')
      measures.count('reorg_drops', each.dropped.length)
    }
    // Transactions dropped by another reorganisation cannot be dropped again, so this one may be refused.
    const isKnown = answer.status === 200 || isUnsure(answer) || kind === 'reorg'
    findings.check(isKnown, 'storm', `${where}: ${kind} answered ${answer.status}`, answer.error)
  }
  const [miner] = merchants as [Merchant]
  const { status, data, error } = await post(miner.api, '/v1/test/blocks', { network, count: 1 })
  measures.count('blocks')
  if (!findings.check(status === 200, 'storm', `${where}: mining answered ${status}`, error)) return
  chain.tip = data.height
  await adoptAddresses(fuzz, network, of(flown, 'static'))
  const touched = new Set<Invoice>([...chain.payments].map(({ invoice }) => invoice))
  for (const { invoice } of of(flown, 'deposit', 'cancel', 'expire'))
    if (invoice.asset?.network === network) touched.add(invoice)
  for (const invoice of touched) await resync(fuzz, invoice, aboutInvoice(flown, invoice), turns, where)
  for (const { answer, dropped } of turns)
    if (answer.status === 200)
      for (const { isDropped, hash } of dropped)
        findings.check(isDropped, 'lost', `${where}: an acknowledged drop is undone`, hash)
  for (const payment of chain.payments) if (payment.isDropped) chain.payments.delete(payment)
}

async function adoptAddresses(fuzz: Fuzz, network: string, deposits: readonly Of<'static'>[]): Promise<void> {
  const here = deposits.filter(({ address }) => address.asset.network === network)
  const byAddress: Map<StaticAddress, readonly Of<'static'>[]> = Map.groupBy(here, ({ address }) => address)
  for (const [address, own] of byAddress) {
    const made = own.filter(({ answer }) => answer.status === 201)
    const hashes = made.map(({ answer, units }): [Row, bigint] => [answer.data.tx_hash, units])
    await adoptStatic(fuzz, address, new Map(hashes), true)
    const unsure = own.filter(({ answer }) => isUnsure(answer)).map(({ units }) => units)
    if (unsure.length > 0) await adoptUnsure(fuzz, address, unsure)
  }
}
