import type { PayoutVerdict } from '@sluice/web/contract'
import { checkPayouts, importPayouts } from '@sluice/web/operations'
import { NotProvedError, RefusedError } from './api/errors.ts'
import { decodeText } from './csv.ts'
import type { Desk } from './desk.svelte.ts'
import { forgetKeys, keepKeys, keysOfPayouts } from './import-keys.ts'
import { type FileProblem, type FileRow, mostBytes, readPayoutFile } from './payout-file.ts'

/** A row of the file, and what the service says about it: a verdict, or a refusal of its form. Neither while it is not asked. */
export type ImportRow = {
  readonly row: FileRow
  readonly verdict: PayoutVerdict | null
  readonly refused: RefusedError | null
}

type Order = FileRow['body'] & { readonly idempotency_key: string }

type Shown = { readonly text: string } & (
  | { readonly problems: readonly (FileProblem | { readonly code: 'large' })[] }
  /** `created` is how many of them the import was asked to create, once it has. */
  | { readonly rows: readonly ImportRow[]; readonly created: number | null }
)

/** Payouts from a file: its text, what it would do, and what it did. */
export class PayoutImport {
  text = $state('')
  busy = $state(false)
  #shown = $state.raw<Shown | null>(null)
  readonly #desk: Desk
  readonly #place: string

  constructor(desk: Desk) {
    this.#desk = desk
    this.#place = `${desk.merchantId} ${desk.environment}`
  }

  /** What is wrong with the text as a whole. Changed since, it is no longer known. */
  readonly problems = $derived.by(() => {
    const shown = this.#shown
    return shown?.text === this.text && 'problems' in shown ? shown.problems : []
  })

  readonly rows = $derived.by(() => {
    const shown = this.#shown
    return shown !== null && 'rows' in shown && (shown.created !== null || shown.text === this.text)
      ? shown.rows
      : null
  })

  /** How many payouts it has created; null before. */
  readonly created = $derived.by(() => {
    const shown = this.#shown
    return shown !== null && 'rows' in shown ? shown.created : null
  })

  /** Takes a file in place of what is there, and checks it. */
  async take(file: File): Promise<void> {
    if (this.busy) return
    if (file.size > mostBytes) {
      this.#shown = { text: this.text, problems: [{ code: 'large' }] }
      return
    }
    this.text = decodeText(new Uint8Array(await file.arrayBuffer()))
    await this.check()
  }

  async check(): Promise<void> {
    if (this.busy) return
    const { text } = this
    const file =
      text.length > mostBytes
        ? { problems: [{ code: 'large' } as const] }
        : readPayoutFile(text, this.#desk.language)
    if ('problems' in file) {
      this.#shown = { text, problems: file.problems }
      return
    }
    const { rows } = file
    await this.#ask(async () => {
      const sound = rows.filter(({ problems }) => problems.length === 0)
      const orders = this.#orders(rows)
      const said =
        sound.length === 0
          ? []
          : await this.#judged(
              sound,
              orders.filter((_, at) => rows[at]?.problems.length === 0),
            )
      this.#shown = {
        text,
        created: null,
        rows: rows.map(
          (row) => said.find((each) => each.row === row) ?? { row, verdict: null, refused: null },
        ),
      }
    })
  }

  /** What the service says of the rows. A row whose form it refuses is set apart, and the others are judged without it. */
  async #judged(rows: readonly FileRow[], payouts: Order[]): Promise<ImportRow[]> {
    try {
      const verdicts = await this.#desk.api.call(checkPayouts, { body: { payouts } })
      return rows.map((row, at) => ({ row, verdict: verdicts[at] ?? null, refused: null }))
    } catch (error) {
      const wrong = rows.map((_, at) => refusalOfRow(error, at))
      if (wrong.every((each) => each === null)) throw error
      const isFine = (_: unknown, at: number) => wrong[at] === null
      const others = rows.filter(isFine)
      const judged = others.length === 0 ? [] : await this.#judged(others, payouts.filter(isFine))
      return rows.map(
        (row, at) =>
          judged.find((each) => each.row === row) ?? { row, verdict: null, refused: wrong[at] ?? null },
      )
    }
  }

  /** Creates all of them, or none. True once they exist. */
  async create(): Promise<boolean> {
    const { rows, text } = this
    if (this.busy || rows === null) return false
    const bodies = rows.map(({ row }) => row)
    const wanted = rows.filter(({ verdict }) => verdict?.outcome === 'ready').length
    let isCreated = false
    await this.#ask(async () => {
      // Kept before they are sent: the answer may be lost.
      keepKeys(this.#place, bodiesOf(bodies))
      const orders = this.#orders(bodies)
      // The service would refuse all for one that exists with another note.
      const isAsked = (_: unknown, at: number) => rows[at]?.verdict?.outcome !== 'refused'
      const verdicts = await this.#desk.api.call(importPayouts, {
        body: { payouts: orders.filter(isAsked) },
      })
      isCreated = verdicts.every(({ outcome }) => outcome === 'created' || outcome === 'replayed')
      const verdictOf = new Map(bodies.filter(isAsked).map((row, at) => [row, verdicts[at] ?? null]))
      this.#shown = {
        text,
        created: isCreated ? wanted : null,
        rows: rows.map(({ row, verdict }) => ({
          row,
          verdict: verdictOf.get(row) ?? verdict,
          refused: null,
        })),
      }
      if (!isCreated) return
      if (this.text === text) this.text = ''
      this.#desk.changes++
    })
    return isCreated
  }

  /** The payouts that exist already are wanted once more. */
  async again(): Promise<void> {
    const rows = this.rows ?? []
    forgetKeys(this.#place, bodiesOf(rows.map(({ row }) => row)), (at) => {
      const each = rows[at]
      return each !== undefined && existsAlready(each)
    })
    await this.check()
  }

  /** Back to the start, for another file. */
  restart(): void {
    this.#shown = null
    this.text = ''
  }

  /** The payouts with their idempotency keys. */
  #orders(rows: readonly FileRow[]): Order[] {
    const keys = keysOfPayouts(this.#place, bodiesOf(rows))
    return rows.map(({ body }, at) => ({ ...body, idempotency_key: keys[at] ?? '' }))
  }

  async #ask(work: () => Promise<void>): Promise<void> {
    this.busy = true
    try {
      await work()
    } catch (error) {
      if (!(error instanceof NotProvedError)) this.#desk.toasts.say(this.#desk.explain(error), 'over')
    } finally {
      this.busy = false
    }
  }
}

/** Whether this browser has asked for it before: for the very same, or with another note. */
export function existsAlready({ row, verdict }: ImportRow): boolean {
  const isChanged =
    row.body.idempotency_key === undefined && verdict?.error?.code === 'idempotency_key_mismatch'
  return verdict?.outcome === 'replayed' || isChanged
}

function bodiesOf(rows: readonly FileRow[]): FileRow['body'][] {
  return rows.map(({ body }) => body)
}

/** What a refusal of the whole request says about one payout of it, as if that had been sent alone. */
function refusalOfRow(error: unknown, at: number): RefusedError | null {
  if (!(error instanceof RefusedError)) return null
  const start = ['', 'payouts', at, ''].join('/')
  const ofRow = error.details.flatMap((detail, index) => (detail.startsWith(start) ? [index] : []))
  if (ofRow.length === 0) return null
  const details = ofRow.map((index) => `/${error.details[index]?.slice(start.length)}`)
  const problems = ofRow.flatMap((index) => error.told[index] ?? [])
  const { status, code, message, reasons, requestId } = error
  return new RefusedError(status, { code, message, details, problems, reasons }, requestId, null)
}
