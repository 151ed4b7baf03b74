import { afterAll, beforeAll, expect, it } from 'vitest'
import { expectSoundBooks } from '../../support/database/books.ts'
import { query } from '../../support/database/database.ts'
import { openTestDatabase } from '../../support/database/open-database.ts'
import { type DashboardClient, makePerson, signedIn } from '../../support/people/dashboard-client.ts'
import { startTestService, type TestService } from '../../support/shop/service.ts'
import { openShop, quiet, type Row, type Shop } from '../../support/shop/shop.ts'

/** Payouts from a file: checked without a trace, then created together or not at all. */

let service: TestService
beforeAll(async () => {
  service = await startTestService(quiet)
})
afterAll(() => service.stop())

const destination = 'tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx'
const order = (key: string, amount = '0.01', more: object = {}) => ({
  currency: 'BTC',
  network: 'bitcoin',
  amount,
  destination,
  idempotency_key: key,
  ...more,
})

async function open(funds = '1') {
  const shop = await openShop(service)
  await shop.fund(funds)
  const login = await makePerson(service, { merchantId: shop.merchantId, role: 'owner' })
  return { shop, client: await signedIn(service, login) }
}
type Operation = 'checkPayouts' | 'importPayouts'
const call = (client: DashboardClient, shop: Shop, id: Operation, payouts: readonly object[]) =>
  client.call(id, { path: { merchantID: shop.merchantId, environment: 'test' }, body: { payouts } })
async function verdicts(client: DashboardClient, shop: Shop, id: Operation, payouts: readonly object[]) {
  const answer = await call(client, shop, id, payouts)
  expect(answer.status, answer.text).toBe(200)
  return answer.body.data as Row[]
}
const outcomes = (rows: readonly Row[]) => rows.map(({ outcome }) => outcome)
const refusals = (rows: readonly Row[]) => rows.map(({ error }) => error)

/** How many rows every table has that a payout could leave a trace in. */
async function traces(): Promise<Record<string, string>> {
  const tables = await query<{ name: string }>(
    service.database.url,
    `select relname as name from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace
     and relname ~ 'payout|ledger|event|audit|spend|destination' order by 1`,
  )
  expect(tables.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['payouts', 'events', 'audit_entries', 'ledger_accounts']),
  )
  const all = tables.map(({ name }) => `(select count(*) from "${name}") as "${name}"`)
  const [counts] = await query<Record<string, string>>(service.database.url, `select ${all.join(', ')}`)
  return counts ?? {}
}

const mixed = [
  order('a', '0.01', { description: 'Anna', metadata: { month: 'May' } }),
  order('b', '0.02', { destination: 'nowhere' }),
  order('c', '0.03', { currency: 'NOPE' }),
  order('d', '0.000000001'),
  order('e', '0.00000001'),
  order('f', '0.02', { destination_tag: '7' }),
  order('g', '5'),
  order('h', '0.05'),
]

it('a check writes nothing, and says of every payout what the import says', async () => {
  const { shop, client } = await open()
  const before = await traces()
  const checked = await verdicts(client, shop, 'checkPayouts', mixed)
  expect(await traces()).toEqual(before)
  expect(checked.map(({ outcome, error }) => error?.code ?? outcome)).toEqual([
    'ready',
    'invalid_destination',
    'validation_error',
    'validation_error',
    'amount_too_small',
    'invalid_destination',
    'insufficient_balance',
    'ready',
  ])
  expect(checked[0].cost).toMatchObject({ currency: 'BTC', network: 'bitcoin', amount: '0.01' })
  const imported = await verdicts(client, shop, 'importPayouts', mixed)
  expect([outcomes(imported), refusals(imported)]).toEqual([outcomes(checked), refusals(checked)])
  // The operation for keys, which creates what it can, refuses the same in the same words.
  const { shop: another } = await open()
  const inBatch = await another.call('createPayouts', { json: { payouts: mixed } })
  const words = ({ error }: Row) => [error?.code, error?.message, error?.details]
  expect((inBatch.body.data as Row[]).map(words)).toEqual(checked.map(words))
})

