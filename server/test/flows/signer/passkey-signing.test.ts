import { randomUUID } from 'node:crypto'
import { appendFile, readFile, writeFile } from 'node:fs/promises'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createMerchant } from '../../../src/app/merchants/create-merchant.ts'
import { noPolicy } from '../../../src/domain/payout-policy.ts'
import { approvalHash } from '../../../src/domain/payouts.ts'
import { openPins, pinsPath } from '../../../src/signer/passkey-pins.ts'
import { query } from '../../support/database/database.ts'
import { homePage, makePasskey } from '../../support/people/approving-passkey.ts'
import { type Holder, openPasskeyDesk, type PasskeyDesk } from '../../support/people/passkey-desk.ts'
import { elsewhere } from '../../support/signer/signer-desk.ts'

let desk: PasskeyDesk
let ann: Holder
beforeEach(async () => {
  desk = await openPasskeyDesk()
  ann = await desk.holder()
})
afterEach(() => desk.close())

const unapproved = { approvers: [] }
const trusts = ({ passkey }: Holder) => desk.pins.find(desk.merchantId, passkey.credentialId) !== null

async function refused(spendId: string, words: string | RegExp) {
  expect(await desk.sign()).toBe(0)
  const { hash, refusal } = await desk.outcome(spendId)
  expect(hash).toBeNull()
  expect(refusal).toMatch(words)
  expect(desk.journal().all()).toEqual([])
}

it('a payout approved with a trusted passkey is signed', async () => {
  const { payout, spendId } = await desk.ordinary(unapproved)
  await refused(spendId, '0 of 1 approvals with a passkey')
  await desk.approveWith(ann, payout)
  expect(await desk.sign()).toBe(1)
  expect((await desk.outcome(spendId)).hash).not.toBeNull()
})

it('one passkey assertion approves several payouts', async () => {
  const payouts = [await desk.payout(unapproved), await desk.payout({ ...unapproved, amountUnits: 7_000n })]
  const both = desk.approvalBy(ann, payouts)
  for (const payout of payouts) await desk.approveWith(ann, payout, both)
  await desk.plan(desk.coinPlan([await desk.coin()], payouts), payouts)
  expect(await desk.sign()).toBe(1)
})

