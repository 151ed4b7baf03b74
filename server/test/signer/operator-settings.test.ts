import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Config } from '../../src/settings/config-file.ts'
import { delayAt, recordSettings, settingsPath } from '../../src/signer/operator-settings.ts'
import { rulesInForce } from '../../src/signer/settings-rules.ts'
import { waitingSettings } from '../../src/signer/tell-settings.ts'
import { makeTemporaryFolder, type TemporaryFolder } from '../support/processes/temporary-folder.ts'
import { currencies } from '../support/shop/registry.ts'
import { settingsOf } from '../support/signer/signer-limits.ts'

const hourMs = 3_600_000
let folder: TemporaryFolder
let path: string
let nowMs: number
beforeEach(async () => {
  folder = await makeTemporaryFolder()
  path = settingsPath(folder.path, 'live')
  await mkdir(dirname(path), { recursive: true })
  nowMs = Date.UTC(2026, 0, 1)
})
afterEach(() => folder.remove())

const now = () => new Date(nowMs)
const btc = (per_day: string) => ({ network: 'bitcoin', currency: 'BTC', per_day })
const start = (signer: Partial<Config['signer']>, environment: 'live' | 'test' = 'live') =>
  recordSettings(settingsPath(folder.path, environment), environment, settingsOf(signer), now())
type Started = Awaited<ReturnType<typeof start>>
const shown = (record: Started, name: string, environment: 'live' | 'test' = 'live') =>
  rulesInForce(record.standing(now()), environment, currencies).find((rule) => rule.name === name)?.shown
const perDay = (record: Started) => shown(record, 'limits: BTC on bitcoin, per_day')
const waits = (record: Started) =>
  waitingSettings(record, 'live', currencies, now()).map(
    ({ subject, details, from }) => `${subject}: ${details} in ${(from.getTime() - nowMs) / hourMs} h`,
  )

it('the first limits count at once, also after starts without any', async () => {
  await start({})
  await start({ max_fee: { bitcoin: '0.001' } })
  const record = await start({ limits: [btc('2')] })
  expect(perDay(record)).toBe('2 BTC')
  expect(waits(record)).toEqual([])
})

it('a raised or removed limit counts after the delay, a lowered one at once', async () => {
  await start({ limits: [btc('2')] })
  nowMs += hourMs
  const raised = await start({ limits: [btc('5')] })
  expect(perDay(raised)).toBe('2 BTC')
  expect(waits(raised)).toEqual(['limits: BTC on bitcoin, per_day: 2 BTC → 5 BTC in 24 h'])
  nowMs += 24 * hourMs - 1
  expect(perDay(raised)).toBe('2 BTC')
  nowMs += 1
  expect([perDay(raised), waits(raised)]).toEqual(['5 BTC', []])
  const lowered = await start({ limits: [btc('1')] })
  expect([perDay(lowered), waits(lowered)]).toEqual(['1 BTC', []])
  const removed = await start({ limits: [], waive: ['limits'] })
  expect(perDay(removed)).toBe('1 BTC')
  expect(waits(removed)).toEqual([
    'limits: BTC on bitcoin, per_day: 1 BTC → no limit in 24 h',
    'waive: limits: required → waived in 24 h',
  ])
})

it('another cold wallet is paid after the delay, and until then none is', async () => {
  const at = (destination: string, signer: Partial<Config['signer']> = {}) => {
    const { section, read } = settingsOf(signer)
    return { section: { ...section, cold: { 'bitcoin-live': destination } }, read }
  }
  const begin = (destination: string) => recordSettings(path, 'live', at(destination), now())
  const first = await begin('bc1first')
  expect([shown(first, 'cold: bitcoin-live to bc1first'), waits(first)]).toEqual(['paid', []])
  nowMs += hourMs
  const second = await begin('bc1second')
  const both = (record: Started) =>
    ['bc1first', 'bc1second'].map((each) => shown(record, `cold: bitcoin-live to ${each}`))
  expect(both(second)).toEqual(['not paid', 'not paid'])
  expect(waits(second)).toEqual(['cold: bitcoin-live to bc1second: not paid → paid in 24 h'])
  nowMs += 24 * hourMs
  expect([both(second), waits(second)]).toEqual([[undefined, 'paid'], []])
})

