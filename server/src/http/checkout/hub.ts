import { createHash } from 'node:crypto'
import type { FastifyReply } from 'fastify'
import { hasEnded } from '../../app/checkout/open-checkout.ts'
import { RateLimitedError, ServiceError } from '../../domain/errors.ts'
import { confirmationsOf } from '../../domain/invoices.ts'
import type { Visit } from '../../store/invoices/visits.ts'
import { EventStream } from '../event-stream.ts'
import { type CheckoutViewer, checkoutTokenView } from '../resources/checkout/view.ts'

/** How many pages may be followed at once: per process, per invoice, and per IP address. */
export const streamLimits = { process: 10_000, invoice: 50, ip: 100 } as const
const retryAfterSeconds = 5

// Changes that arrive close together are read together.
const batchMs = 20
const maxBatch = 500
const retryMs = 1_000
// Each page gets one turn per round: a heartbeat, and a check that needs no notification.
const roundTicks = 15
const usualTickMs = 1_000
// A token is valid for 15 minutes.
const renewAfterMs = 10 * 60 * 1000

/** The pages that this process keeps up to date. */
export type CheckoutHub = {
  /** Sends a page its invoice as it is now, and every later change. Refuses when there are too many pages. */
  follow(visit: Visit, ip: string, reply: FastifyReply): void
  /** These invoices may have changed. */
  changed(ids: readonly string[]): void
  /** The tip of this gate's chain has changed. */
  chainMoved(gateId: string): void
  /** Anything may have changed unnoticed. */
  resync(): void
  /** How many pages are open. */
  readonly size: number
  /** Ends every stream and accepts no more. */
  close(): void
}

type Page = {
  readonly stream: EventStream
  readonly invoice: FollowedInvoice
  /** A hash of the last view sent to the page: thousands of whole views would take megabytes. */
  told: string
  tokenMadeMs: number
}

type FollowedInvoice = {
  readonly id: string
  readonly link: string
  readonly pages: Set<Page>
  gateId: string | null
  /** Whether each new block changes what its pages show. */
  countsBlocks: boolean
  /** How far its merchant's clock is ahead, as last read. */
  aheadMs: number
}