describe('an attacker who holds only the database cannot get a payout signed', () => {
  it('with approvals given without a passkey', async () => {
    const { payout, spendId } = await desk.ordinary({ approvers: [`user:${ann.userId}`, 'cli:operator'] })
    await refused(spendId, 'it was given without a passkey')
    expect((await desk.find(payout.id)).waitingReason).toMatch('passkey that this signer trusts')
    expect(desk.alerts).toMatchObject([{ msg: 'THE SIGNER REFUSES A TRANSACTION', for_good: true }])
  })

  it('with a passkey of their own in place of a member’s', async () => {
    const thief = { userId: ann.userId, passkey: makePasskey() }
    await desk.offer(thief)
    await desk.follow()
    const { payout, spendId } = await desk.ordinary(unapproved)
    await desk.approveWith(thief, payout)
    await refused(spendId, 'this signer does not trust its passkey')
    expect(trusts(thief)).toBe(false)
  })

  it('with another key under a trusted credential’s id', async () => {
    const forged = makePasskey()
    const thief = { userId: ann.userId, passkey: { ...forged, credentialId: ann.passkey.credentialId } }
    await query(desk.url, 'update passkey_enrolments set public_key = $1', [forged.publicKey])
    await query(desk.url, 'delete from passkey_pins')
    await desk.follow()
    const { payout, spendId } = await desk.ordinary(unapproved)
    const { assertion, coveredHashes } = desk.approvalBy(thief, [payout])
    const named = { ...assertion, credentialId: ann.passkey.credentialId }
    await desk.approveWith(thief, payout, { assertion: named, coveredHashes })
    await refused(spendId, 'its signature is invalid')
  })

  it('by vouching with an untrusted passkey, or with a voucher for another passkey', async () => {
    const [thief, friend] = [await desk.member(), await desk.member()]
    await desk.offer(thief)
    await desk.vouch(thief, thief)
    await desk.follow()
    expect(trusts(thief)).toBe(false)
    await desk.offer(friend)
    await desk.vouch(friend, ann)
    const texts = 'update passkey_statements set said = replace(replace(said, $1, $2), $3, $4)'
    const told = (key: Buffer) => key.toString('base64url')
    await desk.forge('passkey_statements', texts, [
      told(friend.passkey.credentialId),
      told(thief.passkey.credentialId),
      told(friend.passkey.publicKey),
      told(thief.passkey.publicKey),
    ])
    await desk.follow()
    expect([trusts(friend), trusts(thief)]).toEqual([false, false])
    await desk.vouch(friend, ann)
    await desk.follow()
    expect([trusts(friend), trusts(thief)]).toEqual([true, false])
  })

  it('by turning the policy off, or by forging the signer’s own records', async () => {
    const { spendId } = await desk.ordinary({ approvers: ['user:thief'] })
    await desk.policy('approval', `'any'`)
    await query(desk.url, 'delete from passkey_pins')
    await query(desk.url, 'delete from passkey_enrolments')
    await query(
      desk.url,
      `insert into passkey_demands values ('live', $1, false, 1)
      on conflict (environment, merchant_id) do update set is_required = false`,
      [desk.merchantId],
    )
    await desk.follow()
    await refused(spendId, '0 of 1 approvals with a passkey')
  })

  it('with a policy that no trusted passkey signed', async () => {
    const off = {
      kind: 'policy',
      environment: 'live',
      merchantId: desk.merchantId,
      baseCurrency: 'USD',
      policy: noPolicy,
      at: new Date(),
    } as const
    await desk.state({ userId: ann.userId, passkey: makePasskey() }, off)
    const { spendId } = await desk.ordinary({ approvers: ['user:thief'] })
    await refused(spendId, '0 of 1 approvals with a passkey')
  })

  it('with an assertion for another payout', async () => {
    const first = await desk.payout(unapproved)
    const earlier = desk.approvalBy(ann, [first])
    const { payout, spendId } = await desk.ordinary(unapproved)
    await desk.approveWith(ann, payout, earlier)
    await refused(spendId, 'does not cover this payout')
  })

  it('by claiming that an assertion covers another payout', async () => {
    const first = await desk.payout(unapproved)
    const { payout, spendId } = await desk.ordinary(unapproved)
    const { assertion } = desk.approvalBy(ann, [first])
    const coveredHashes = [approvalHash(first), approvalHash(payout)]
    await desk.approveWith(ann, payout, { assertion, coveredHashes })
    await refused(spendId, 'it responds to another challenge')
  })

  it('by changing the destination of an approved payout', async () => {
    const { payout, plan, spendId } = await desk.ordinary(unapproved)
    await desk.approveWith(ann, payout)
    const thief = desk.wallet.addressAt('bitcoin', { chain: 'deposit', index: 9 }) as string
    await desk.forge('payouts', 'update payouts set destination = $2 where id = $1', [payout.id, thief])
    const changed = await desk.find(payout.id)
    const hash = approvalHash(changed)
    await desk.forge(
      'payout_approvals',
      'update payout_approvals set approval_hash = $2, covered_hashes = $3 where payout_id = $1',
      [payout.id, hash, [hash]],
    )
    await desk.forge('spend_transactions', 'update spend_transactions set plan = $2 where spend_id = $1', [
      spendId,
      JSON.stringify(plan, (_, value) => (typeof value === 'bigint' ? String(value) : value)).replaceAll(
        elsewhere.liveBitcoin,
        thief,
      ),
    ])
    await refused(spendId, 'it responds to another challenge')
  })

  it('with a passkey of another merchant', async () => {
    const { merchantId: other } = await createMerchant(desk.app, { name: 'Other' })
    const eve = await desk.holder({ of: other })
    expect(desk.pins.find(other, eve.passkey.credentialId)).toMatchObject({ how: 'first_sight' })
    const { payout, spendId } = await desk.ordinary(unapproved)
    await desk.approveWith(eve, payout)
    await refused(spendId, 'this signer does not trust its passkey for the merchant')
  })
})

describe('an assertion is refused', () => {
  it.each([
    [
      'made on another page',
      { origin: 'https://evil.example' },
      'made on another page: https://evil.example',
    ],
    ['made for another service', { rpId: 'evil.example' }, 'made for another service'],
    ['without user verification', { flags: 0x01 }, 'did not verify the user'],
  ])('%s', async (_, page, words) => {
    const { payout, spendId } = await desk.ordinary(unapproved)
    await desk.approveWith(ann, payout, desk.approvalBy(ann, [payout], { ...homePage, ...page }))
    await refused(spendId, words)
  })

  it('while the signer does not know the public URL, which does not refuse the payout for good', async () => {
    const { payout, spendId } = await desk.ordinary(unapproved)
    await desk.approveWith(ann, payout)
    expect(await desk.sign({ trust: { pins: desk.pins, relyingParty: null, requireAll: false } })).toBe(0)
    expect((await desk.outcome(spendId)).refusal).toMatch('SLUICE_PUBLIC_URL')
    const ends = 'select refused_for_good_at as at from spend_transactions where spend_id = $1'
    expect(await query(desk.url, ends, [spendId])).toEqual([{ at: null }])
    expect(await desk.sign()).toBe(1)
  })
})

