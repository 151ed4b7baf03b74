import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { passkeyFingerprint } from '../../../src/domain/webauthn.ts'
import { signerSeat } from '../../../src/signer/signing-session.ts'
import { query } from '../../support/database/database.ts'
import { makePasskey } from '../../support/people/approving-passkey.ts'
import { type Holder, openPasskeyDesk, type PasskeyDesk } from '../../support/people/passkey-desk.ts'
import { runCommand } from '../../support/processes/run-command.ts'

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
  await json('trust', fingerprint, ...whose())
  expect((await run('list', ...whose())).stdout).toMatch(new RegExp(`^${fingerprint}  trusted here  `, 'm'))
  expect((await json('list', ...whose())).passkeys).toMatchObject([
    { fingerprint, trusted: 'operator' },
    { trusted: null },
    { trusted: null },
  ])
})

it('the operator turns the passkey requirement off and on at the signer', async () => {
  await json('require', 'off', ...whose())
  expect(await json('list', ...whose())).toMatchObject({ passkeys_required: false })
  await json('require', 'on', '--approvals', '2', ...whose())
  expect(await json('list', ...whose())).toMatchObject({ passkeys_required: true, approvals_required: 2 })
})

it('an unknown passkey, a running signer and a missing wallet folder are refused with the reason', async () => {
  const unknown = await run('trust', 'ffff-ffff', ...whose())
  expect([unknown.code, unknown.stderr]).toEqual([
    1,
    expect.stringContaining('has the fingerprint ffff-ffff'),
  ])
  const seat = signerSeat(desk.folder.path)
  expect(seat.take()).toBe(true)
  const held = await run('require', 'off', ...whose())
  expect([held.code, held.stderr]).toEqual([
    1,
    expect.stringContaining('A signer is using this wallet folder'),
  ])
  expect((await run('list', ...whose())).code).toBe(0)
  seat.release()
  const elsewhere = await runCommand(['passkey', 'require', 'off', ...whose()], {
    DATABASE_URL: desk.url,
    SLUICE_DATA_DIR: `${desk.folder.path}/nowhere`,
  })
  expect([elsewhere.code, elsewhere.stderr]).toEqual([1, expect.stringContaining('on the signer’s machine')])
})