it('one refused payout of an import leaves nothing behind, and the rest say that they are ready', async () => {
  const { shop, client } = await open('0.1')
  const before = await traces()
  const payouts = [order('a', '0.06'), order('b', '0.06'), order('c', '0.01')]
  const refused = await verdicts(client, shop, 'importPayouts', payouts)
  expect(outcomes(refused)).toEqual(['ready', 'refused', 'ready'])
  expect(refused[1].error).toMatchObject({
    code: 'insufficient_balance',
    reasons: [{ code: 'balance_too_low' }],
    problems: [{ pointer: '/amount', code: 'field_balance', values: { amount: expect.any(String) } }],
  })
  expect(await traces()).toEqual(before)
  // The keys are unused: mended, the same file goes through.
  const mended = [order('a', '0.06'), order('b', '0.01'), order('c', '0.01')]
  expect(outcomes(await verdicts(client, shop, 'importPayouts', mended))).toEqual([
    'created',
    'created',
    'created',
  ])
  await expectSoundBooks(service.database.url)
})

it('an import that is sent twice at once or again creates every payout once, and each is in the audit log', async () => {
  const { shop, client } = await open()
  const payouts = [order('a'), order('b', '0.02'), order('c', '0.03')]
  const both = await Promise.all([
    verdicts(client, shop, 'importPayouts', payouts),
    verdicts(client, shop, 'importPayouts', payouts),
  ])
  const ids = both.map((rows) => rows.map(({ payout_id }) => payout_id))
  expect(ids[0]).toEqual(ids[1])
  expect(both.map((rows) => outcomes(rows)[0]).sort()).toEqual(['created', 'replayed'])
  expect(outcomes(await verdicts(client, shop, 'checkPayouts', [...payouts, order('d')]))).toEqual([
    'replayed',
    'replayed',
    'replayed',
    'ready',
  ])
  const more = await verdicts(client, shop, 'importPayouts', [...payouts, order('d')])
  expect(outcomes(more)).toEqual(['replayed', 'replayed', 'replayed', 'created'])
  const other = await verdicts(client, shop, 'importPayouts', [order('a', '0.5'), order('z')])
  expect(other.map(({ outcome, error }) => error?.code ?? outcome)).toEqual([
    'idempotency_key_mismatch',
    'ready',
  ])
  const listed = (await shop.expect(200, 'listPayouts')).body.data as Row[]
  expect(listed.map(({ status }) => status)).toEqual(Array(4).fill('pending_approval'))
  const noted = await query<{ subject: string }>(
    service.database.url,
    `select subject from audit_entries where chain = $1 and action = 'payout.created'`,
    [shop.merchantId],
  )
  expect(noted.map(({ subject }) => subject).sort()).toEqual(listed.map(({ id }) => id).sort())
  await expectSoundBooks(service.database.url)
})

it('two imports that together exceed the balance do not both succeed', async () => {
  const { shop, client } = await open('0.1')
  const both = await Promise.all([
    verdicts(client, shop, 'importPayouts', [order('a', '0.03'), order('b', '0.03')]),
    verdicts(client, shop, 'importPayouts', [order('c', '0.03'), order('d', '0.03')]),
  ])
  expect(both.flatMap(outcomes).sort()).toEqual(['created', 'created', 'ready', 'refused'])
  await expectSoundBooks(service.database.url)
})

