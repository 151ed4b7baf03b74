import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Database } from '../../src/store/database.ts'
import { type Db, sql, type Value } from '../../src/store/sql.ts'
import { createTestDatabase, type TestDatabase } from '../support/database/database.ts'
import { openTestDatabase } from '../support/database/open-database.ts'

let test: TestDatabase
let database: Database
let db: Db
beforeAll(async () => {
  test = await createTestDatabase()
  database = openTestDatabase(test.url, 2)
  db = database.db
})
afterAll(async () => {
  await database.close()
  await test.drop()
})

const attack = `'; drop table invoices; -- " \\ $1 \${x} %`

describe('values', () => {
  it('become parameters, whatever they contain', async () => {
    const statement = sql<{ said: string }>`select ${attack}::text as said`
    expect(statement.text).toBe('select $1::text as said')
    expect(await statement.one(db)).toEqual({ said: attack })
    expect(await sql`select from invoices`.rows(db)).toEqual([])
  })

  it('arrive as they were sent', async () => {
    const at = new Date('2026-01-02T03:04:05.678Z')
    const statement = sql<Record<string, Value>>`
      select ${1}::int as number, ${2n ** 70n}::numeric as bigint, ${true}::boolean as yes, ${at}::timestamptz as at,
        ${Buffer.from([0, 255])}::bytea as bytes, ${null}::text as nothing, ${[attack, null, '']}::text[] as list`
    expect(await statement.one(db)).toEqual({
      number: 1,
      bigint: 2n ** 70n,
      yes: true,
      at,
      bytes: Buffer.from([0, 255]),
      nothing: null,
      list: [attack, null, ''],
    })
  })

  it('in a list are one parameter, and an empty list finds nothing', async () => {
    const among = (list: readonly number[]) =>
      sql<{ n: number }>`select n from generate_series(1, 5) as n where n = any(${list}::int[])`
    expect(await among([2, 4, 9]).rows(db)).toEqual([{ n: 2 }, { n: 4 }])
    expect(await among([]).rows(db)).toEqual([])
  })

  it('of undefined are refused by the compiler and at run time', () => {
    const missing: { id?: string } = {}
    // @ts-expect-error
    expect(() => sql`select ${missing.id}`).toThrow('A value of the statement is undefined, after: select ')
    // @ts-expect-error
    expect(() => sql`select ${['a', missing.id]}`).toThrow(TypeError)
    // @ts-expect-error
    expect(() => sql.join([missing.id])).toThrow(TypeError)
  })

  it('that are objects or promises are refused by the compiler', () => {
    // @ts-expect-error
    void sql`select ${{ a: 1 }}`
    // @ts-expect-error
    void sql`select ${Promise.resolve(1)}`
  })
})

describe('parts', () => {
  it('are numbered in the order of the text, however deeply nested', async () => {
    const inner = sql`${'c'}::text || ${'d'}`
    const middle = sql`${'b'}::text || ${inner} || ${'e'}`
    const statement = sql<{ all: string }>`select ${'a'}::text || ${middle} || ${'f'} || ${inner} as all`
    expect(statement.text).toBe(
      'select $1::text || $2::text || $3::text || $4 || $5 || $6 || $7::text || $8 as all',
    )
    expect(await statement.one(db)).toEqual({ all: 'abcdefcd' })
  })

  it('can be empty, and used again elsewhere', async () => {
    const nothing = sql``
    const condition = sql`n > ${1}`
    const statement = sql`select n from generate_series(1, ${3}) as n where ${condition} ${nothing} and ${condition}`
    expect(statement.text).toContain('where n > $2  and n > $3')
    expect(await statement.rows(db)).toEqual([{ n: 2 }, { n: 3 }])
    expect(condition.text).toBe('n > $1')
  })

  it('are joined by commas or another separator, and no parts give empty text', async () => {
    expect(sql`in (${sql.join([1, sql`x`, attack])})`.text).toBe('in ($1, x, $2)')
    expect(sql.join([sql`a = ${1}`, sql`b = ${2}`], sql` and `).text).toBe('a = $1 and b = $2')
    expect(sql.join([]).text).toBe('')
    expect(await sql`select array[${sql.join([])}]::text[] as list`.rows(db)).toEqual([{ list: [] }])
  })

  it('in the same template give their own text each time', () => {
    const of = (value: Value | ReturnType<typeof sql>) => sql`select ${value}`.text
    expect([of(1), of(sql`now()`), of(2)]).toEqual(['select $1', 'select now()', 'select $1'])
  })

  it('that are names are quoted completely', async () => {
    const name = 'odd "name". --'
    const statement = sql`select ${sql.ref('t', name)} from (select 1 as ${sql.ref(name)}) as t`
    expect(await statement.rows(db)).toEqual([{ [name]: 1 }])
    expect(sql.ref('payouts', 'id').text).toBe('"payouts"."id"')
  })

  it('that are literals stay values', async () => {
    expect(await sql`select ${sql.lit(attack)} as said, 3 -${sql.lit(-2)} as five`.rows(db)).toEqual([
      { said: attack, five: 5 },
    ])
    expect(sql`${sql.lit(-(2n ** 70n))}`.text).toBe('(-1180591620717411303424)')
  })
})

describe('results', () => {
  const upTo = (n: number) => sql<{ n: number }>`select n from generate_series(1, ${n}::int) as n`

  it('with one row are read in one way, and a second row is an error', async () => {
    expect(await upTo(1).one(db)).toEqual({ n: 1 })
    expect(await upTo(1).maybeOne(db)).toEqual({ n: 1 })
    expect(await upTo(0).maybeOne(db)).toBeNull()
    await expect(upTo(0).one(db)).rejects.toThrow(
      'The statement returned no row, but must return one: select n from',
    )
    await expect(upTo(2).one(db)).rejects.toThrow(
      'The statement returned 2 rows, but must return at most one',
    )
    await expect(upTo(2).maybeOne(db)).rejects.toThrow(
      'The statement returned 2 rows, but must return at most one',
    )
  })

  it('count the affected rows', async () => {
    await database.transaction(async (tx) => {
      await sql`create temporary table counted (n int) on commit drop`.run(tx)
      expect(await sql`insert into counted select generate_series(1, 3)`.run(tx)).toBe(3)
      expect(await sql`update counted set n = 0 where n > ${1}`.run(tx)).toBe(2)
      expect(await sql`delete from counted where n = ${7}`.run(tx)).toBe(0)
      expect(await sql`select from counted`.run(tx)).toBe(3)
    })
  })
})
