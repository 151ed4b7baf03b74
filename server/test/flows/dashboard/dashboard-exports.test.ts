import { get } from 'node:http'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { asSuperuser, onDatabase, query } from '../../support/database/database.ts'
import { type DashboardClient, makePerson, signedIn } from '../../support/people/dashboard-client.ts'
import { newAddress } from '../../support/shop/money-out.ts'
import { startTestService, type TestService } from '../../support/shop/service.ts'
import { openShop, quiet, type Shop } from '../../support/shop/shop.ts'

const many = 100_000

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void

/** The memory that this process, service and test in one, still holds after garbage collection. */
function heldBytes(): number {
  collectGarbage()
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}

let service: TestService
let shop: Shop
let client: DashboardClient
beforeAll(async () => {
  service = await startTestService(quiet)
  shop = await openShop(service)
  client = await signedIn(service, await makePerson(service, { merchantId: shop.merchantId, role: 'viewer' }))
})
afterAll(() => service.stop())

const url = (list: string, query = '') =>
  `${service.url}/dashboard-api/merchants/${shop.merchantId}/test/${list}/export${query}`
const download = (list: string, query = '') =>
  fetch(url(list, query), { headers: { Cookie: client.cookie ?? '', 'Sec-Fetch-Site': 'same-origin' } })

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

describe('an export', () => {
  it('has a header, every row in the order of the list, a file name, and no formulas', async () => {
    const wild = '=HYPERLINK("http://evil.example","Click")'
    const invoice = await shop.create({
      currency: 'BTC',
      amount: '0.01',
      external_id: wild,
      description: 'a,\n"b"',
    })
    await shop.pay(invoice, '0.01')
    const other = await shop.create({ currency: 'LTC', amount: '1', external_id: '@x' })
    await shop.mine(2)
    const answer = await download('invoices')
    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-type')).toBe('text/csv; charset=utf-8')
    expect(answer.headers.get('content-disposition')).toMatch(
      /^attachment; filename="invoices-test-\d{4}-\d\d-\d\d\.csv"$/,
    )
    expect(answer.headers.get('cache-control')).toBe('no-store')
    const [header = [], ...rows] = parse(await answer.text())
    const column = (name: string) => rows.map((row) => row[header.indexOf(name)])
    expect(column('id')).toEqual([other.id, invoice.id])
    expect(column('external_id')).toEqual(["'@x", `'${wild}`])
    expect(column('description')).toEqual(['', 'a,\n"b"'])
    expect(column('amount_paid')).toEqual(['0', '0.01'])
    const some = await download('invoices', `?ids=${invoice.id.toUpperCase()},${shop.merchantId}`)
    const [, ...picked] = parse(await some.text())
    expect(picked.map((row) => row[header.indexOf('id')])).toEqual([invoice.id])
    expect((await download('payouts', `?ids=${invoice.id},x`)).status).toBe(400)
    const paid = await download('invoices', '?status=paid&currency=btc')
    expect(paid.headers.get('content-disposition')).toMatch(/"invoices-paid-BTC-test-[0-9-]+\.csv"$/)
    expect(parse(await paid.text())).toHaveLength(2)
    const strange = await download('invoices', `?status=${encodeURIComponent('a"\r\nb: /../c')}`)
    expect(strange.headers.get('content-disposition')).toMatch(/"invoices-test-[0-9-]+\.csv"$/)
  })

  it('of the ledger has the running balance, negative debits, and the list’s filters', async () => {
    await shop.payOut({ currency: 'BTC', amount: '0.005', destination: await newAddress('bitcoin') })
    const [header = [], ...rows] = parse(await (await download('ledger')).text())
    const payout = rows.find((row) => row[header.indexOf('entry_type')] === 'payout')
    expect([payout?.[header.indexOf('amount')], payout?.[header.indexOf('balance_after')]]).toEqual([
      '-0.005',
      '0.005',
    ])
    const deposits = parse(await (await download('ledger', '?entry_type=deposit')).text())
    expect(deposits.slice(1)).toEqual(rows.filter((row) => row[header.indexOf('entry_type')] === 'deposit'))
    const before = parse(await (await download('ledger', '?created_before=2020-01-01T00:00:00Z')).text())
    expect(before).toEqual([header])
    const payouts = parse(await (await download('payouts')).text())
    expect(payouts).toHaveLength(2)
  })

  it('is accompanied by an overview that values the available balance, without the payout’s reserve', async () => {
    const path = { merchantID: shop.merchantId, environment: 'test' }
    const { balances, balance_in_base_currency } = (await client.call('getOverview', { path })).body.data
    const { total_in_base_currency } = await shop.balance('BTC')
    const [shown] = balances
    expect(shown).toMatchObject({ currency: 'BTC', available: (await shop.balance('BTC')).available })
    expect(shown.available_in_base_currency).toBe(balance_in_base_currency)
    expect(Number(shown.available_in_base_currency)).toBeLessThan(Number(total_in_base_currency))
  })

  it('is refused without a session, for an unknown currency, from another site and for another merchant', async () => {
    expect((await fetch(url('ledger'))).status).toBe(401)
    expect((await download('ledger', '?currency=nothing')).status).toBe(400)
    const headers = { Cookie: client.cookie ?? '', 'Sec-Fetch-Site': 'cross-site' }
    expect((await fetch(url('ledger'), { headers })).status).toBe(403)
    const other = await service.makeMerchant()
    const theirs = await fetch(url('ledger').replace(shop.merchantId, other), {
      headers: { Cookie: client.cookie ?? '' },
    })
    expect(theirs.status).toBe(404)
  })
})