describe('the signer', () => {
  it('trusts a merchant’s first passkey on first sight with a warning, and no second one by itself', async () => {
    expect(desk.pinned).toMatchObject([
      { msg: expect.stringContaining('TRUSTED ON FIRST SIGHT'), user_id: ann.userId },
    ])
    const bob = await desk.holder()
    expect(trusts(bob)).toBe(false)
    await desk.vouch(bob, ann)
    await desk.follow()
    expect(desk.pins.find(desk.merchantId, bob.passkey.credentialId)).toMatchObject({ how: 'vouched' })
    const { payout } = await desk.ordinary(unapproved)
    await desk.approveWith(bob, payout)
    expect(await desk.sign()).toBe(1)
  })

  it('trusts no passkey of a person who may not approve, not even a merchant’s first, and requires none because of it', async () => {
    const { merchantId } = await createMerchant(desk.app, { name: 'Another shop' })
    const policy = () => desk.app.store.payoutPolicies.find({ merchantId, environment: 'live' })
    const first = (await Promise.all(
      (['viewer', 'developer'] as const).map((role) => desk.holder({ of: merchantId, role })),
    )) as [Holder, Holder]
    expect(desk.pins.hasEver(merchantId)).toBe(false)
    expect((await policy()).approval).toBe('any')
    await query(desk.url, `update memberships set role = 'finance' where user_id = $1`, [first[1].userId])
    await desk.follow()
    expect(desk.pins.all().filter((pin) => pin.merchantId === merchantId)).toMatchObject([
      { userId: first[1].userId, how: 'first_sight' },
    ])
    expect((await policy()).approval).toBe('passkey')
  })

  it('does not trust a withdrawn passkey again, even when it is offered and vouched for again', async () => {
    const bob = await desk.holder({ voucher: ann })
    const { credentialId } = bob.passkey
    await desk.state(ann, { kind: 'distrust_passkey', merchantId: desk.merchantId, credentialId })
    expect(trusts(bob)).toBe(false)
    await desk.follow()
    expect(trusts(bob)).toBe(false)
    const { payout, spendId } = await desk.ordinary(unapproved)
    await desk.approveWith(bob, payout)
    await refused(spendId, 'this signer does not trust its passkey')
    const own = ann.passkey.credentialId
    await desk.state(bob, { kind: 'distrust_passkey', merchantId: desk.merchantId, credentialId: own })
    expect(trusts(ann)).toBe(true)
  })

  it('trusts no second passkey on first sight, even when a merchant has none left', async () => {
    const { credentialId } = ann.passkey
    await desk.state(ann, { kind: 'distrust_passkey', merchantId: desk.merchantId, credentialId })
    const thief = await desk.holder()
    expect(desk.pins.all()).toEqual([])
    const { payout, spendId } = await desk.ordinary({ approvers: ['user:thief'] })
    await desk.approveWith(thief, payout)
    await refused(spendId, '0 of 1 approvals with a passkey')
  })

  it('keeps its pins on disk in a chained file, and detects damage', async () => {
    const bob = await desk.holder({ voucher: ann })
    const path = pinsPath(desk.folder.path, 'live')
    await desk.pins.close()
    const again = await openPins(path, 'live')
    expect(again.all().map(({ userId, how }) => [userId, how])).toEqual([
      [ann.userId, 'first_sight'],
      [bob.userId, 'vouched'],
    ])
    await again.close()
    await appendFile(path, '{"version":1,"pin')
    const cut = await openPins(path, 'live')
    expect(cut.all()).toHaveLength(2)
    await cut.close()
    const text = await readFile(path, 'utf8')
    await writeFile(path, text.replace(ann.userId, randomUUID()))
    await expect(openPins(path, 'live')).rejects.toThrow('is damaged at line 2')
    await writeFile(path, text.split('\n').toSpliced(1, 1).join('\n'))
    await expect(openPins(path, 'live')).rejects.toThrow('is damaged at line 2')
    await expect(openPins(path, 'test')).rejects.toThrow('is damaged at line 1')
  })

  it('publishes to the database which passkeys it trusts and requires', async () => {
    const policies = desk.app.store.payoutPolicies
    const owner = { merchantId: desk.merchantId, environment: 'live' } as const
    expect(await policies.find(owner)).toMatchObject({ approval: 'passkey', approvalsRequired: 1 })
    expect(await policies.find({ ...owner, environment: 'test' })).toMatchObject({ approval: 'any' })
    const enrolments = await desk.app.store.passkeyEnrolments.list(desk.merchantId, 'live')
    expect(enrolments).toMatchObject([{ userId: ann.userId, isTrusted: true }])
  })
})

