import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { App } from '../../../src/app/app.ts'
import { listAlerts } from '../../../src/app/operator/list-alerts.ts'
import { spendingLimits } from '../../../src/settings/limit-config.ts'
import { query } from '../../support/database/database.ts'
import { type DashboardClient, makePerson, signedIn } from '../../support/people/dashboard-client.ts'
import { runCommand } from '../../support/processes/run-command.ts'
import { setHalt } from '../../support/shop/halt.ts'
import { startTestService, type TestService } from '../../support/shop/service.ts'

let service: TestService
let merchantId: string
let owner: DashboardClient
let env: Record<string, string>
beforeAll(async () => {
  service = await startTestService()
  merchantId = await service.makeMerchant()
  owner = await signedIn(service, await makePerson(service, { merchantId, role: 'owner' }))
  env = { DATABASE_URL: service.database.serviceUrl }
})
afterAll(() => service.stop())

const path = () => ({ merchantID: merchantId })
const png = (size: number) =>
  Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), Buffer.alloc(size - 8, 7)]).toString('base64')
const newestActs = async (limit: number) =>
  (await owner.call('listAuditLog', { path: path(), query: { limit: String(limit) } })).body.data

describe('a merchant’s settings', () => {
  it('are shown and changed one by one, and the command line sees the same', async () => {
    const before = (await owner.call('getSettings', { path: path() })).body.data
    expect(before).toMatchObject({ name: 'Test shop', base_currency: 'USD', colour: null, logo: null })
    const body = { name: '<b>Shop</b>', tolerance_bps: 50, colour: '#0A7CFF' }
    const changed = await owner.call('updateSettings', { path: path(), body })
    expect([changed.status, changed.body.data]).toMatchObject([
      200,
      { ...body, colour: '#0a7cff', base_currency: 'USD', fees: { fee_bps: 0 } },
    ])
    const origins = ['https://shop.example.com', 'http://localhost:3000']
    await owner.call('updateSettings', {
      path: path(),
      body: { base_currency: 'EUR', embed_origins: [...origins, origins[0]], colour: 'none' },
    })
    const brand = await runCommand(['merchant', 'brand', '--merchant', merchantId, '--json'], env)
    expect(JSON.parse(brand.stdout)).toMatchObject({
      name: '<b>Shop</b>',
      colour: null,
      embed_origins: origins,
    })
    const [newest, earlier] = await newestActs(2)
    const settings = ['base_currency', 'colour', 'embed_origins']
    expect(newest).toMatchObject({
      action: 'settings.changed',
      details: { changed: settings, base_currency_before: 'USD' },
    })
    expect(earlier).toMatchObject({
      details: { name: '<b>Shop</b>', name_before: 'Test shop' },
      ip: '127.0.0.1',
    })
  })

  it('hold the order of currencies and networks at checkout until the usual one is restored', async () => {
    const before = (await owner.call('getSettings', { path: path() })).body.data
    expect(before).toMatchObject({ currency_order: [], network_order: [] })
    const codes = before.currencies.map(({ code }: { code: string }) => code)
    expect(codes.slice(0, 5)).toEqual(['BTC', 'USDT', 'ETH', 'USDC', 'SOL'])
    expect(before.currencies[0].name).toBe('Bitcoin')
    const order = { currency_order: ['LTC', 'USDC'], network_order: ['solana'] }
    const body = { currency_order: ['ltc', 'USDC'], network_order: ['Solana'] }
    const changed = (await owner.call('updateSettings', { path: path(), body })).body.data
    expect(changed).toEqual({ ...before, ...order })
    // Neither another setting nor the logo takes the order away.
    await owner.call('updateSettings', { path: path(), body: { colour: 'none' } })
    await owner.call('setLogo', { path: path(), body: { data: png(100) } })
    expect((await owner.call('removeLogo', { path: path() })).body.data).toEqual({ ...before, ...order })
    await owner.call('updateSettings', { path: path(), body: { currency_order: [] } })
    const after = (await owner.call('getSettings', { path: path() })).body.data
    expect(after).toEqual({ ...before, network_order: ['solana'] })
    expect(await newestActs(1)).toMatchObject([
      {
        action: 'settings.changed',
        details: { changed: ['currency_order'], currency_order: [], currency_order_before: ['LTC', 'USDC'] },
      },
    ])
  })

  it.each([
    [{ base_currency: 'BTC' }, '/base_currency'],
    [{ base_currency: 'XXX' }, '/base_currency'],
    [{ embed_origins: ['https://shop.example.com/x'] }, '/embed_origins/0'],
    [{ tolerance_bps: 501 }, '/tolerance_bps'],
    [{ colour: 'red' }, '/colour'],
    [{ name: '  ' }, '/name'],
    [{ currency_order: ['BTC', 'EUR'] }, '/currency_order/1: is not a supported currency'],
    [{ currency_order: ['BTC', 'eth', 'btc'] }, '/currency_order/2: must not be there twice'],
    [{ currency_order: Array(51).fill('BTC') }, '/currency_order'],
    [{ currency_order: 'BTC' }, '/currency_order'],
    [{ network_order: ['solana', 'nowhere'] }, '/network_order/1: is not a supported network'],
    [{ network_order: ['solana', 'solana'] }, '/network_order/1: must not be there twice'],
    [{ fees: { fee_bps: 0 } }, '/fees'],
    [{}, '/'],
  ])('are not changed to %j, nor is any other field of the request', async (wrong, field) => {
    const before = (await owner.call('getSettings', { path: path() })).body.data
    const body = Object.keys(wrong).length === 0 ? {} : { name: 'Other', ...wrong }
    const answer = await owner.call('updateSettings', { path: path(), body })
    expect([answer.status, answer.body.error.details.join()]).toEqual([400, expect.stringContaining(field)])
    expect((await owner.call('getSettings', { path: path() })).body.data).toEqual(before)
  })

  it('include a logo of up to 64 KiB, which payment pages load, and none that could hold a script', async () => {
    const set = await owner.call('setLogo', { path: path(), body: { data: png(65_536) } })
    expect([set.status, set.body.data.logo]).toMatchObject([200, { media_type: 'image/png', bytes: 65_536 }])
    const shown = await fetch(`${service.url}${set.body.data.logo.url}`)
    expect([shown.status, (await shown.arrayBuffer()).byteLength]).toEqual([200, 65_536])
    const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>').toString('base64')
    for (const data of [png(65_537), svg, `${png(99).slice(0, 40)}!`, 'no base64'])
      expect((await owner.call('setLogo', { path: path(), body: { data } })).status).toBe(400)
    const large = await owner.call('setLogo', { path: path(), body: { data: 'A'.repeat(200_000) } })
    expect(large.status).toBe(413)
    expect((await owner.call('removeLogo', { path: path() })).body.data.logo).toBeNull()
    expect(await newestActs(2)).toMatchObject([{ action: 'logo.removed' }, { action: 'logo.set' }])
  })
})

