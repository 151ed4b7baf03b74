import { post } from '../client.ts'
import { anyone, type Fuzz } from '../fuzz.ts'
import { readInvoice } from '../invoice-checks.ts'
import type { Chain, Invoice, Merchant, Payment } from '../model.ts'
import { assessNetwork } from '../settlement.ts'

/** The deepest reorganisation that the helper allows, less some margin. */
const withinReach = 95
/** Payments deeper than this are left alone. */
const buried = 120

/** Mines a few blocks on some network, or as many as payments there need. */
export async function mineSome(fuzz: Fuzz): Promise<void> {
  const { random, chains } = fuzz
  const network = random.pick([...chains.keys()])
  const count = random.weighted([
    [4, 1],
    [2, 2],
    [2, random.int(3, 8)],
    [3, 0],
  ])
  if (network === undefined) return
  await mine(fuzz, network, count === 0 ? mostConfirmations(fuzz, network) : count)
}

export function mostConfirmations({ assets }: Fuzz, network: string): number {
  return Math.max(...assets.filter((asset) => asset.network === network).map(({ required }) => required))
}

export async function mine(fuzz: Fuzz, network: string, count: number): Promise<void> {
  const { findings, measures, chains, merchants } = fuzz
  const chain = chains.of(network)
  const [miner] = merchants as [Merchant]
  const { status, data, error } = await post(miner.api, '/v1/test/blocks', { network, count })
  if (!findings.check(status === 200, 'mine', `answered ${status}`, error)) return
  measures.count('blocks', count)
  if (chain.tip !== null)
    findings.same(data.height, chain.tip + count, 'mine', 'height after mining', { network, count })
  growTo(fuzz, network, data.height - count + 1, data.height)
  const touched = [...new Set([...chain.payments].map(({ invoice }) => invoice))]
  for (const invoice of touched.slice(-10)) await readInvoice(fuzz, invoice, 'after mining')
  for (const payment of chain.payments)
    if (payment.credited !== null && payment.height !== null && data.height - payment.height > buried)
      chain.payments.delete(payment)
}

/** The `fail` helper mines as many blocks as it needs: mining one more shows how many there were. */
export async function catchUp(fuzz: Fuzz, network: string): Promise<void> {
  const { findings, measures, chains, merchants } = fuzz
  const known = chains.tipOf(network)
  const [miner] = merchants as [Merchant]
  const { status, data, error } = await post(miner.api, '/v1/test/blocks', { network, count: 1 })
  const isHigher = status === 200 && data.height > known
  if (!findings.check(isHigher, 'mine', `catching up answered ${status}`, error)) return
  measures.count('blocks')
  growTo(fuzz, network, known + 1, data.height)
  if (data.height > known + 1) measures.countStep('fail-mined-blocks', data.height - known - 1)
}

/** Waiting payments are in the first of the new blocks. */
function growTo(fuzz: Fuzz, network: string, first: number, last: number): void {
  for (const payment of fuzz.chains.of(network).payments)
    if (payment.height === null && !payment.isDropped) payment.height = first
  passBlocks(fuzz, network, first, last)
}

/** An invoice can pass through several states while one call mines blocks, so this assesses block by block. */
export function passBlocks(fuzz: Fuzz, network: string, first: number, last: number): void {
  const chain = fuzz.chains.of(network)
  const touched = [...new Set([...chain.payments].map(({ invoice }) => invoice))]
  const before = touched.map(({ events }) => ({ ...events }))
  for (let height = first; height <= last; height++) {
    chain.tip = height
    assessNetwork(fuzz, network)
  }
  for (const [at, invoice] of touched.entries()) tellTogether(invoice, before[at] ?? {})
}

/** Several short or excessive deposits may share one event if they were assessed together. */
function tellTogether({ events, maybe }: Invoice, before: Readonly<Record<string, number>>): void {
  for (const name of ['invoice.underpaid', 'invoice.overpaid']) {
    const least = (before[name] ?? 0) + 1
    const surplus = (events[name] ?? 0) - least
    if (surplus <= 0) continue
    events[name] = least
    maybe[name] = (maybe[name] ?? 0) + surplus
  }
}

/** Replaces the last blocks of a chain, and drops some of the payments in them for good. */
export async function reorganise(fuzz: Fuzz): Promise<void> {
  const { random, chains, findings, measures } = fuzz
  const merchant = anyone(fuzz)
  const isPrey = (chain: Chain, { invoice, credited, height }: Payment) =>
    invoice.merchant === merchant && credited !== null && (chain.tip ?? 0) - (height ?? 0) < withinReach
  const hot = [...chains].filter(([, chain]) => [...chain.payments].some((each) => isPrey(chain, each)))
  const high = [...chains].filter(([, { tip }]) => (tip ?? 0) > 0)
  const [network, chain] = (random.hits(0.5) && hot.length > 0 ? random.pick(hot) : random.pick(high)) ?? []
  if (network === undefined || chain === undefined) return
  const tip = chain.tip ?? 0
  const prey = random.hits(0.5)
    ? random.pick([...chain.payments].filter((each) => isPrey(chain, each) && !each.isDropped))
    : undefined
  const depth = Math.min(
    tip,
    prey !== undefined
      ? tip - (prey.height ?? 0) + 1 + random.int(0, 2)
      : random.weighted([
          [4, random.int(1, 3)],
          [3, random.int(3, 12)],
          [1, random.int(12, 40)],
          [0.5, 100],
        ]),
  )
  const inReach = [...chain.payments].filter(
    ({ invoice, isDropped, height }) =>
      invoice.merchant === merchant && !isDropped && (height === null || height > tip - depth),
  )
  const share = random.pick([0, 0.3, 0.7, 1])
  const dropped = inReach.filter((each) => each === prey || random.hits(share))
  const body = { network, depth, ...dropOf(dropped) }
  const { status, data, error } = await post(merchant.api, '/v1/test/reorgs', body)
  if (!findings.check(status === 200, 'reorg', `answered ${status}`, error)) return
  measures.count('reorgs')
  measures.count('reorg_drops', dropped.length)
  findings.same(data.height, tip + 1, 'reorg', 'height after', data)
  chain.tip = data.height
  chain.turns++
  if (dropped.length > 0) chain.hasDropped = true
  for (const payment of dropped) payment.isDropped = true
  const touched = [...new Set([...chain.payments].map(({ invoice }) => invoice))]
  assessNetwork(fuzz, network)
  for (const invoice of touched.slice(-12)) await readInvoice(fuzz, invoice, 'after a reorganisation')
}

export function dropOf(payments: readonly Payment[]): { drop?: string[] } {
  return payments.length === 0 ? {} : { drop: payments.map(({ hash }) => hash) }
}