it('a key that another payout takes in the same moment is refused by its row, beside what else is refused', async () => {
  const { shop, client } = await open()
  await shop.fund('1', 'LTC', 'litecoin')
  await verdicts(client, shop, 'importPayouts', [order('first')])
  const path = { merchantID: shop.merchantId, environment: 'test' }
  const body = { currency: 'LTC', amount: '0.1', destination: 'tltc1qw508d6qejxtdg4y5r3zarvary0c5xw7klfsuq0' }
  const blocker = openTestDatabase(service.database.url, 1)
  const acts: Promise<unknown>[] = []
  const act = async (what: Promise<unknown>) => {
    acts.push(what)
    const waiting = `select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`
    await expect.poll(async () => (await query(service.database.url, waiting)).length).toBe(acts.length)
  }
  await blocker.db.transaction(async (tx) => {
    // A payout by another operation has taken the key, and waits to note it.
    await tx.query('select from audit_heads where chain = $1 for update', [shop.merchantId])
    await act(client.call('createPayout', { path, body: { ...body, idempotency_key: 'k' } }))
    await act(call(client, shop, 'importPayouts', [order('k'), order('z', '5')]))
  })
  await blocker.close()
  const [made, imported] = (await Promise.all(acts)) as Row[]
  expect(made.status, made.text).toBe(201)
  expect(imported.status, imported.text).toBe(200)
  expect((imported.body.data as Row[]).map(({ error }) => error?.code)).toEqual([
    'idempotency_key_mismatch',
    'insufficient_balance',
  ])
  await expectSoundBooks(service.database.url)
})

it('what exists stays, even if its network cannot be used any more', async () => {
  const { shop, client } = await open()
  const [made] = await verdicts(client, shop, 'importPayouts', [order('a')])
  await shop.expect(200, 'setTestGate', { json: { network: 'bitcoin', status: 'offline' } })
  try {
    const again = await verdicts(client, shop, 'importPayouts', [order('a')])
    expect(again).toMatchObject([{ outcome: 'replayed', payout_id: made.payout_id }])
    const fresh = await verdicts(client, shop, 'checkPayouts', [order('a'), order('b')])
    expect(fresh).toMatchObject([{ outcome: 'replayed' }, { error: { code: 'gate_offline' } }])
  } finally {
    await shop.expect(200, 'setTestGate', { json: { network: 'bitcoin', status: 'online' } })
  }
})

it('says what the policy would not let pass, in the order of the file', async () => {
  const { shop, client } = await open()
  const value = async (amount: string) =>
    (await verdicts(client, shop, 'checkPayouts', [order('v', amount)]))[0].cost.amount_in_base_currency
  const path = { merchantID: shop.merchantId, environment: 'test' }
  const limits = { max_payout: await value('0.03'), max_day: await value('0.05') }
  const body = {
    ...limits,
    only_known_destinations: false,
    approvals_required: 1,
    cooling_off_seconds: 0,
    approval: 'any',
  }
  const set = await client.call('setPolicy', { path, body })
  expect(set.status, set.text).toBe(200)
  const checked = await verdicts(client, shop, 'checkPayouts', [
    order('a', '0.02'),
    order('b', '0.04'),
    order('c', '0.02'),
    order('d', '0.02'),
  ])
  expect(checked.map(({ objections }) => objections.map(({ code }: Row) => code))).toEqual([
    [],
    ['policy_max_payout'],
    [],
    ['policy_max_day'],
  ])
  expect(outcomes(checked)).toEqual(['ready', 'ready', 'ready', 'ready'])
  // They are the same if the import is refused for another row.
  const refused = await verdicts(client, shop, 'importPayouts', [order('b', '0.04'), order('x', '5')])
  expect(outcomes(refused)).toEqual(['ready', 'refused'])
  expect(refused[0].objections.map(({ code }: Row) => code)).toEqual(['policy_max_payout'])
})

it('refuses a malformed request as a whole, and payouts that share a key', async () => {
  const { shop, client } = await open()
  const { idempotency_key: _, ...keyless } = order('x')
  for (const id of ['checkPayouts', 'importPayouts'] as const) {
    const details = async (payouts: readonly object[]) => {
      const answer = await call(client, shop, id, payouts)
      expect(answer.status, answer.text).toBe(400)
      return answer.body.error.details
    }
    expect(await details([keyless])).toEqual(['/payouts/0/idempotency_key: is required'])
    expect(await details([order('a'), order('a')])).toEqual([
      '/payouts/1/idempotency_key: is also that of /payouts/0',
    ])
    expect(await details(Array.from({ length: 101 }, (_, n) => order(`n${n}`)))).toEqual([
      '/payouts: must have at most 100 items',
    ])
  }
})