describe('the number of approvals', () => {
  const policy = (approval: 'any' | 'passkey', approvalsRequired: number, at = new Date()) =>
    ({
      kind: 'policy',
      environment: 'live',
      merchantId: desk.merchantId,
      baseCurrency: 'USD',
      policy: { ...noPolicy, approval, approvalsRequired },
      at,
    }) as const

  it('counts people with trusted passkeys, and a person with two passkeys once', async () => {
    await desk.policy('approvals_required', '2')
    const [bob, phone] = [await desk.holder({ voucher: ann }), { userId: ann.userId, passkey: makePasskey() }]
    await desk.offer(phone)
    await desk.vouch(phone, ann)
    await desk.follow()
    const { payout, spendId } = await desk.ordinary(unapproved)
    await desk.approveWith(ann, payout)
    const forged = { ...phone, userId: randomUUID() }
    await desk.approveWith(forged, payout, desk.approvalBy(phone, [payout]))
    await refused(spendId, '1 of 2 approvals with a passkey')
    await desk.approveWith(bob, payout)
    expect(await desk.sign()).toBe(1)
  })

  it('does not include the payout’s creator', async () => {
    await desk.policy('approvals_required', '2')
    const bob = await desk.holder({ voucher: ann })
    const { payout, spendId } = await desk.ordinary(unapproved)
    await desk.forge('payouts', 'update payouts set created_by = $2 where id = $1', [
      payout.id,
      `user:${ann.userId}`,
    ])
    for (const holder of [ann, bob]) await desk.approveWith(holder, payout)
    await refused(spendId, 'it was given by the creator of the payout')
  })

  it('set with a passkey overrides the database until a passkey sets another', async () => {
    await desk.state(ann, policy('passkey', 2))
    const { payout, spendId } = await desk.ordinary(unapproved)
    await desk.approveWith(ann, payout)
    await refused(spendId, '1 of 2 approvals with a passkey')
    // An older statement that was held back and shown later changes nothing.
    await desk.state(ann, policy('passkey', 1, new Date(Date.now() - 60_000)))
    await refused(spendId, '1 of 2 approvals with a passkey')
    // One of two cannot relax it.
    await desk.state(ann, policy('passkey', 1))
    await refused(spendId, '1 of 2 approvals with a passkey')
  })

  it('a trusted passkey turns the requirement off, and the same statement cannot be replayed', async () => {
    const off = policy('any', 1)
    await desk.state(ann, off)
    const { spendId } = await desk.ordinary({ approvers: ['user:one'] })
    expect(await desk.sign()).toBe(1)
    expect((await desk.outcome(spendId)).refusal).toBeNull()
    await desk.state(ann, policy('passkey', 1, new Date(Date.now() + 1_000)))
    await desk.state(ann, off)
    const next = await desk.ordinary({ approvers: ['user:one'] })
    expect(await desk.sign()).toBe(0)
    expect((await desk.outcome(next.spendId)).refusal).toMatch('0 of 1 approvals with a passkey')
  })
})

describe('when the operator requires passkeys of every merchant', () => {
  it('nothing is signed for a merchant forged in the database, with or without a passkey', async () => {
    const own = await openPasskeyDesk()
    try {
      const thief = { userId: randomUUID(), passkey: makePasskey() }
      await query(own.url, 'insert into users (id, email, name) values ($1, $2, $2)', [thief.userId, 'a@b.c'])
      await own.offer(thief)
      await own.follow({ requireAll: true })
      expect(own.pins.all()).toEqual([])
      const one = await own.ordinary({ approvers: ['user:one'] })
      const two = await own.ordinary(unapproved)
      await own.approveWith(thief, two.payout)
      const relyingParty = { id: homePage.rpId, origins: [homePage.origin] }
      expect(await own.sign({ trust: { pins: own.pins, relyingParty, requireAll: true } })).toBe(0)
      for (const { spendId } of [one, two])
        expect((await own.outcome(spendId)).refusal).toMatch('0 of 1 approvals with a passkey')
      const owner = { merchantId: own.merchantId, environment: 'live' } as const
      expect(await own.app.store.payoutPolicies.find(owner)).toMatchObject({ approval: 'passkey' })
    } finally {
      await own.close()
    }
  })
})

it('in the test environment the database’s policy decides', async () => {
  const own = await openPasskeyDesk({})
  try {
    const bob = await own.holder()
    await own.ordinary({ approvers: ['user:one'] })
    expect(await own.sign()).toBe(1)
    await own.policy('approval', `'passkey'`)
    const { payout, spendId } = await own.ordinary({ approvers: ['user:one'] })
    expect(await own.sign()).toBe(0)
    expect((await own.outcome(spendId)).refusal).toMatch('0 of 1 approvals with a passkey')
    await own.approveWith(bob, payout)
    expect(await own.sign()).toBe(1)
  } finally {
    await own.close()
  }
})
