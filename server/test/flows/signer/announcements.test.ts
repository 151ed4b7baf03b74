import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { announcePasskeys } from '../../../src/app/mail/announce-passkeys.ts'
import { mailLanguages } from '../../../src/app/mail/mail-texts.ts'
import { createMerchant } from '../../../src/app/merchants/create-merchant.ts'
import { listAttention } from '../../../src/app/overview/list-attention.ts'
import type { Caller } from '../../../src/domain/caller.ts'
import type { WaitingPasskey } from '../../../src/domain/notices.ts'
import { passkeyFingerprint } from '../../../src/domain/webauthn.ts'
import { createLog } from '../../../src/log.ts'
import type { Config } from '../../../src/settings/config-file.ts'
import { pinsPath, readPins } from '../../../src/signer/passkey-pins.ts'
import { createSigningSession, signerSeat } from '../../../src/signer/signing-session.ts'
import { query } from '../../support/database/database.ts'
import { homePage } from '../../support/people/approving-passkey.ts'
import { type Holder, openPasskeyDesk, type PasskeyDesk } from '../../support/people/passkey-desk.ts'
import { settingsOf } from '../../support/signer/signer-limits.ts'

const delayMs = 24 * 3_600_000
let desk: PasskeyDesk
let ann: Holder
beforeEach(async () => {
  desk = await openPasskeyDesk()
  ann = await desk.holder({ role: 'owner' })
})
afterEach(() => desk.close())

describe('a passkey that the signer will trust', () => {
  async function vouched() {
    const eve = await desk.member()
    await desk.member({ role: 'viewer' })
    await desk.offer(eve)
    await desk.vouch(eve, ann)
    await desk.follow({ delayMs })
    return eve
  }
  const announce = () =>
    announcePasskeys({
      ...desk.app,
      people: { sendsMail: true, handlesMoney: true, sealKey: null, url: () => homePage.origin },
    })
  const mails = () =>
    query<{ recipient: string; passkey: WaitingPasskey }>(
      desk.url,
      `select recipient, passkey from mails where kind = 'passkey_waits' order by created_at`,
    )

  it('is announced once by mail to everyone who may approve', async () => {
    const eve = await vouched()
    expect(await announce()).toBe(1)
    const sent = await mails()
    expect(sent.map(({ recipient }) => recipient).sort()).toEqual(
      [ann, eve].map(({ userId }) => `${userId}@example.com`).sort(),
    )
    const fingerprint = passkeyFingerprint(eve.passkey)
    expect(sent[0]?.passkey).toMatchObject({ merchant: 'Shop', fingerprint, name: 'Key' })
    for (const texts of mailLanguages.values()) {
      const { text } = texts.passkeyWaits(sent[0]?.passkey as WaitingPasskey, homePage.origin)
      expect(text).toContain(fingerprint)
    }
    await desk.follow({ delayMs })
    expect(await announce()).toBe(0)
    expect(await mails()).toHaveLength(2)
  })

  it('is on the overview until it counts or is withdrawn', async () => {
    const eve = await vouched()
    const caller = { merchantId: desk.merchantId, environment: 'live' } as Caller
    const gates = { list: () => [] } as never
    const seen = () => listAttention({ store: desk.app.store, gates }, caller, [])
    const fingerprint = passkeyFingerprint(eve.passkey)
    expect(await seen()).toMatchObject([
      { kind: 'passkey_waits', details: expect.stringContaining(fingerprint), target: 'policy' },
    ])
    expect(await desk.app.store.passkeyEnrolments.list(desk.merchantId, 'live')).toMatchObject([
      { isTrusted: true },
      { isTrusted: false, trustedFrom: expect.any(Date), vouchedBy: [ann.userId] },
    ])
    const { credentialId } = eve.passkey
    await desk.state(ann, { kind: 'distrust_passkey', merchantId: desk.merchantId, credentialId })
    expect(await seen()).toEqual([])
  })

  it('is not announced where it counts at once', async () => {
    await desk.holder({ voucher: ann })
    expect(await announce()).toBe(0)
  })
})

describe('the operator’s settings', () => {
  const logged: { msg: string; setting?: string }[] = []
  /** A live signer that starts with these settings, takes one step and stops. */
  async function run(signer: Partial<Config['signer']>): Promise<number> {
    const seat = signerSeat(desk.folder.path)
    const session = createSigningSession({
      app: desk.app,
      url: desk.url,
      dataDir: desk.folder.path,
      wallet: desk.wallet,
      seat,
      settings: settingsOf(signer),
      relyingParty: { id: homePage.rpId, origins: [homePage.origin] },
      log: createLog('warn', { write: (line) => logged.push(JSON.parse(line)) }),
    })
    try {
      return await session.step()
    } finally {
      await session.close()
      seat.release()
    }
  }
  async function newMerchant(): Promise<string> {
    const { merchantId } = await createMerchant(desk.app, { name: 'Another' })
    await desk.offer(await desk.member({ of: merchantId }), merchantId)
    return merchantId
  }
  const trustsAny = async (merchantId: string) =>
    (await readPins(pinsPath(desk.folder.path, 'live'), 'live')).hasEver(merchantId)
  const perDay = (per_day: string) => ({ limits: [{ network: 'bitcoin', currency: 'BTC', per_day }] })
  async function approved(amountUnits: bigint) {
    const made = await desk.ordinary({ approvers: [], amountUnits })
    await desk.approveWith(ann, made.payout)
    return made
  }

  it('that were weakened count after the delay, wait in sight of the operator, and are no reason to fail', async () => {
    expect(await run(perDay('0.001'))).toBe(0)
    const { spendId } = await approved(200_000n)
    logged.length = 0
    expect(await run({ ...perDay('1'), waive: ['passkeys'] })).toBe(0)
    expect((await desk.outcome(spendId)).refusal).toMatch(
      /limit of 0\.001 BTC per day on bitcoin\. The new settings of the signer count from .* on\.$/,
    )
    const [row] = await query(
      desk.url,
      'select refused_for_good_at as at from spend_transactions where spend_id = $1',
      [spendId],
    )
    expect(row).toEqual({ at: null })
    expect(await desk.app.store.signerChanges.ofOperator()).toMatchObject([
      { subject: 'limits: BTC on bitcoin, per_day', details: '0.001 BTC → 1 BTC', environment: 'live' },
      { subject: 'waive: passkeys', details: 'required → waived' },
    ])
    expect(logged.filter(({ msg }) => msg.startsWith('A SETTING OF THE SIGNER WAS WEAKENED'))).toHaveLength(2)
    // Another start changes nothing, and no passkey is trusted on first sight yet.
    const other = await newMerchant()
    expect(await run({ ...perDay('1'), waive: ['passkeys'] })).toBe(0)
    expect(await trustsAny(other)).toBe(false)
    await run(perDay('0.001'))
    expect(await desk.app.store.signerChanges.ofOperator()).toEqual([])
  })

  it('that were weakened count at once where the operator has set no delay from the beginning', async () => {
    await run({ ...perDay('0.001'), weakening_delay_hours: 0 })
    await approved(200_000n)
    const other = await newMerchant()
    expect(await run({ ...perDay('1'), waive: ['passkeys'], weakening_delay_hours: 0 })).toBe(1)
    expect(await trustsAny(other)).toBe(true)
  })

  it('that were tightened count at once', async () => {
    await run(perDay('1'))
    const { spendId } = await approved(200_000n)
    expect(await run(perDay('0.001'))).toBe(0)
    expect((await desk.outcome(spendId)).refusal).toMatch('limit of 0.001 BTC per day on bitcoin.')
  })
})