it('putting a limit back withdraws what waits, and restarts do not shorten the wait', async () => {
  await start({ limits: [btc('2')] })
  nowMs += hourMs
  await start({ limits: [btc('5')] })
  nowMs += 23 * hourMs
  expect(waits(await start({ limits: [btc('5')] }))).toEqual([
    'limits: BTC on bitcoin, per_day: 2 BTC → 5 BTC in 1 h',
  ])
  const back = await start({ limits: [btc('2')] })
  nowMs += 100 * hourMs
  expect([perDay(back), waits(back)]).toEqual(['2 BTC', []])
})

it('a limit for a further currency allows payouts that were not signed before, so it waits', async () => {
  await start({ limits: [btc('2')] })
  const more = await start({ limits: [btc('2'), { network: 'litecoin', currency: 'LTC', per_day: '9' }] })
  expect(waits(more)).toEqual(['limits: payouts of LTC on litecoin: not signed → signed in 24 h'])
})

it('raised fees and waivers wait, lowered fees do not', async () => {
  const limits = [btc('2')]
  await start({ limits, max_fee: { bitcoin: '0.002' }, max_fees_per_day: { bitcoin: '0.01' } })
  const record = await start({
    limits,
    max_fee: { bitcoin: '0.003' },
    max_fees_per_day: { bitcoin: '0.005' },
    waive: ['passkeys'],
  })
  expect(shown(record, 'max_fee: bitcoin')).toBe('0.002 BTC')
  expect(shown(record, 'max_fees_per_day: bitcoin')).toBe('0.005 BTC')
  expect(record.standing(now()).some(({ requireAll }) => requireAll)).toBe(true)
  expect(waits(record)).toEqual([
    'max_fee: bitcoin: 0.002 BTC → 0.003 BTC in 24 h',
    'waive: passkeys: required → waived in 24 h',
  ])
})

it('a shorter delay waits by the old one, and a longer one counts at once', async () => {
  const limits = [btc('2')]
  await start({ limits })
  const none = await start({ limits: [btc('5')], weakening_delay_hours: 0 })
  expect(delayAt(none, 'live', now())).toBe(24 * hourMs)
  nowMs += hourMs
  // What is weakened meanwhile waits by the old delay too.
  expect(waits(await start({ limits: [btc('9')], weakening_delay_hours: 0 }))).toEqual([
    'limits: BTC on bitcoin, per_day: 2 BTC → 9 BTC in 24 h',
    'weakening_delay_hours: 24 h → 0 h in 24 h',
  ])
  nowMs += 24 * hourMs
  const free = await start({ limits: [btc('11')], weakening_delay_hours: 0 })
  expect([perDay(free), waits(free)]).toEqual(['11 BTC', []])
  const longer = await start({ limits: [btc('11')], weakening_delay_hours: 48 })
  expect(delayAt(longer, 'live', now())).toBe(48 * hourMs)
})

it('setting the clock back does not help', async () => {
  await start({ limits: [btc('2')] })
  nowMs += hourMs
  const from = nowMs + 24 * hourMs
  await start({ limits: [btc('5')] })
  nowMs -= 1000 * hourMs
  const record = await start({ limits: [btc('7')] })
  expect(record.waiting(now())?.from).toEqual(new Date(from))
})

it('the test environment has no delay', async () => {
  await start({ limits: [btc('2')] }, 'test')
  const record = await start({ limits: [btc('5')] }, 'test')
  expect(shown(record, 'limits: BTC on bitcoin, per_day', 'test')).toBe('5 BTC')
})

describe('the file', () => {
  it('is chained, and damage to it is found', async () => {
    await start({ limits: [btc('2')] })
    await start({ limits: [btc('5')] })
    const text = await readFile(path, 'utf8')
    await writeFile(path, text.replace('"per_day":"2"', '"per_day":"9"'))
    await expect(start({})).rejects.toThrow('is damaged at line 2')
    await writeFile(path, text.split('\n').toSpliced(1, 1).join('\n'))
    await expect(start({})).rejects.toThrow('is damaged at line 2')
  })

  it('has one line for settings that stay the same', async () => {
    for (let each = 0; each < 3; each++) await start({ limits: [btc('2')] })
    expect((await readFile(path, 'utf8')).trim().split('\n')).toHaveLength(2)
  })
})
