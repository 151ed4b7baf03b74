import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Store } from '../../../src/store/store.ts'
import { query } from '../../support/database/database.ts'
import {
  type DashboardClient,
  dashboardOperations,
  makePerson,
  signedIn,
} from '../../support/people/dashboard-client.ts'
import { newAddress } from '../../support/shop/money-out.ts'
import { startTestService, type TestService } from '../../support/shop/service.ts'
import { openShop, quiet, type Row, type Shop } from '../../support/shop/shop.ts'

/** Each list and its export: the same rows in the same order, under each filter. */

const formula = '=1+1'
let service: TestService
let shop: Shop
let client: DashboardClient
const ids = { address: '', invoice: '', endpoint: '' }

/** A store whose exports read two rows at a time, so that a file is made of several pages. */
function inTwos(store: Store): Store {
  const short = (part: object) =>
    new Proxy(part, {
      get: (methods, name) => {
        const method = Reflect.get(methods, name)
        if (!String(name).startsWith('exportPage')) return method
        return (...given: unknown[]) => method(...given.slice(0, -1), 2)
      },
    })
  return new Proxy(store, {
    get: (parts, name) => {
      const part = Reflect.get(parts, name)
      return typeof part === 'object' && part !== null ? short(part) : part
    },
  })
}

beforeAll(async () => {
  service = await startTestService(quiet)
  const { reading } = service.app
  const read: typeof reading = (work) => reading((store) => work(inTwos(store)))
  Object.assign(service.app, { reading: read })
  shop = await openShop(service)
  const place = { merchantId: shop.merchantId, role: 'owner' } as const
  client = await signedIn(service, await makePerson(service, place, { isOperator: true }))
  const path = { merchantID: shop.merchantId, environment: 'test' }
  const note = (action: 'key.created' | 'key.revoked', name: string) =>
    service.app.transaction((tx) =>
      tx.auditLog.append(
        shop.merchantId,
        { actor: `user:${name}`, name, ip: null, userAgent: null },
        { environment: 'test', action, subject: null, details: { name: formula } },
      ),
    )
  await note('key.created', 'ann')
  const address = await shop.createAddress({ currency: 'BTC', label: formula })
  ids.address = address.id
  await shop.createAddress({ currency: 'LTC', label: 'mugs' })
  await shop.createAddress({ currency: 'BTC', label: 'mugs' })
  const { currency, network } = address
  for (const amount of ['0.01', '0.000001', '0.02', '0.03']) {
    await shop.deposit({ address: address.address, currency, network, amount })
    await shop.mine(6)
  }
  const invoice = await shop.create({ currency: 'ETH', amount: '1' })
  ids.invoice = (await shop.fund('1')).id
  await shop.pay({ ...invoice, currency: 'USDT' }, '25')
  const other = await shop.fund('0.5')
  const destination = await newAddress('bitcoin')
  for (const more of [
    { invoice_id: ids.invoice, amount: '0.01', description: 'mugs', metadata: { cup: true } },
    { invoice_id: ids.invoice, amount: '0.02' },
    { invoice_id: other.id, amount: '0.03', description: 'mugs', metadata: { cup: false } },
  ])
    await shop.expect(201, 'createRefund', { json: { currency: 'BTC', destination, ...more } })
  await note('key.revoked', 'bob')
  await note('key.created', 'bob')
  // Made when all has happened: nothing is sent to it while the test compares.
  const body = { url: 'http://127.0.0.1:9/hook' }
  ids.endpoint = (await client.call('createWebhookEndpoint', { path, body })).body.data.id
  await query(
    service.database.url,
    `with made as (
       insert into webhook_deliveries (event_id, endpoint_id, status, attempts, due_at, last_attempt_at, created_at)
       select id, $1, case nth when 1 then 'failed' when 2 then 'pending' else 'succeeded' end, case nth when 1 then 2 else 0 end,
         case nth when 2 then now() + interval '1 day' end, case nth when 1 then now() end, created_at
       from (select *, row_number() over (order by position) as nth from events where merchant_id = $2) as events
       returning id, status
     )
     insert into webhook_attempts (delivery_id, number, attempted_at, status_code, duration_ms, error)
     select id, number, now(), 500 + number, number, '+broken' from made, generate_series(1, 2) as number
     where status = 'failed'`,
    [ids.endpoint, shop.merchantId],
  )
})
afterAll(() => service.stop())

