/**
 * What a database with ten million invoices costs compared with one of ten thousand: lists, details, search, overview,
 * exports, the workers' questions and following a block. Each is timed in turn on both databases, and the pages that its
 * statements touch are counted as well, since time is noisy and pages are not.
 */
import { existsSync } from 'node:fs'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { auditBooks } from '../../server/src/app/audit/audit-books.ts'
import { makeTemporaryFolder } from '../../server/test/support/processes/temporary-folder.ts'
import { type BenchApp, openBenchApp } from '../follow/app.ts'
import type { Ratio } from '../measure.ts'
import { withDatabase } from '../service.ts'
import { type Filled, fill, ownDatabase, prepare } from './fill.ts'
import { followBlocks } from './follow.ts'
import { pagesTouched } from './pages.ts'
import { type Question, questions, type Subject } from './questions.ts'

const few = 10_000
const defaultMany = 10_000_000
const warmUps = 8
const samples = 40
const limit = 1.25
/** The note that a kept database is complete. */
const noted = 'filled.json'
/** Only the questions whose name it matches, for a closer look. */
const only = new RegExp(process.env.SLUICE_BENCH_ONLY ?? '')

type Measured = { readonly ms: number; readonly pages: number }
type Side = { readonly bench: BenchApp; readonly filled: Filled; readonly subject: Subject }

export async function run(
  options: { readonly invoices?: number; readonly keep?: string } = {},
): Promise<Record<string, Ratio>> {
  const many = options.invoices ?? defaultMany
  const closers: (() => Promise<void>)[] = []
  try {
    const sides: Side[] = []
    for (const invoices of [few, many]) {
      const { folder, remove } = await folderFor(options.keep, invoices)
      if (remove !== null) closers.unshift(remove)
      const notePath = join(folder, noted)
      const kept = await readFile(notePath, 'utf8').catch(() => null)
      const filled = kept === null ? await makeFilled(folder, invoices) : (JSON.parse(kept) as Filled)
      if (kept === null) await writeFile(notePath, JSON.stringify(filled))
      const bench = await openBenchApp(folder)
      closers.unshift(() => bench.close())
      // Only the small one: an audit reads everything.
      if (invoices === few && kept === null) await requireSoundBooks(bench)
      sides.push({ bench, filled, subject: await subjectOf(bench, filled) })
    }
    const [small, large] = sides as [Side, Side]
    const results: Record<string, Ratio> = {}
    for (const question of questions.filter(({ name }) => only.test(name))) {
      const [before, after] = await measure(question, small, large)
      print(question.name, before, after)
      results[`scale: ${question.name} (at most ${limit.toFixed(2)})`] = {
        ours: after.ms,
        baseline: before.ms,
        ratio: after.ms / before.ms,
        unit: 'ms',
      }
    }
    const following = 'following a block with 40 payments'
    const followed = only.test(following) ? await followBlocks(small.bench, large.bench) : null
    if (followed !== null) {
      const [before, after] = followed
      print(following, { ms: before, pages: 0 }, { ms: after, pages: 0 })
      results[`scale: ${following} (at most ${limit.toFixed(2)})`] = {
        ours: after,
        baseline: before,
        ratio: after / before,
        unit: 'ms',
      }
    }
    return results
  } finally {
    for (const close of closers) await close()
  }
}

/** A folder that is kept for the next run, so that nothing is filled again; or one that goes with this run. */
async function folderFor(keep: string | undefined, invoices: number) {
  if (keep === undefined) {
    const { path, remove } = await makeTemporaryFolder('sluice-bench-', 'disk')
    return { folder: path, remove }
  }
  const folder = join(resolve(keep), String(invoices))
  // What a run left that was stopped while it filled is of no use.
  if (!existsSync(join(folder, noted))) await rm(folder, { recursive: true, force: true })
  await mkdir(folder, { recursive: true, mode: 0o711 })
  return { folder, remove: null }
}

async function makeFilled(folder: string, invoices: number): Promise<Filled> {
  const startedAt = performance.now()
  // Some settings need a restart.
  const first = await openBenchApp(folder)
  await prepare(first.superuserUrl, 'filling')
  await first.close()
  const bench = await openBenchApp(folder)
  const filled = await fill(bench, invoices)
  await prepare(bench.superuserUrl, 'service')
  await bench.close()
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(0)
  const each = (filled.bytes / invoices).toFixed(0)
  console.log(`${invoices} invoices filled in ${seconds} s: ${gigabytes(filled.bytes)}, ${each} bytes each`)
  for (const { name, bytes } of filled.tables)
    console.log(`  ${name}: ${(bytes / invoices).toFixed(0)} bytes an invoice`)
  return filled
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
