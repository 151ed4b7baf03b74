/**
 * What a database with ten million invoices costs compared with one of ten thousand: lists, details, search, overview,
 * exports, the workers' questions and following a block. Each is timed in turn on both databases, and the pages that its
 * statements touch are counted as well, since time is noisy and pages are not.
 */
import { auditBooks } from '../../server/src/app/audit/audit-books.ts'
import { makeTemporaryFolder } from '../../server/test/support/processes/temporary-folder.ts'
import { type BenchApp, openBenchApp } from '../follow/app.ts'
import type { Ratio } from '../measure.ts'
import { withDatabase } from '../service.ts'
import { type Filled, fill, ownDatabase } from './fill.ts'
import { followBlocks } from './follow.ts'
import { pagesTouched } from './pages.ts'
import { type Question, questions, type Subject } from './questions.ts'

const few = 10_000
const defaultMany = 10_000_000
const warmUps = 8
const samples = 40
const limit = 1.25

type Measured = { readonly ms: number; readonly pages: number }
type Side = { readonly bench: BenchApp; readonly filled: Filled; readonly subject: Subject }

export async function run(options: { readonly invoices?: number } = {}): Promise<Record<string, Ratio>> {
  const many = options.invoices ?? defaultMany
  const closers: (() => Promise<void>)[] = []
  try {
    const sides: Side[] = []
    for (const invoices of [few, many]) {
      const folder = await makeTemporaryFolder('sluice-bench-', 'disk')
      closers.unshift(() => folder.remove())
      const bench = await openBenchApp(folder.path)
      closers.unshift(() => bench.close())
      const startedAt = performance.now()
      const filled = await fill(bench, invoices)
      const seconds = ((performance.now() - startedAt) / 1000).toFixed(0)
      const each = (filled.bytes / invoices).toFixed(0)
      console.log(
        `${invoices} invoices filled in ${seconds} s: ${gigabytes(filled.bytes)}, ${each} bytes each`,
      )
      for (const { name, bytes } of filled.tables)
        console.log(`  ${name}: ${(bytes / invoices).toFixed(0)} bytes an invoice`)
      // Only the small one: an audit reads everything.
      if (invoices === few) await requireSoundBooks(bench)
      sides.push({ bench, filled, subject: await subjectOf(bench, filled) })
    }
    const [small, large] = sides as [Side, Side]
    const results: Record<string, Ratio> = {}
    for (const question of questions) {
      const [before, after] = await measure(question, small, large)
      print(question.name, before, after)
      results[`scale: ${question.name} (at most ${limit.toFixed(2)})`] = {
        ours: after.ms,
        baseline: before.ms,
        ratio: after.ms / before.ms,
        unit: 'ms',
      }
    }
    const [before, after] = await followBlocks(small.bench, large.bench)
    print('following a block with 40 payments', { ms: before, pages: 0 }, { ms: after, pages: 0 })
    results[`scale: following a block with 40 payments (at most ${limit.toFixed(2)})`] = {
      ours: after,
      baseline: before,
      ratio: after / before,
      unit: 'ms',
    }
    return results
  } finally {
    for (const close of closers) await close()
  }
}

async function requireSoundBooks({ app }: BenchApp): Promise<void> {
  const { ok, differences } = await auditBooks(app)
  if (!ok) throw new Error(`The books that were filled are wrong: ${differences.join('; ')}`)
}

/** The least time of both, asked in turn, since others use the machine too; and the pages of one more. */
async function measure({ ask }: Question, small: Side, large: Side): Promise<[Measured, Measured]> {
  const times: [number[], number[]] = [[], []]
  for (let sample = -warmUps; sample < samples; sample++) {
    for (const [at, { bench, subject }] of [small, large].entries()) {
      const startedAt = performance.now()
      await ask(bench.app, subject)
      const took = performance.now() - startedAt
      if (sample >= 0) times[at]?.push(took)
      // What takes so long is no question of noise.
      else if (took > 2_000) sample = Math.max(sample, samples - 5)
    }
  }
  const pages = async ({ bench, subject }: Side) =>
    pagesTouched(bench.superuserUrl, () => ask(bench.app, subject))
  return [
    { ms: Math.min(...times[0]), pages: await pages(small) },
    { ms: Math.min(...times[1]), pages: await pages(large) },
  ]
}

let isFirst = true

function print(name: string, before: Measured, after: Measured): void {
  const line = (...cells: readonly string[]) =>
    console.log(cells.map((cell, at) => (at === 0 ? cell.padEnd(58) : cell.padStart(11))).join(''))
  if (isFirst) line('', 'few, ms', 'many, ms', 'few, pages', 'many, pages', 'ratio')
  isFirst = false
  const ratio = after.ms / before.ms
  line(
    name,
    before.ms.toFixed(2),
    after.ms.toFixed(2),
    String(before.pages),
    String(after.pages),
    `${ratio.toFixed(2)}${ratio > limit ? ' !' : '  '}`,
  )
}

function gigabytes(bytes: number): string {
  return `${(bytes / 1e9).toFixed(2)} GB`
}

/** What the questions ask about: the same in every database, but for its ids. */
async function subjectOf(
  { superuserUrl }: BenchApp,
  { merchantId, endpointId, invoices }: Filled,
): Promise<Subject> {
  return withDatabase(ownDatabase(superuserUrl), async (client) => {
    const { rows } = await client.query<Omit<Subject, 'caller' | 'endpointId' | 'yearAgo'>>(
      `select invoice.id as "invoiceId", invoice.external_id as "externalId", invoice.deposit_address as address,
         invoice.link, payment.tx_hash as "txHash",
         (select id from events where merchant_id = $1 order by position desc limit 1) as "eventId",
         (select created_at from events where merchant_id = $1 order by position desc offset 200 limit 1) as "eventsSince",
         (select json_build_object('era', era, 'xid', xid::text, 'place', position::text) from events
           where merchant_id = $1 order by position desc offset 200 limit 1) as "eventPosition"
       from invoices as invoice join payments as payment on payment.invoice_id = invoice.id
       where merchant_id = $1 and status = 'paid'
       order by invoice.position offset $2 limit 1`,
      [merchantId, Math.floor(invoices / 10)],
    )
    const found = rows[0]
    if (found === undefined) throw new Error('there is no paid invoice')
    const merchant = { baseCurrency: 'USD', feeBps: 0, payoutFeeBps: 0, refundFeeBps: 0, toleranceBps: 0 }
    return {
      ...found,
      endpointId,
      yearAgo: new Date(Date.now() - 365 * 24 * 3_600_000),
      caller: {
        actor: 'key:bench',
        person: null,
        merchantId,
        environment: 'test',
        permissions: new Set(),
        merchant,
      },
    }
  })
}
