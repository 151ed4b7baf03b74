import { OutageError } from '../../domain/errors.ts'
import type { ClaimedJob, JobKind } from '../../store/jobs.ts'
import type { Store } from '../../store/store.ts'
import type { App } from '../app.ts'
import { assessInvoices } from '../invoices/assess-invoices.ts'
import { bookSuspense } from './book-suspense.ts'

// How many invoices share a transaction: enough to be quick, few enough that nobody waits long for their locks.
const batchSize = 50
const claimMs = 5_000
const firstRetryMs = 1_000
const longestRetryMs = 60_000
const maxBatchesAtOnce = 100

type Tools = Pick<App, 'store' | 'transaction' | 'assets' | 'now' | 'present' | 'following'>
type Doing = (app: Tools, tx: Store, subjects: readonly string[]) => Promise<void>

// Mails are not among them: sending one waits on the network.
type ChainJob = Exclude<JobKind, 'send_mail'>
const handlers: Record<ChainJob, Doing> = { assess_invoice: assessInvoices, book_suspense: bookSuspense }

/**
 * Does the work that followed chains and the clock have asked for, until none is due. Any number of processes may do
 * it at once. Work that fails is put off and reported; the rest goes on.
 */
export async function doJobs(app: Tools, options: { readonly signal?: AbortSignal } = {}): Promise<number> {
  let done = 0
  for (const kind of Object.keys(handlers) as ChainJob[]) {
    for (let batch = 0; batch < maxBatchesAtOnce && !options.signal?.aborted; batch++) {
      const claimed = await app.store.jobs.claim(kind, batchSize, claimMs)
      if (claimed.length === 0) break
      done += await doBatch(kind, claimed)
    }
  }
  return done

  async function doBatch(kind: ChainJob, claimed: readonly ClaimedJob[]): Promise<number> {
    try {
      await doTogether(kind, claimed)
      return claimed.length
    } catch (error) {
      if (error instanceof OutageError) throw error
      // One by one, so that only what is broken waits.
      if (claimed.length > 1) {
        let finished = 0
        for (const single of claimed) finished += await doBatch(kind, [single])
        return finished
      }
      const [{ subject, attempts }] = claimed as [ClaimedJob]
      app.following.onJobFailed(kind, subject, error)
      const waitMs = Math.min(firstRetryMs * 2 ** Math.min(attempts, 10), longestRetryMs)
      await app.store.jobs.postpone(kind, subject, waitMs)
      return 0
    }
  }

  async function doTogether(kind: ChainJob, claimed: readonly ClaimedJob[]): Promise<void> {
    await app.transaction(async (tx) => {
      await handlers[kind](
        app,
        tx,
        claimed.map(({ subject }) => subject),
      )
      await tx.jobs.finish(kind, claimed)
    })
  }
}
