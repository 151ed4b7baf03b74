import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { addressGrantsOn } from '../../src/store/addresses/address-grants.ts'
import { depositAddressesOn, type ProvedPlace } from '../../src/store/addresses/deposit-addresses.ts'
import type { Database } from '../../src/store/database.ts'
import { sql } from '../../src/store/sql.ts'
import { createTestDatabase, query, type TestDatabase } from '../support/database/database.ts'
import { openTestDatabase } from '../support/database/open-database.ts'

let test: TestDatabase
let database: Database
let addresses: ReturnType<typeof depositAddressesOn>
let grants: ReturnType<typeof addressGrantsOn>
const grant = (keychain: string, below = 1_000, first = 0) =>
  grants.put([{ keychain, first, below, stamp: 'a stamp' }])
beforeAll(async () => {
  test = await createTestDatabase()
  database = openTestDatabase(test.url, 20)
  addresses = depositAddressesOn(database.db)
  grants = addressGrantsOn(database.db)
})
afterAll(async () => {
  await database.close()
  await test.drop()
})

const places = (from: number, count: number): ProvedPlace[] =>
  Array.from({ length: count }, (_, n) => ({
    address: `address-${from + n}`,
    tag: null,
    proof: `proof-${from + n}`,
  }))

describe('claiming', () => {
  it('gives addresses in order, fewer when fewer are ready, and none of an unknown gate', async () => {
    await grant('order-test')
    expect(await addresses.claim('order-test', 5)).toEqual([])
    expect(await addresses.add('order-test', 0, places(0, 3))).toBe(true)
    expect(await addresses.claim('order-test', 2)).toEqual([
      { position: 0, address: 'address-0', tag: null, proof: 'proof-0' },
      { position: 1, address: 'address-1', tag: null, proof: 'proof-1' },
    ])
    expect((await addresses.claim('order-test', 2)).map(({ position }) => position)).toEqual([2])
    expect(await addresses.claim('order-test', 2)).toEqual([])
  })

  it('50 times at once, while more are derived, gives no address twice and skips none', async () => {
    await grant('parallel-test')
    await addresses.add('parallel-test', 0, places(0, 100))
    const fill = async () => {
      for (let from = 100; from < 400; from += 10)
        await addresses.add('parallel-test', from, places(from, 10))
    }
    const claims = Array.from({ length: 50 }, async () => {
      const taken = []
      for (let n = 0; n < 6; n++) taken.push(...(await addresses.claim('parallel-test', 3)))
      return taken
    })
    const [taken] = await Promise.all([Promise.all(claims), fill()])
    const rest = await addresses.claim('parallel-test', 1_000)
    const positions = [...taken.flat(), ...rest].map(({ position }) => position).sort((a, b) => a - b)
    expect(positions).toEqual(Array.from({ length: 400 }, (_, n) => n))
  })

  it('in a transaction that is rolled back leaves the addresses to the next claim', async () => {
    await grant('rollback-test')
    await addresses.add('rollback-test', 0, places(0, 5))
    const failed = database.transaction(async (tx) => {
      await depositAddressesOn(tx).claim('rollback-test', 5)
      throw new Error('no')
    })
    await expect(failed).rejects.toThrow('no')
    expect(await addresses.claim('rollback-test', 5)).toHaveLength(5)
  })
})