type Filters = readonly Record<string, string>[]
type Exported = {
  /** The operation that lists, and the one that exports. */
  readonly operations: readonly [string, string]
  readonly file: string
  readonly times: readonly [after: string, before: string] | null
  /** The member that says when a row was made. */
  readonly made?: string
  readonly filters: () => Filters
  readonly always?: Record<string, string>
  /** A row of the list as in the file. */
  readonly shown?: (row: Row) => Row
}

const created = ['created_after', 'created_before'] as const
const seen = ['seen_after', 'seen_before'] as const
const exports: readonly Exported[] = [
  {
    operations: ['listRefunds', 'exportRefunds'],
    file: 'refunds-test',
    times: created,
    filters: () => [
      { invoice_id: ids.invoice },
      { currency: 'btc', amount_min: '0.02' },
      { currency: 'BTC', amount_max: '0.02', search: 'MUGS' },
      { metadata_key: 'cup', metadata_value: 'true' },
      { metadata_key: 'cup' },
      { search: 'mugs', order: 'oldest_first' },
    ],
  },
  {
    operations: ['listAddresses', 'exportAddresses'],
    file: 'addresses-test',
    times: created,
    filters: () => [{ currency: 'btc' }, { search: 'MUGS' }, { search: 'mugs', order: 'oldest_first' }],
  },
  {
    operations: ['listAddressInvoices', 'exportAddressInvoices'],
    file: 'deposits-\\w{8}-test',
    times: created,
    filters: () => [],
  },
  {
    operations: ['listEvents', 'exportEvents'],
    file: 'events-test',
    times: created,
    filters: () => [{ event: 'invoice.paid' }, { resource_id: ids.invoice }],
  },
  {
    operations: ['listAuditLog', 'exportAuditLog'],
    file: 'audit-log',
    times: created,
    made: 'at',
    filters: () => [
      { actor: 'user:bob' },
      { action: 'key.created' },
      { action: 'key.created', actor: 'user:ann' },
    ],
  },
  {
    operations: ['listSuspense', 'exportSuspense'],
    file: 'suspense-test',
    times: null,
    made: 'seen_at',
    filters: () => [{ reason: 'dust' }, { reason: 'wrong_currency' }],
  },
  {
    operations: ['listOperatorSuspense', 'exportOperatorSuspense'],
    file: 'suspense-test',
    times: seen,
    made: 'seen_at',
    always: { environment: 'test' },
    filters: () => [{ reason: 'dust' }],
    shown: ({ payment, ...rest }) => ({ ...payment, ...rest }),
  },
  {
    operations: ['listEndpointDeliveries', 'exportEndpointDeliveries'],
    file: 'deliveries-test',
    times: created,
    filters: () => [{ status: 'failed' }, { status: 'pending' }],
    shown: ({ attempt_log: log, ...row }) => ({
      ...row,
      last_status_code: log.at(-1)?.status_code ?? null,
      last_duration_ms: log.at(-1)?.duration_ms ?? null,
      last_error: log.at(-1)?.error ?? null,
    }),
  },
]

const path = () => ({
  merchantID: shop.merchantId,
  environment: 'test',
  addressID: ids.address,
  endpointID: ids.endpoint,
})

/** The cells of every row (RFC 4180). */
function parse(text: string): string[][] {
  const rows: string[][] = [[]]
  for (const [, quoted, plain = '', end] of text.matchAll(/(?:"((?:[^"]|"")*)"|([^,\r\n]*))(,|\r\n|$)/g)) {
    if (end === '' && quoted === undefined && plain === '') break
    rows.at(-1)?.push(quoted?.replaceAll('""', '"') ?? plain)
    if (end === '\r\n') rows.push([])
  }
  return rows.filter((row) => row.length > 0)
}

/** What a cell holds: text that looks like a formula is made harmless. */
function cell(value: unknown): string {
  if (value === null || value === undefined) return ''
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value)
  return /^[=+\-@]/.test(text) ? `'${text}` : text
}

