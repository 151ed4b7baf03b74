import { randomUUID } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createMerchant } from '../../../src/app/merchants/create-merchant.ts'
import { passkeyFingerprint } from '../../../src/domain/webauthn.ts'
import { recordSettings, settingsPath } from '../../../src/signer/operator-settings.ts'
import { query } from '../../support/database/database.ts'
import { makePasskey } from '../../support/people/approving-passkey.ts'
import { type Holder, openPasskeyDesk, type PasskeyDesk } from '../../support/people/passkey-desk.ts'
import { runCommand } from '../../support/processes/run-command.ts'
import { settingsOf } from '../../support/signer/signer-limits.ts'

const dayMs = 24 * 3_600_000
let desk: PasskeyDesk
let ann: Holder
beforeAll(async () => {
  desk = await openPasskeyDesk()
  ann = await desk.holder()
  await desk.pins.close()
})
afterAll(() => desk.close())

const env = () => ({ DATABASE_URL: desk.url, SLUICE_DATA_DIR: desk.folder.path })
const whose = () => ['--merchant', desk.merchantId, '--environment', 'live']
const run = (...args: string[]) => runCommand(['passkey', ...args], env())
async function json(...args: string[]) {
  const { code, stdout, stderr } = await run(...args, '--json')
  expect(code, stderr).toBe(0)
  return JSON.parse(stdout)
}

it('when all passkeys are lost, the operator forgets the old one and trusts one new passkey by its fingerprint', async () => {
  const old = passkeyFingerprint(ann.passkey)
  expect(await json('list', ...whose())).toMatchObject({
    passkeys_required: true,
    passkeys: [{ fingerprint: old, trusted: 'first_sight', user_id: ann.userId }],
  })
  await json('forget', old, ...whose())
  const [bob, thief] = [makePasskey(), makePasskey()].map((passkey) => ({ userId: randomUUID(), passkey }))
  for (const holder of [bob, thief] as Holder[]) {
    await query(desk.url, 'insert into users (id, email, name) values ($1, $2, $2)', [
      holder.userId,
      `${holder.userId}@example.com`,
    ])
    await desk.offer(holder)
  }
  const fingerprint = passkeyFingerprint((bob as Holder).passkey)
  const { passkeys } = await json('list', ...whose())
  expect(passkeys.map((each: { trusted: string | null }) => each.trusted)).toEqual([null, null, null])
  const before = Date.now()
  const { trusted_from } = await json('trust', fingerprint, ...whose())
  // Only a merchant's first passkey counts at once.
  expect(new Date(trusted_from).getTime()).toBeGreaterThanOrEqual(before + dayMs)
  expect((await run('list', ...whose())).stdout).toMatch(
    new RegExp(`^${fingerprint}  trusted here, counts from ${trusted_from} on  `, 'm'),
  )
  expect((await json('list', ...whose())).passkeys).toMatchObject([
    { fingerprint, trusted: 'operator', trusted_from },
    { trusted: null },
    { trusted: null },
  ])
})

it('the operator turns the passkey requirement off and on at the signer', async () => {
  const { weaker_from } = await json('require', 'off', ...whose())
  expect(new Date(weaker_from).getTime()).toBeGreaterThan(Date.now())
  expect(await json('list', ...whose())).toMatchObject({ passkeys_required: true })
  expect((await run('require', 'off', ...whose())).stdout).toMatch('What this weakens counts from')
  await json('require', 'on', '--approvals', '2', ...whose())
  expect(await json('list', ...whose())).toMatchObject({ passkeys_required: true, approvals_required: 2 })
})

it('a merchant’s first passkey counts at once', async () => {
  const { merchantId } = await createMerchant(desk.app, { name: 'Another' })
  const eve = await desk.member({ of: merchantId })
  await desk.offer(eve, merchantId)
  const of = ['--merchant', merchantId, '--environment', 'live']
  const { trusted_from } = await json('trust', passkeyFingerprint(eve.passkey), ...of)
  expect(new Date(trusted_from).getTime()).toBeLessThanOrEqual(Date.now())
})

it('the signer’s settings in force and those that wait are shown, also while it runs', async () => {
  const [path, config] = [settingsPath(desk.folder.path, 'live'), `${desk.folder.path}/config.json`]
  const limit = (per_day: string) => [{ network: 'bitcoin', currency: 'BTC', per_day }]
  await recordSettings(path, 'live', settingsOf({ limits: limit('2') }), new Date())
  await recordSettings(path, 'live', settingsOf({ limits: limit('5') }), new Date())
  await writeFile(config, JSON.stringify({ signer: { limits: limit('7') } }))
  const show = (...args: string[]) =>
    runCommand(['signer', 'settings', ...args], { ...env(), SLUICE_CONFIG: config })
  const { code, stdout, stderr } = await show('--json')
  expect(code, stderr).toBe(0)
  expect(JSON.parse(stdout)).toMatchObject({
    in_force: { 'limits: BTC on bitcoin, per_day': '2 BTC', weakening_delay_hours: '24 h' },
    waiting: [{ setting: 'limits: BTC on bitcoin, per_day', change: '2 BTC → 5 BTC' }],
    config_differs: true,
  })
  expect((await show()).stdout).toMatch(/^ {2}limits: BTC on bitcoin, per_day: 2 BTC → 5 BTC, from /m)
})

it('an unknown passkey and a missing wallet folder are refused with the reason', async () => {
  const unknown = await run('trust', 'ffff-ffff', ...whose())
  expect([unknown.code, unknown.stderr]).toEqual([
    1,
    expect.stringContaining('has the fingerprint ffff-ffff'),
  ])
  const elsewhere = await runCommand(['passkey', 'require', 'off', ...whose()], {
    DATABASE_URL: desk.url,
    SLUICE_DATA_DIR: `${desk.folder.path}/nowhere`,
  })
  expect([elsewhere.code, elsewhere.stderr]).toEqual([1, expect.stringContaining('on the signer’s machine')])
})