describe('a grant', () => {
  it('bounds the addresses that are given out, and without one there are none', async () => {
    await addresses.add('granted-test', 0, places(0, 10))
    expect(await addresses.claim('granted-test', 3)).toEqual([])
    await grant('granted-test', 6, 4)
    expect(await grants.mayGive('granted-test')).toBe(true)
    expect((await addresses.claim('granted-test', 9)).map(({ position }) => position)).toEqual([4, 5])
    expect(await grants.mayGive('granted-test')).toBe(false)
    await grant('granted-test', 7, 6)
    expect((await addresses.claim('granted-test', 9)).map(({ position }) => position)).toEqual([6])
  })

  it('beyond the derived addresses requires everything below it to be derived too', async () => {
    await addresses.add('beyond-test', 0, places(0, 2))
    await grant('beyond-test', 30, 20)
    expect(await addresses.shortage(['beyond-test'], 1)).toEqual([
      { keychain: 'beyond-test', ready: -18, from: 2 },
    ])
  })

  it.each([
    ['of another life of the database', `update deposit_address_grants set life = 'another'`],
    [
      'that was loaded from a dump',
      `create temp table dumped on commit drop as select * from deposit_address_grants;
       delete from deposit_address_grants; insert into deposit_address_grants select * from dumped`,
    ],
  ])('%s counts for nothing', async (_, statements) => {
    await addresses.add('old-test', 0, places(0, 3))
    await grant('old-test', 3)
    await query(test.url, statements)
    expect(await grants.states(['old-test'])).toMatchObject([{ grant: { isAlive: false } }])
    expect(await grants.mayGive('old-test')).toBe(false)
    expect(await addresses.claim('old-test', 1)).toEqual([])
    await grant('old-test', 3)
    expect(await addresses.claim('old-test', 1)).toHaveLength(1)
  })

  it('that is being withdrawn makes claims wait, and gives nothing afterwards', async () => {
    await addresses.add('back-test', 0, places(0, 5))
    await grant('back-test')
    let claimed: Promise<unknown> | null = null
    await database.transaction(async (tx) => {
      await addressGrantsOn(tx).put([{ keychain: 'back-test', first: 0, below: 0, stamp: 'another' }])
      claimed = addresses.claim('back-test', 1)
      const waits = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
      await expect.poll(() => query(test.url, waits), { interval: 10 }).toHaveLength(1)
    })
    expect(await claimed).toEqual([])
  })
})

describe('adding', () => {
  it('by concurrent fillers with the same positions succeeds once, and leaves nothing of the others', async () => {
    const outcomes = await Promise.all(
      Array.from({ length: 8 }, (_, filler) =>
        addresses.add(
          'fillers-test',
          0,
          places(0, 20).map((place) => ({ ...place, address: `${filler}-${place.address}` })),
        ),
      ),
    )
    expect(outcomes.filter(Boolean)).toHaveLength(1)
    await grant('fillers-test')
    const taken = await addresses.claim('fillers-test', 100)
    expect(taken).toHaveLength(20)
    expect(new Set(taken.map(({ address }) => address[0])).size).toBe(1)
  })

  it('beyond a gap or before the end is refused', async () => {
    expect(await addresses.add('gap-test', 5, places(5, 1))).toBe(false)
    expect(await addresses.add('gap-test', 0, places(0, 3))).toBe(true)
    expect(await addresses.add('gap-test', 2, places(2, 1))).toBe(false)
    expect(await addresses.add('gap-test', 4, places(4, 1))).toBe(false)
    expect(await addresses.add('gap-test', 3, [])).toBe(true)
    expect(await addresses.add('gap-test', 3, places(3, 1))).toBe(true)
  })

  it('the same address twice is an error and changes nothing', async () => {
    await addresses.add('same-test', 0, places(0, 1))
    await expect(addresses.add('same-test', 1, places(0, 1))).rejects.toThrow('deposit_addresses_by_place')
    expect(await addresses.shortage(['same-test'], 10)).toEqual([
      { keychain: 'same-test', ready: 1, from: 1 },
    ])
  })
})

it('a shortage names the keychains below the mark, even unknown ones, and where to continue', async () => {
  await addresses.add('short-test', 0, places(0, 12))
  await grant('short-test')
  await addresses.claim('short-test', 5)
  await addresses.add('ample-test', 0, places(0, 12))
  expect(await addresses.shortage(['short-test', 'ample-test', 'none-test'], 10)).toEqual([
    { keychain: 'short-test', ready: 7, from: 12 },
    { keychain: 'none-test', ready: 0, from: 0 },
  ])
  expect(await addresses.shortage([], 10)).toEqual([])
})