export function createCheckoutHub(options: {
  read: (ids: readonly string[]) => Promise<(Visit | null)[]>
  view: CheckoutViewer
  now: () => Date
  onReadFailed: (error: unknown) => void
  /** How long a fifteenth of a round takes: one second, or less in tests. */
  tickMs?: number
}): CheckoutHub {
  const invoices = new Map<string, FollowedInvoice>()
  const pagesOfIp = new Map<string, number>()
  const wheel = Array.from({ length: roundTicks }, () => new Set<Page>())
  let waiting = new Set<string>()
  let size = 0
  let turn = 0
  let closed = false
  let batching: NodeJS.Timeout | null = null
  let reading = false
  const ticking = setInterval(tick, options.tickMs ?? usualTickMs)

  return {
    follow,
    changed: (ids) => look(ids.filter((id) => invoices.has(id))),
    chainMoved: (gateId) =>
      look(
        [...invoices.values()]
          .filter((each) => each.countsBlocks && each.gateId === gateId)
          .map(({ id }) => id),
      ),
    resync: () => look([...invoices.keys()]),
    get size() {
      return size
    },
    close() {
      closed = true
      clearInterval(ticking)
      if (batching !== null) clearTimeout(batching)
      for (const invoice of invoices.values()) for (const { stream } of invoice.pages) stream.end()
    },
  }

  function follow(visit: Visit, ip: string, reply: FastifyReply): void {
    if (closed) throw new ServiceError('service_unavailable', 'The service is shutting down. Try again.')
    const { id, link } = visit.invoice
    const invoice = invoices.get(id) ?? {
      id,
      link,
      pages: new Set(),
      gateId: null,
      countsBlocks: false,
      aheadMs: visit.aheadMs,
    }
    refuseTooMany(invoice, ip)
    const page: Page = {
      stream: new EventStream(reply),
      invoice,
      told: '',
      tokenMadeMs: options.now().getTime(),
    }
    invoices.set(id, invoice)
    invoice.pages.add(page)
    const place = wheel[size % roundTicks] as Set<Page>
    place.add(page)
    pagesOfIp.set(ip, (pagesOfIp.get(ip) ?? 0) + 1)
    size++
    page.stream.onClose(() => {
      place.delete(page)
      invoice.pages.delete(page)
      if (invoice.pages.size === 0) invoices.delete(id)
      const left = (pagesOfIp.get(ip) ?? 1) - 1
      if (left === 0) pagesOfIp.delete(ip)
      else pagesOfIp.set(ip, left)
      size--
    })
    tell(invoice, visit, [page])
    // No page has been told of changes between reading the visit and following it.
    look([id])
  }

  function refuseTooMany(invoice: FollowedInvoice, ip: string): void {
    const problem =
      size >= streamLimits.process
        ? 'Too many payment pages are open here.'
        : invoice.pages.size >= streamLimits.invoice
          ? 'This payment page is open too many times.'
          : (pagesOfIp.get(ip) ?? 0) >= streamLimits.ip
            ? 'Too many payment pages are open from your IP address.'
            : null
    if (problem !== null) throw new RateLimitedError(retryAfterSeconds, problem)
  }

  function look(ids: readonly string[]): void {
    for (const id of ids) waiting.add(id)
    if (waiting.size > 0) schedule(batchMs)
  }

  function schedule(afterMs: number): void {
    if (closed || reading) return
    batching ??= setTimeout(() => {
      batching = null
      void readWaiting()
    }, afterMs)
  }

  /** Reads all waiting invoices in batches; those that arrive meanwhile are read afterwards. */
  async function readWaiting(): Promise<void> {
    reading = true
    let pauseMs = batchMs
    const ids = [...waiting]
    waiting = new Set()
    try {
      for (let from = 0; from < ids.length; from += maxBatch) {
        const batch = ids.slice(from, from + maxBatch)
        const visits = await options.read(batch)
        for (const [at, id] of batch.entries()) {
          const invoice = invoices.get(id)
          if (invoice !== undefined) tell(invoice, visits[at] ?? null, invoice.pages)
        }
      }
    } catch (error) {
      options.onReadFailed(error)
      for (const id of ids) waiting.add(id)
      pauseMs = retryMs
    } finally {
      reading = false
    }
    if (waiting.size > 0) schedule(pauseMs)
  }

  function tell(invoice: FollowedInvoice, visit: Visit | null, pages: Iterable<Page>): void {
    if (visit === null || hasEnded(visit, options.now())) {
      for (const { stream } of pages) {
        stream.send('ended', '{}')
        stream.end()
      }
      return
    }
    invoice.gateId = visit.invoice.asset?.gateId ?? null
    invoice.aheadMs = visit.aheadMs
    invoice.countsBlocks = visit.payments.some(
      (payment) => confirmationsOf(payment, visit.tip ?? 0n) < BigInt(payment.requiredConfirmations),
    )
    // The time alone is not news. A QR code takes longer than all the rest, and most checks find nothing new.
    const { now: _, ...view } = options.view(visit, { withoutQr: true })
    // A page counts down to the end of the window by the time it was told, which a test clock moves.
    const news = createHash('sha256')
      .update(JSON.stringify([visit.aheadMs, view]))
      .digest('base64')
    const untold = [...pages].filter(({ told }) => told !== news)
    if (untold.length === 0) return
    const data = JSON.stringify(options.view(visit))
    for (const page of untold) {
      page.told = news
      page.stream.send('checkout', data)
    }
  }

  function tick(): void {
    turn = (turn + 1) % roundTicks
    const now = options.now()
    const place = wheel[turn] as Set<Page>
    for (const page of place) {
      page.stream.beat()
      if (now.getTime() - page.tokenMadeMs < renewAfterMs) continue
      page.tokenMadeMs = now.getTime()
      page.stream.send('token', JSON.stringify(checkoutTokenView(page.invoice, now, page.invoice)))
    }
    look([...place].map(({ invoice }) => invoice.id))
  }
}
