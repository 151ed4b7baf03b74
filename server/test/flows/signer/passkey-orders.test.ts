import { chmod, readdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { passkeyFingerprint } from '../../../src/domain/webauthn.ts'
import { createLog } from '../../../src/log.ts'
import { sendOrder, takeOrders } from '../../../src/signer/order-box.ts'
import { pinsPath, readPins } from '../../../src/signer/passkey-pins.ts'
import { createSigningSession, type SigningSession, signerSeat } from '../../../src/signer/signing-session.ts'
import { makePasskey } from '../../support/people/approving-passkey.ts'
import { liveWallet, openPasskeyDesk, type PasskeyDesk } from '../../support/people/passkey-desk.ts'
import { runCommand } from '../../support/processes/run-command.ts'
import { settingsOf } from '../../support/signer/signer-limits.ts'

const dayMs = 24 * 3_600_000
let desk: PasskeyDesk
let wallet: string
let session: SigningSession
let seat: ReturnType<typeof signerSeat>
let logged: { msg: string }[]
beforeEach(async () => {
  desk = await openPasskeyDesk()
  wallet = join(desk.folder.path, 'wallet')
  await desk.pins.close()
  await desk.journal().close()
  logged = []
  ;({ session, seat } = openSession())
})
afterEach(async () => {
  await session.close()
  seat.release()
  await desk.close()
})

function openSession() {
  const own = signerSeat(desk.folder.path)
  const made = createSigningSession({
    app: desk.app,
    url: desk.url,
    dataDir: desk.folder.path,
    wallet: liveWallet,
    seat: own,
    settings: settingsOf(),
    log: createLog('info', { write: (line) => logged.push(JSON.parse(line)) }),
  })
  return { session: made, seat: own }
}

/** Runs a command while the signer takes its steps. */
async function whileSigning<T>(command: Promise<T>): Promise<T> {
  let isDone = false
  const end = () => {
    isDone = true
  }
  command.then(end, end)
  while (!isDone) await session.step()
  return command
}

const whose = () => ['--merchant', desk.merchantId, '--environment', 'live']
const run = (...args: string[]) =>
  runCommand(['passkey', ...args, ...whose(), '--json'], {
    DATABASE_URL: desk.url,
    SLUICE_DATA_DIR: desk.folder.path,
  })
const trusted = async () =>
  (await readPins(pinsPath(desk.folder.path, 'live'), 'live')).all().map(passkeyFingerprint)
const leftovers = async () => (await readdir(wallet)).filter((name) => name.includes('order'))
const anyOrder = () => ({ kind: 'forget', merchantId: desk.merchantId, fingerprint: 'ffff-ffff' }) as const

it('passkeys are trusted and forgotten, and required, while the signer runs; it uses what was said at once', async () => {
  await session.step()
  const [ann, bob] = [await desk.member(), await desk.member()]
  for (const each of [ann, bob]) await desk.offer(each)
  const [first, second] = [passkeyFingerprint(ann.passkey), passkeyFingerprint(bob.passkey)]

  const before = Date.now()
  const one = await whileSigning(run('trust', first))
  expect([one.code, one.stderr]).toEqual([0, expect.anything()])
  expect(new Date(JSON.parse(one.stdout).trusted_from).getTime()).toBeLessThanOrEqual(Date.now())
  const two = await whileSigning(run('trust', second))
  // By the running signer's own rule: only the first counts at once.
  expect(new Date(JSON.parse(two.stdout).trusted_from).getTime()).toBeGreaterThanOrEqual(before + dayMs)
  expect((await trusted()).sort()).toEqual([first, second].sort())

  expect((await whileSigning(run('require', 'on', '--approvals', '2'))).code).toBe(0)
  expect((await whileSigning(run('forget', second))).code).toBe(0)
  expect(await trusted()).toEqual([first])
  const again = await whileSigning(run('forget', second))
  expect([again.code, again.stderr]).toEqual([1, expect.stringContaining(`does not trust passkey ${second}`)])

  // The signer still owns its file: what it writes next is in the same chain.
  await session.close()
  seat.release()
  ;({ session, seat } = openSession())
  await session.step()
  expect(JSON.parse((await run('list')).stdout)).toMatchObject({ approvals_required: 2 })
  expect(await leftovers()).toEqual([])
  expect(logged.map(({ msg }) => msg)).toEqual([
    ...Array(4).fill('the operator has changed what this signer trusts'),
    'an order of the operator was refused',
  ])
})

it('a signer killed in the middle of an order leaves it to the next one, and its command is answered', async () => {
  const ann = await desk.member()
  await desk.offer(ann)
  const { passkey } = ann
  const order = {
    kind: 'trust',
    merchantId: desk.merchantId,
    userId: ann.userId,
    credentialId: passkey.credentialId.toString('hex'),
    publicKey: passkey.publicKey.toString('hex'),
  } as const
  const sent = sendOrder(desk.folder.path, 'live', order)
  // Taken, and cut off before it was carried out.
  await expect.poll(leftovers).toHaveLength(1)
  const die = () => Promise.reject(new Error('killed'))
  await expect(takeOrders(desk.folder.path, 'live', { warn() {} }, die)).rejects.toThrow('killed')
  expect(await leftovers()).toEqual([expect.stringMatching(/\.taken\.json$/)])
  expect(await whileSigning(sent)).toBeInstanceOf(Date)
  // Cut off after it was carried out: once more does no harm.
  await writeFile(join(wallet, `live-order-${ann.userId}.taken.json`), JSON.stringify(order), { mode: 0o600 })
  await session.step()
  expect(await trusted()).toEqual([passkeyFingerprint(passkey)])
})

it('an order that no signer takes is withdrawn, with the next step, and is never carried out', async () => {
  expect(seat.take()).toBe(true)
  await expect(sendOrder(desk.folder.path, 'live', anyOrder(), 100)).rejects.toThrow(
    'or stop it, run this command again, and start it',
  )
  expect(await leftovers()).toEqual([])
  // One of the other environment is not this signer's.
  const other = sendOrder(desk.folder.path, 'test', anyOrder(), 300)
  await expect(whileSigning(other)).rejects.toThrow('does not take orders')
})

it('what others could have written, and what is no order, changes nothing and stops no signer', async () => {
  const thief = makePasskey()
  const order = JSON.stringify({
    kind: 'trust',
    merchantId: desk.merchantId,
    userId: 'someone',
    credentialId: thief.credentialId.toString('hex'),
    publicKey: thief.publicKey.toString('hex'),
  })
  const place = (n: number) => join(wallet, `live-order-00000000-0000-4000-8000-00000000000${n}`)
  await writeFile(`${place(1)}.json`, order, { mode: 0o600 })
  await chmod(`${place(1)}.json`, 0o666)
  await writeFile(join(desk.folder.path, 'elsewhere'), order, { mode: 0o600 })
  await symlink(join(desk.folder.path, 'elsewhere'), `${place(2)}.json`)
  const malformed = ['', '[]', 'null', '{"kind":"trust"}', order.replace('trust', 'other'), `${order}x`]
  for (const [n, text] of malformed.entries()) await writeFile(`${place(n + 3)}.json`, text, { mode: 0o600 })
  await session.step()
  expect(await trusted()).toEqual([])
  for (const n of [1, 2, 3, 4, 5, 6, 7, 8])
    expect(JSON.parse(await readFile(`${place(n)}.answer.json`, 'utf8'))).toEqual({
      code: 'validation_error',
      message: expect.stringContaining('Nothing was changed'),
    })
})