it.each(exports.map((each) => [each.operations[1], each] as const))(
  '%s holds exactly the rows of the list under each filter',
  async (_, { operations: [list, file], times, made = 'created_at', filters, always = {}, ...rest }) => {
    const { shown = (row) => row } = rest
    const listed = async (filter: Record<string, string>): Promise<Row[]> => {
      const answer = await client.call(list, { path: path(), query: { ...always, ...filter, limit: '100' } })
      expect(answer.status, answer.text).toBe(200)
      expect(answer.body.meta.pagination.has_more).toBe(false)
      return answer.body.data.map(shown)
    }
    const all = await listed({})
    expect(all.length).toBeGreaterThan(1)
    const newest = String(all[0]?.[made])
    const [after, before] = times ?? []
    const spans: Filters = after && before ? [{ [after]: newest }, { [before]: newest }] : []
    for (const filter of [{}, ...filters(), ...spans]) {
      const rows = await listed(filter)
      const answer = await client.call(file, { path: path(), query: { ...always, ...filter } })
      expect([answer.status, answer.headers.get('cache-control')]).toEqual([200, 'no-store'])
      const [header = [], ...cells] = parse(answer.text)
      const expected = rows.map((row) => header.map((name) => cell(row[name])))
      // An invoice's file has columns that are worth more than what the list shows.
      const known = header.map((name) => rows[0] !== undefined && name in rows[0])
      const only = (row: readonly string[]) => row.filter((_cell, at) => known[at])
      expect(cells.map(only), JSON.stringify(filter)).toEqual(expected.map(only))
      if (Object.keys(filter).length > 0) {
        expect(rows.length, JSON.stringify(filter)).toBeGreaterThan(0)
        expect(rows.length, JSON.stringify(filter)).toBeLessThan(all.length)
      }
    }
    const whole = await client.call(file, { path: path(), query: always })
    expect(whole.headers.get('content-disposition')).toMatch(
      new RegExp(`^attachment; filename="${rest.file}-\\d{4}-\\d\\d-\\d\\d\\.csv"$`),
    )
  },
)

it.each(exports.map(({ operations }) => operations))(
  '%s and %s take the same filters and the same power',
  (list, file) => {
    const [one, other] = [list, file].map((name) => {
      const { permission, parameters } = dashboardOperations.find(({ id }) => id === name) ?? {}
      const names = parameters?.filter((each) => each.in !== 'header').map((each) => each.name)
      return { permission, names: names?.filter((each) => !paging.includes(each)).toSorted() }
    })
    expect(one?.names?.length).toBeGreaterThan(0)
    expect(other).toEqual(one)
  },
)
const paging = ['limit', 'offset', 'cursor', 'after']

it('the name of a file has its filters and its span of time', async () => {
  const named = async (file: string, query: Record<string, string>) =>
    (await client.call(file, { path: path(), query })).headers.get('content-disposition')
  const span = { created_after: '2026-01-01T00:00:00Z', created_before: '2026-01-31T23:00:00Z' }
  expect(await named('exportEvents', { event: 'invoice.paid', ...span })).toMatch(
    /"events-invoice\.paid-test-from-2026-01-01-before-2026-01-31T2300Z-\d{4}-\d\d-\d\d\.csv"$/,
  )
  expect(await named('exportLedger', { currency: 'btc', ...span })).toMatch(
    /"ledger-BTC-test-from-2026-01-01-before-2026-01-31T2300Z-\d{4}-\d\d-\d\d\.csv"$/,
  )
})

it('formulas in labels, details and errors are made harmless', async () => {
  const text = async (file: string) => (await client.call(file, { path: path() })).text
  expect(await text('exportAddresses')).toContain(`,'${formula},`)
  expect(await text('exportEndpointDeliveries')).toContain(",502,2,'+broken\r\n")
})

it('the columns of each file are documented', async () => {
  const docs = readFileSync(new URL('../../../../docs/dashboard.md', import.meta.url), 'utf8')
  const money = ['exportInvoices', 'exportPayouts', 'exportLedger']
  for (const file of [...exports.map(({ operations }) => operations[1]), ...money]) {
    const query: Record<string, string> = file === 'exportOperatorSuspense' ? { environment: 'test' } : {}
    const [header = []] = parse((await client.call(file, { path: path(), query })).text)
    expect(header.length).toBeGreaterThan(3)
    const own = file === 'exportOperatorSuspense' ? header.slice(-4) : header
    const row = own.map((name) => `\`${name}\`${jsonColumns.includes(name) ? ' (JSON)' : ''}`).join(', ')
    expect(docs, file).toContain(`${row} |`)
  }
})
const jsonColumns = ['data', 'details']

it('a deposit list and an endpoint of another merchant are not found', async () => {
  const other = await openShop(service)
  const stranger = await signedIn(
    service,
    await makePerson(service, { merchantId: other.merchantId, role: 'owner' }),
  )
  const theirs = { ...path(), merchantID: other.merchantId }
  for (const file of ['exportAddressInvoices', 'exportEndpointDeliveries'])
    expect((await stranger.call(file, { path: theirs })).status).toBe(404)
  expect((await stranger.call('exportAuditLog', { path: path() })).status).toBe(404)
  const refused = await stranger.call('exportOperatorSuspense', { query: { environment: 'test' } })
  expect(refused.status).toBe(403)
})