describe(`an export of ${many} rows`, () => {
  beforeAll(async () => {
    const superuser = onDatabase(
      asSuperuser(inject('postgresUrl')),
      service.database.url.slice(service.database.url.lastIndexOf('/') + 1),
    )
    // Several rows per microsecond, in two currencies: pages must end between them without losing one.
    await query(
      superuser,
      `set session_replication_role = 'replica';
       insert into ledger_entries (merchant_id, environment, currency, number, transaction_id, account_id, network, decimals,
         entry_type, units, balance_after, balance_decimals, reference_type, reference_id, description, created_at)
       select '${shop.merchantId}', 'test', case when nth % 2 = 0 then 'BTC' else 'ETH' end, 1000 + nth, gen_random_uuid(), 1,
         'bitcoin', 8, 'deposit', 1, nth, 8, 'invoice', gen_random_uuid(), repeat('x', 200),
         timestamptz '2026-01-01' + (nth / 7) * interval '1 microsecond'
       from generate_series(1, ${many}) as nth`,
    )
    await query(superuser, 'analyze ledger_entries')
  })

  it('has every row once, and needs no more memory than a few pages', async () => {
    const response = await download('ledger', '?created_before=2026-01-02T00:00:00Z')
    const seen = new Uint8Array(many + 1)
    const [before, held] = [heldBytes(), [] as number[]]
    let [rest, lines] = ['', 0]
    const decoder = new TextDecoder()
    for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
      const parts = (rest + decoder.decode(chunk, { stream: true })).split('\r\n')
      rest = parts.pop() ?? ''
      for (const line of parts) {
        const number = Number(line.split(',')[2]) - 1_000
        if (number > 0) seen[number] = (seen[number] ?? 0) + 1
        if (++lines % 20_000 === 0) held.push(heldBytes() - before)
      }
    }
    expect([lines, seen.slice(1).every((times) => times === 1)]).toEqual([many + 1, true])
    // The whole file is 35 MB of text.
    expect(held.length).toBe(5)
    expect(Math.max(...held) / 2 ** 20).toBeLessThan(20)
  })

  it('is produced no faster than it is read, and stops when the client disconnects', async () => {
    const pages = async () =>
      Number(
        (
          await query<{ fetched: string }>(
            service.database.url,
            `select coalesce(idx_tup_fetch, 0) + coalesce(seq_tup_read, 0) as fetched from pg_stat_user_tables
             where relname = 'ledger_entries'`,
          )
        )[0]?.fetched,
      )
    /** Whether they are the same as last time: PostgreSQL updates its statistics once a second. */
    let last = -1
    const isStill = async () => {
      const earlier = last
      last = await pages()
      return last === earlier
    }
    await expect.poll(isStill, { interval: 1_100 }).toBe(true)
    const before = last
    const request = get(url('ledger', '?created_before=2026-01-02T00:00:00Z'), {
      headers: { Cookie: client.cookie ?? '' },
    })
    await new Promise<void>((resolve, reject) => {
      request.once('response', (response) => {
        // Nothing is read from the socket beyond what the kernel buffers.
        response.pause()
        resolve()
      })
      request.once('error', reject)
    })
    // It stops while most of the file is unread.
    await expect.poll(async () => (await isStill()) && last > before, { interval: 1_100 }).toBe(true)
    expect(last - before).toBeLessThan(many / 2)
    request.destroy()
    expect((await client.call('getSession')).status).toBe(200)
  })
})