describe('the operator', () => {
  let operator: DashboardClient
  beforeAll(async () => {
    operator = await signedIn(service, await makePerson(service, null))
  })

  it('creates merchants and sets their fees, which merchants can only see', async () => {
    const made = await operator.call('createMerchant', { body: { name: 'New shop', fee_bps: 100 } })
    const { merchant_id: id } = made.body.data
    expect([made.status, made.body.data]).toMatchObject([201, { name: 'New shop', base_currency: 'USD' }])
    const changed = await operator.call('updateMerchantFees', {
      path: { merchantID: merchantId },
      body: { payout_fee_bps: 25 },
    })
    expect(changed.body.data.fees).toEqual({ fee_bps: 0, payout_fee_bps: 25, refund_fee_bps: 0 })
    expect((await owner.call('getSettings', { path: path() })).body.data.fees.payout_fee_bps).toBe(25)
    const listed = await operator.call('listMerchants', { query: { limit: '1' } })
    expect([listed.body.data[0].merchant_id, listed.body.meta.pagination.total]).toEqual([id, 2])
    const acts = await query<{ action: string; subject: string }>(
      service.database.url,
      `select action, subject from audit_entries where chain = '00000000-0000-0000-0000-000000000000' order by seq desc limit 2`,
    )
    expect(acts).toEqual([
      { action: 'merchant.fees_changed', subject: merchantId },
      { action: 'merchant.created', subject: id },
    ])
    const unknown = { merchantID: '01890000-0000-7000-8000-000000000000' }
    expect((await operator.call('updateMerchantFees', { path: unknown, body: { fee_bps: 1 } })).status).toBe(
      404,
    )
  })

  it('must prove their identity again before changing anything', async () => {
    await query(service.database.url, `update sessions set proved_at = proved_at - interval '1 hour'`)
    const answers = [
      await operator.call('createMerchant', { body: { name: 'x' } }),
      await operator.call('updateMerchantFees', { path: path(), body: { fee_bps: 1 } }),
    ]
    for (const { status, body } of answers) {
      expect([status, body.error.code]).toEqual([403, 'step_up_required'])
      // For pages in other languages.
      expect(body.error.reasons.map(({ code }: { code: string }) => code)).toEqual(['confirm_password'])
    }
  })

  it('sees every gate with its tip, lag and wallet', async () => {
    const gates = (await operator.call('listOperatorGates')).body.data
    expect(gates.map(({ gate_id }: { gate_id: string }) => gate_id)).toContain('ethereum-test')
    const ethereum = gates.find(({ gate_id }: { gate_id: string }) => gate_id === 'ethereum-test')
    expect(ethereum).toMatchObject({ simulated: true, status: 'online', lag: 0, gas_currency: 'ETH' })
    expect(ethereum.hot_wallet).toMatch(/^0x/)
  })

  it('is alerted to a halted gate, a low float and an overdue or failed audit', async () => {
    const kinds = async () =>
      (await operator.call('listOperatorAlerts')).body.data.map(({ kind }: { kind: string }) => kind)
    // The service began a moment ago: nothing is overdue.
    expect(await kinds()).toEqual([])
    await query(
      service.database.url,
      `update schema_migrations set applied_at = applied_at - interval '8 days'`,
    )
    expect(await kinds()).toEqual(['audit_old'])
    await query(service.database.url, `insert into audits (ok) values (true)`)
    expect(await kinds()).toEqual([])
    await setHalt(service, 'litecoin-test', 'Too deep.')
    await query(service.database.url, `insert into float_alerts (gate_id) values ('ethereum-test')`)
    await query(service.database.url, `insert into audits (ok) values (false)`)
    expect(await kinds()).toEqual(['gate_halted', 'audit_failed', 'float_low'])
    const codes = (await operator.call('listOperatorAlerts')).body.data.map(
      ({ reasons }: { reasons: { code: string }[] }) => reasons.map(({ code }) => code),
    )
    expect(codes).toEqual([['other', 'alert_halted'], ['alert_audit_failed'], ['alert_float_low']])
    const overview = await owner.call('getOverview', { path: { ...path(), environment: 'test' } })
    await expect
      .poll(
        async () =>
          (await owner.call('getOverview', { path: { ...path(), environment: 'test' } })).body.data.attention,
      )
      .toContainEqual(
        expect.objectContaining({ kind: 'gate_halted', subject: 'Litecoin', details: 'Too deep.' }),
      )
    expect(overview.status).toBe(200)
  })

  it('is alerted while live payouts are not signed for want of limits, or a safeguard is waived', async () => {
    const { app } = service
    const [bitcoin] = app.gates.list().filter(({ id }) => id === 'bitcoin-test')
    if (bitcoin === undefined) throw new Error('no gate')
    const gate = { ...bitcoin, id: 'bitcoin-live' as const, environment: 'live' as const }
    const alertsWith = async (safeguards: App['safeguards'], gates = [gate]) =>
      (await listAlerts({ ...app, gates: { ...app.gates, list: () => gates }, safeguards })).filter(
        ({ kind }) => ['live_payouts_stopped', 'safeguard_waived'].includes(kind),
      )
    expect(await alertsWith({ waived: [], limits: [] })).toMatchObject([
      {
        kind: 'live_payouts_stopped',
        gateId: 'bitcoin-live',
        details: expect.stringMatching(/how much BTC leaves.* 1\. .* 2\. .* 3\. /),
      },
    ])
    const limits = spendingLimits(app.assets, [{ network: 'bitcoin', currency: 'BTC', per_day: '1' }])
    expect(await alertsWith({ waived: [], limits })).toEqual([])
    expect(await alertsWith({ waived: ['limits', 'passkeys'], limits: [] })).toMatchObject([
      { kind: 'safeguard_waived', details: expect.stringContaining('no limit bounds') },
      { kind: 'safeguard_waived', details: expect.stringContaining('without passkeys') },
    ])
    expect(await alertsWith({ waived: ['limits', 'passkeys'], limits: [] }, [])).toEqual([])
  })

  it('is alerted while a weakened setting of the signer waits', async () => {
    await query(
      service.database.url,
      `insert into signer_changes (environment, kind, subject, details, accepted_at, counts_from)
       values ('live', 'settings', 'waive: passkeys', 'required → waived', now(), now() + interval '1 day'),
         ('live', 'settings', 'waive: limits', 'required → waived', now() - interval '2 days', now() - interval '1 day')`,
    )
    const alerts = (await listAlerts(service.app)).filter(({ kind }) => kind === 'signer_setting_waits')
    expect(alerts).toMatchObject([
      {
        details: expect.stringMatching(
          /^signer\.waive: passkeys: required → waived, from .* put the old value back/,
        ),
      },
    ])
    expect((await operator.call('listOperatorAlerts')).status).toBe(200)
    await query(service.database.url, 'delete from signer_changes')
  })

  it('has powers that even an owner is refused', async () => {
    for (const id of ['listOperatorGates', 'listOperatorAlerts', 'listMerchants'])
      expect((await owner.call(id)).status).toBe(403)
    const body = { fee_bps: 0 }
    expect((await owner.call('updateMerchantFees', { path: path(), body })).status).toBe(403)
    expect((await owner.call('createMerchant', { body: { name: 'x' } })).status).toBe(403)
  })
})