describe('addresses that were given out are kept for good', () => {
  it.each([
    ['update deposit_addresses set address = $$x$$', 'append-only'],
    ['delete from deposit_addresses', 'append-only'],
    ['truncate deposit_addresses', 'append-only'],
    [`update deposit_address_counters set given = given - 1 where keychain = 'kept-test'`, 'never goes back'],
    [
      `update deposit_address_counters set derived = derived - 1 where keychain = 'kept-test'`,
      'never goes back',
    ],
    [`delete from deposit_address_counters where keychain = 'kept-test'`, 'never goes back'],
    ['truncate deposit_address_counters', 'append-only'],
    [`update deposit_address_counters set given = derived + 1 where keychain = 'kept-test'`, 'check'],
  ])('%s is refused', async (statement, reason) => {
    await addresses.add('kept-test', 0, places(0, 4))
    await grant('kept-test')
    await addresses.claim('kept-test', 2)
    await expect(query(test.url, statement)).rejects.toThrow(reason)
  })
})

describe('finding our own addresses among a block’s outputs', () => {
  it('distinguishes an address without a tag from the same one with a tag', async () => {
    await addresses.add('find-test', 0, [
      { address: 'a', tag: null, proof: null },
      { address: 'b', tag: '7', proof: null },
      { address: 'b', tag: '8', proof: 'b8' },
    ])
    await addresses.add('other-test', 0, [{ address: 'elsewhere', tag: null, proof: null }])
    const asked = [
      { address: 'a', tag: null },
      { address: 'a', tag: null },
      { address: 'a', tag: '7' },
      { address: 'b', tag: null },
      { address: 'b', tag: '8' },
      { address: 'elsewhere', tag: null },
    ]
    expect(await addresses.find('find-test', asked)).toEqual([
      { position: 0, address: 'a', tag: null, proof: null },
      { position: 2, address: 'b', tag: '8', proof: 'b8' },
    ])
    expect(await addresses.among('find-test', ['a', 'a', 'b', 'c', 'elsewhere'])).toEqual(new Set(['a']))
    expect(await addresses.find('find-test', [])).toEqual([])
    expect(await addresses.among('find-test', [])).toEqual(new Set())
  })

  it('never reads through a hundred thousand tags of one address, or as many addresses', async () => {
    const last = 99_999
    // In a database of its own and over one connection: other connections flush their statistics at any time.
    const own = await createTestDatabase()
    const one = openTestDatabase(own.url, 1)
    try {
      await sql`
        insert into deposit_addresses select 'many-test', n, 'account', n::text from generate_series(0, ${last}) n
        union all select 'plain-test', n, 'plain-' || n, '' from generate_series(0, ${last}) n`.run(one.db)
      await sql`vacuum analyze deposit_addresses`.run(one.db)
      const before = await rowsRead(one)
      const many = depositAddressesOn(one.db)
      const strangers = Array.from({ length: 1_000 }, (_, n) => `stranger-${n}`)
      // Often enough for PostgreSQL to settle on a generic plan.
      for (let round = 0; round < 8; round++) {
        expect(await many.among('many-test', [...strangers, 'account'])).toEqual(new Set())
        expect(await many.among('plain-test', [...strangers, 'plain-7'])).toEqual(new Set(['plain-7']))
        const asked = [...strangers, 'account'].map((address) => ({ address, tag: '99999' }))
        expect(await many.find('many-test', asked)).toMatchObject([{ position: 99_999 }])
      }
      expect((await rowsRead(one)) - before).toBeLessThan(200n)
    } finally {
      await one.close()
      await own.drop()
    }
  })
})

/** How many rows of the table or its indexes were read, by connections that flushed their statistics and by this one. */
async function rowsRead({ db }: Database): Promise<bigint> {
  await sql`select pg_stat_force_next_flush()`.run(db)
  const row = await sql<{ n: bigint }>`
    select seq_tup_read + (select sum(idx_tup_read) from pg_stat_user_indexes where relname = 'deposit_addresses') as n
    from pg_stat_user_tables where relname = 'deposit_addresses'`.maybeOne(db)
  return row?.n ?? 0n
}
