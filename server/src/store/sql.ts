import pg from 'pg'

/**
 * What a statement may carry as a parameter. There is no `undefined` among them, which a driver would take for NULL: who
 * means NULL says null.
 */
export type Value = string | number | bigint | boolean | Date | Uint8Array | null | readonly Value[]

/** Something that statements run on: the pool, one session, or a transaction. */
export type Db = {
  readonly isTransaction: boolean
  query(text: string, values: readonly Value[]): Promise<Result>
  /** Runs `work` in one transaction, once. A transaction cannot be begun inside another. */
  transaction<T>(work: (tx: Db) => Promise<T>): Promise<T>
  /** As `transaction`, but all that `work` reads is of one moment, and it can write nothing. */
  snapshot<T>(work: (tx: Db) => Promise<T>): Promise<T>
}

export type Result = Pick<pg.QueryResult, 'rows' | 'rowCount' | 'command' | 'fields'>

/**
 * A statement, or a part of one: text with values in it, which are sent as parameters and never become text. `Row` is what
 * the author says PostgreSQL answers; the tests hold it against what PostgreSQL does answer, at every call of `rows`, `one`
 * and `maybeOne`.
 */
export class Sql<Row = unknown> {
  readonly #strings: readonly string[]
  readonly #values: readonly (Value | Sql)[]

  constructor(strings: readonly string[], values: readonly (Value | Sql)[]) {
    this.#strings = strings
    this.#values = values
  }

  /** All rows of the answer. */
  async rows(db: Db): Promise<Row[]> {
    return (await this.#send(db)).rows
  }

  /** The one row of an answer that always has exactly one. */
  async one(db: Db): Promise<Row> {
    const row = await this.maybeOne(db)
    if (row === null) throw new Error(`No row was found where there is always one: ${this.text}`)
    return row
  }

  /** The row of an answer that has at most one; null when it has none. */
  async maybeOne(db: Db): Promise<Row | null> {
    const { rows } = await this.#send(db)
    if (rows.length > 1)
      throw new Error(`${rows.length} rows were found where there is at most one: ${this.text}`)
    return rows[0] ?? null
  }

  /** Does it, and answers how many rows were written, or found. */
  async run(db: Db): Promise<number> {
    return (await this.#send(db)).rowCount ?? 0
  }

  /** The text as PostgreSQL gets it, with a number for each value. */
  get text(): string {
    return this.#text([])
  }

  async #send(db: Db): Promise<Result> {
    const values: Value[] = []
    const text = this.#text(values)
    return db.query(text, values)
  }

  /** Puts the text together and adds its values to those that stand before it. */
  #text(values: Value[]): string {
    if (values.length > 0 || this.#values.some(isPart)) return this.#compose(values)
    // Without parts the text is the same each time, and so the driver has to look at it only once.
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
      throw new TypeError(`Undefined is no value for a statement, after: ${strings[at]}`)
  return new Sql(strings, values)
}

/**
 * Makes a statement of a template. A value in it becomes a parameter, a list one parameter too (`= any(${ids}::uuid[])`),
 * and another `sql` a part of the text.
 */
export const sql = Object.assign(tag, {
  /** The name of a table or a column, in quotes; several are joined by dots. */
  ref: (...names: readonly string[]): Sql => sql.raw(names.map(pg.escapeIdentifier).join('.')),

  /** A value as part of the text. For what must be planned anew with each value: everything else is a parameter. */
  lit: (value: string | number | bigint): Sql =>
    // Behind a minus, that of the value would begin a comment.
    sql.raw(typeof value === 'string' ? pg.escapeLiteral(value) : value < 0 ? `(${value})` : `${value}`),

  /** Text as it is. Never anything that came from outside. */
  raw: (text: string): Sql => new Sql([text], []),

  /** Parts or values with something between them; nothing at all when there are none. */
  join(items: readonly (Value | Sql)[], separator: Sql = comma): Sql {
    const parts = items.flatMap((item, at) => (at === 0 ? [item] : [separator, item]))
    return tag(Array<string>(parts.length + 1).fill(''), ...parts)
  },
})

const comma = sql.raw(', ')
