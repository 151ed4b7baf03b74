import pg from 'pg'

/**
 * The values a statement may have as parameters. `undefined` is not among them, because a driver would send it as NULL. For
 * NULL, pass null.
 */
export type Value = string | number | bigint | boolean | Date | Uint8Array | null | readonly Value[]

/** What statements run on: the pool, one session, or a transaction. */
export type Db = {
  readonly isTransaction: boolean
  query(text: string, values: readonly Value[]): Promise<Result>
  /** Runs `work` in one transaction, without retrying. Transactions cannot be nested. */
  transaction<T>(work: (tx: Db) => Promise<T>): Promise<T>
  /** As `transaction`, but read-only, and everything that `work` reads is as of one moment. */
  snapshot<T>(work: (tx: Db) => Promise<T>): Promise<T>
}

export type Result = Pick<pg.QueryResult, 'rows' | 'rowCount' | 'command' | 'fields'>

/**
 * A statement, or a part of one: text with values in it, which are sent as parameters and never become text. `Row` is the
 * type that the author expects PostgreSQL to return. The tests check it against what PostgreSQL does return, at every call
 * of `rows`, `one` and `maybeOne`.
 */
export class Sql<Row = unknown> {
  readonly #strings: readonly string[]
  readonly #values: readonly (Value | Sql)[]

  constructor(strings: readonly string[], values: readonly (Value | Sql)[]) {
    this.#strings = strings
    this.#values = values
  }

  /** All rows of the result. */
  async rows(db: Db): Promise<Row[]> {
    return (await this.#send(db)).rows
  }

  /** The row of a statement that always returns exactly one. */
  async one(db: Db): Promise<Row> {
    const row = await this.maybeOne(db)
    if (row === null) throw new Error(`The statement returned no row, but must return one: ${this.text}`)
    return row
  }

  /** The row of a statement that returns at most one; null when it returns none. */
  async maybeOne(db: Db): Promise<Row | null> {
    const { rows } = await this.#send(db)
    if (rows.length > 1)
      throw new Error(`The statement returned ${rows.length} rows, but must return at most one: ${this.text}`)
    return rows[0] ?? null
  }

  /** Runs it, and returns how many rows it wrote or found. */
  async run(db: Db): Promise<number> {
    return (await this.#send(db)).rowCount ?? 0
  }

  /** The text as PostgreSQL gets it, with a numbered placeholder for each value. */
  get text(): string {
    return this.#text([])
  }

  async #send(db: Db): Promise<Result> {
    const values: Value[] = []
    const text = this.#text(values)
    return db.query(text, values)
  }

  /** Builds the text, and appends its values to those before it. */
  #text(values: Value[]): string {
    if (values.length > 0 || this.#values.some(isPart)) return this.#compose(values)
    // Without parts the text is always the same, so one string is reused and the driver has to examine it only once.
    values.push(...(this.#values as readonly Value[]))
    let text = texts.get(this.#strings)
    if (text === undefined) {
      text = this.#compose([])
      texts.set(this.#strings, text)
    }
    return text
  }

  #compose(values: Value[]): string {
    let text = this.#strings[0] as string
    for (const [at, value] of this.#values.entries()) {
      text += value instanceof Sql ? value.#compose(values) : `$${values.push(value)}`
      text += this.#strings[at + 1]
    }
    return text
  }
}

const texts = new WeakMap<readonly string[], string>()

const isPart = (value: Value | Sql): boolean => value instanceof Sql

function tag<Row = unknown>(strings: readonly string[], ...values: readonly (Value | Sql)[]): Sql<Row> {
  for (const [at, value] of values.entries())
    if (value === undefined || (Array.isArray(value) && value.includes(undefined)))
      throw new TypeError(`A value of the statement is undefined, after: ${strings[at]}`)
  return new Sql(strings, values)
}

/**
 * Builds a statement from a template. A value in it becomes a parameter, a list becomes one parameter too (`=
 * any(${ids}::uuid[])`), and a nested `sql` becomes part of the text.
 */
export const sql = Object.assign(tag, {
  /** The quoted name of a table or column; several names are joined with dots. */
  ref: (...names: readonly string[]): Sql => sql.raw(names.map(pg.escapeIdentifier).join('.')),

  /** A value as part of the text, for statements that must be planned for each value. Everything else is a parameter. */
  lit: (value: string | number | bigint): Sql =>
    // In parentheses: after another minus sign, the value's own would start a comment.
    sql.raw(typeof value === 'string' ? pg.escapeLiteral(value) : value < 0 ? `(${value})` : `${value}`),

  /** Text as it is. Never pass it anything that came from outside. */
  raw: (text: string): Sql => new Sql([text], []),

  /** Parts or values with a separator between them; empty when there are none. */
  join(items: readonly (Value | Sql)[], separator: Sql = comma): Sql {
    const parts = items.flatMap((item, at) => (at === 0 ? [item] : [separator, item]))
    return tag(Array<string>(parts.length + 1).fill(''), ...parts)
  },
})

const comma = sql.raw(', ')
