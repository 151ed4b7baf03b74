import { appendFileSync } from 'node:fs'

export type Finding = { seed: number; step: number; kind: string; what: string; context: unknown }
export type Operation = {
  who: string
  method: string
  path: string
  body: unknown
  status: number
  answer?: unknown
}

const shownOfAKind = 3
const keptOperations = 40
const maxContext = 1100

/** Every deviation from the model, and the operations before it. */
export class Findings {
  readonly all: Finding[] = []
  readonly seed: number
  step = 0
  checks = 0
  readonly #say: (line: string) => void
  readonly #trace: string | null
  readonly #last: Operation[] = []

  constructor(seed: number, say: (line: string) => void, trace: string | null = null) {
    this.seed = seed
    this.#say = say
    this.#trace = trace
  }

  report(kind: string, what: string, context?: unknown): void {
    this.all.push({ seed: this.seed, step: this.step, kind, what, context })
    const alike = this.all.filter((each) => each.kind === kind).length
    if (alike > shownOfAKind) return
    this.#say(`NOT OK [seed ${this.seed} step ${this.step}] ${kind}: ${what}`)
    if (context !== undefined) this.#say(`    ${asText(context)?.slice(0, maxContext)}`)
    if (alike === 1)
      this.#say(
        `    last operations: ${this.#last
          .slice(-6)
          .map(({ method, path, status }) => `${method} ${path} ${status}`)
          .join(' | ')}`,
      )
  }

  /** Reports a finding unless `ok` holds. The context may be a function, which is called only then. */
  check(ok: unknown, kind: string, what: string, context?: unknown): boolean {
    this.checks++
    if (!ok) this.report(kind, what, typeof context === 'function' ? context() : context)
    return Boolean(ok)
  }

  same<T>(got: T, want: T, kind: string, what: string, context?: unknown): boolean {
    return this.check(got === want, kind, `${what}: got ${got}, want ${want}`, context)
  }

  /** Remembers an operation, and writes it to the trace if there is one. */
  note(operation: Operation): void {
    this.#last.push(operation)
    if (this.#last.length > keptOperations) this.#last.shift()
    if (this.#trace !== null) appendFileSync(this.#trace, `${asText({ step: this.step, ...operation })}\n`)
  }

  /** The number of findings of each kind. */
  kinds(): Record<string, number> {
    const kinds: Record<string, number> = {}
    for (const { kind } of this.all) kinds[kind] = (kinds[kind] ?? 0) + 1
    return kinds
  }
}

/** JSON, with bigints as text. */
export function asText(value: unknown): string | undefined {
  return JSON.stringify(value, (_, each) => (typeof each === 'bigint' ? each.toString() : each))
}
