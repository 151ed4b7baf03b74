import { SvelteSet } from 'svelte/reactivity'
import type { Desk } from './desk.svelte.ts'
import { type RowAmount, totalText } from './totals.ts'

/** What lists with checkboxes know about a row. */
export type Selectable<Row> = {
  readonly key: (row: Row) => string
  /** What the row is called, for its checkbox. */
  readonly nameOf: (row: Row) => string
  /** Null: it has none yet. */
  readonly amountOf: (row: Row) => RowAmount | null
}

/** The rows that the user selected among those on the screen. A row that leaves the screen is no longer selected. */
export class Selection<Row> {
  readonly #of: Selectable<Row>
  readonly #listed: () => readonly Row[]
  readonly #keys = new SvelteSet<string>()
  #last: string | null = null
  readonly rows = $derived.by(() => this.#listed().filter((row) => this.has(row)))

  constructor(listed: () => readonly Row[], of: Selectable<Row>) {
    this.#listed = listed
    this.#of = of
  }

  has(row: Row): boolean {
    return this.#keys.has(this.#of.key(row))
  }

  nameOf(row: Row): string {
    return this.#of.nameOf(row)
  }

  get isAll(): boolean {
    const all = this.#listed().length
    return all > 0 && this.rows.length === all
  }

  /** Selects a row, or not; with all rows since the last one that was clicked, if these are wanted. */
  mark(row: Row, wanted: boolean, withThoseBetween: boolean): void {
    const keys = this.#listed().map(this.#of.key)
    const [at, from] = [keys.indexOf(this.#of.key(row)), this.#last === null ? -1 : keys.indexOf(this.#last)]
    const between =
      withThoseBetween && from !== -1
        ? keys.slice(Math.min(at, from), Math.max(at, from) + 1)
        : keys.slice(at, at + 1)
    for (const key of between) this.#set(key, wanted)
    this.#last = keys[at] ?? null
  }

  markAll(wanted: boolean): void {
    for (const row of this.#listed()) this.#set(this.#of.key(row), wanted)
  }

  clear(): void {
    this.#keys.clear()
    this.#last = null
  }

  #set(key: string, wanted: boolean): void {
    if (wanted) this.#keys.add(key)
    else this.#keys.delete(key)
  }

  /** What some rows come to, as text. */
  totalOf(desk: Pick<Desk, 'language' | 'fiat'>, rows: readonly Row[]): string {
    return totalText(desk, rows.map(this.#of.amountOf))
  }
}
