import { OutageError } from '../../domain/errors.ts'
import type { ClaimedJob, JobKind } from '../../store/jobs.ts'
import type { Store } from '../../store/store.ts'
import type { App } from '../app.ts'
import { assessInvoices } from '../invoices/assess-invoices.ts'
import { inTracesOfInvoices } from '../tracing/in-trace-of.ts'
import { bookSuspense } from './book-suspense.ts'

// How many jobs share a transaction: enough to be fast, few enough that their locks are short.
const batchSize = 50
const claimMs = 5_000
const firstRetryMs = 1_000
const longestRetryMs = 60_000
const maxBatchesAtOnce = 100

type Tools = Pick<App, 'store' | 'transaction' | 'assets' | 'now' | 'present' | 'reports' | 'tracer'>
type Doing = (app: Tools, tx: Store, subjects: readonly string[]) => Promise<void>

// Mails have their own loop: sending one waits on the network.
type ChainJob = Exclude<JobKind, 'send_mail'>
const handlers: Record<ChainJob, Doing> = { assess_invoice: assessInvoices, book_suspense: bookSuspense }

/**
 * Runs the jobs that followed chains and the clock have created, until none is due. Safe to run in several processes at
 * once. A failed job is reported and postponed; the others continue.
 */
export async function doJobs(app: Tools, options: { readonly signal?: AbortSignal } = {}): Promise<number> {
  let done = 0
  for (const kind of Object.keys(handlers) as ChainJob[]) {
    for (let batch = 0; batch < maxBatchesAtOnce && !options.signal?.aborted; batch++) {
      const claimed = await app.store.jobs.claim(kind, batchSize, claimMs)
      if (claimed.length === 0) break
      done += await doBatch(kind, claimed)
      if (claimed.length < batchSize) break
    }
  }
  return done

  async function doBatch(kind: ChainJob, claimed: readonly ClaimedJob[]): Promise<number> {
    try {
      await doTogether(kind, claimed)
      return claimed.length
    } catch (error) {
      if (error instanceof OutageError) throw error
      // Retry one by one, so that only the failing job waits.
      if (claimed.length > 1) {
        let finished = 0
        for (const single of claimed) finished += await doBatch(kind, [single])
        return finished
      }
      const [{ subject, attempts }] = claimed as [ClaimedJob]
      app.reports.jobFailed(kind, subject, error)
      const waitMs = Math.min(firstRetryMs * 2 ** Math.min(attempts, 10), longestRetryMs)
      await app.store.jobs.postpone(kind, subject, waitMs)
      return 0
    }
  }

  async function doTogether(kind: ChainJob, claimed: readonly ClaimedJob[]): Promise<void> {
    const subjects = claimed.map(({ subject }) => subject)
    const work = () =>
      app.transaction(async (tx) => {
        await handlers[kind](app, tx, subjects)
        await tx.jobs.finish(kind, claimed)
      })
    await (kind === 'assess_invoice' ? inTracesOfInvoices(app, subjects, 'assess invoice', work) : work())
  }
}
