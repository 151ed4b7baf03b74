import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { DestinationStatement, PolicyStatement } from '../../../src/domain/passkey-statements.ts'
import { noPolicy, type PayoutPolicy } from '../../../src/domain/payout-policy.ts'
import { openPins, pinsPath } from '../../../src/signer/passkey-pins.ts'
import { policyInForce } from '../../../src/signer/pin-book.ts'
import { query } from '../../support/database/database.ts'
import { makePasskey } from '../../support/people/approving-passkey.ts'
import { type Holder, openPasskeyDesk, type PasskeyDesk } from '../../support/people/passkey-desk.ts'
import { elsewhere } from '../../support/signer/signer-desk.ts'

const hourMs = 3_600_000
const delayMs = 24 * hourMs
const unapproved = { approvers: [] }

let desk: PasskeyDesk
let ann: Holder
let bob: Holder
let nowMs: number
beforeEach(async () => {
  desk = await openPasskeyDesk()
  ann = await desk.holder()
  bob = await desk.holder({ voucher: ann })
  nowMs = Date.now()
})
afterEach(() => desk.close())

/** What the signer does with its clock at our time, a day behind on everything that weakens it. */
const now = () => new Date(nowMs)
const follow = () => desk.follow({ delayMs, at: now() })
const sign = () => desk.sign({ ownNow: now })
const inForce = () => policyInForce(desk.pins, desk.merchantId, now())

function policy(rules: Partial<PayoutPolicy>, at = new Date(nowMs)): PolicyStatement {
  const { merchantId } = desk
  const whole = { ...noPolicy, approval: 'passkey', ...rules } as const
  return { kind: 'policy', environment: 'live', merchantId, baseCurrency: 'USD', policy: whole, at }
}

async function state(holders: Holder | Holder[], statement: PolicyStatement | DestinationStatement) {
  await desk.state(holders, statement, { delayMs, at: now() })
}

async function approved(input: Parameters<typeof desk.ordinary>[0] = {}, by = [ann]) {
  const made = await desk.ordinary({ ...input, ...unapproved })
  for (const holder of by) await desk.approveWith(holder, made.payout)
  return made
}

const refusalOf = async ({ spendId }: { spendId: string }) => (await desk.outcome(spendId)).refusal
const isForGood = async ({ spendId }: { spendId: string }) => {
  const [row] = await query<{ at: Date | null }>(
    desk.url,
    'select refused_for_good_at as at from spend_transactions where spend_id = $1',
    [spendId],
  )
  return row?.at !== null
}

describe('a pinned policy', () => {
  it('limits payouts although the database has no policy any more', async () => {
    await state(ann, policy({ maxPayout: 9_999n }))
    const over = await approved({ worth: 10_000n })
    const unknown = await approved({ worth: null })
    expect(await sign()).toBe(0)
    expect(await refusalOf(over)).toMatch("is over its merchant's limit")
    expect(await refusalOf(unknown)).toMatch('is unknown')
    await approved({ worth: 9_999n })
    expect(await sign()).toBe(1)
  })

  it('does not compare values in another currency than its limit’s', async () => {
    await state(ann, policy({ maxPayout: 9_999n }))
    const other = await approved({ worth: 1n })
    await desk.forge('payouts', `update payouts set base_currency = 'JPY' where id = $1`, [other.payout.id])
    expect(await sign()).toBe(0)
    expect(await refusalOf(other)).toMatch("is valued in JPY, but its merchant's limit is in USD")
  })

  it('is tightened by one person at once', async () => {
    await state(ann, policy({ approvalsRequired: 2, maxPayout: 100_000n, coolingOffSeconds: 60 }))
    expect(inForce()).toMatchObject({ approvalsRequired: 2, maxPayout: 100_000n, coolingOffSeconds: 60 })
    nowMs += 1_000
    await state(bob, policy({ approvalsRequired: 2, maxPayout: 50_000n, coolingOffSeconds: 60 }))
    expect(inForce().maxPayout).toBe(50_000n)
  })

  it('is relaxed only by as many people as approve a payout, and not by one with two passkeys', async () => {
    await state(ann, policy({ approvalsRequired: 2, maxPayout: 5_000n }))
    const phone = { userId: ann.userId, passkey: makePasskey() }
    await desk.offer(phone)
    for (const voucher of [ann, bob]) await desk.vouch(phone, voucher)
    await desk.follow({ delayMs: 0, at: now() })
    nowMs += 1_000
    const wanted = policy({ approvalsRequired: 1, maxPayout: null })
    await state([ann, phone], wanted)
    nowMs += delayMs
    await follow()
    expect(inForce()).toMatchObject({ approvalsRequired: 2, maxPayout: 5_000n })
    await state(bob, wanted)
    nowMs += delayMs
    await follow()
    expect(inForce()).toMatchObject({ approvalsRequired: 1, maxPayout: null })
  })

  it('is relaxed only after the delay, and says so to the payouts that wait for it', async () => {
    await state(ann, policy({ maxPayout: 5_000n }))
    nowMs += 1_000
    await state(ann, policy({ maxPayout: 20_000n }))
    const from = new Date(nowMs + delayMs).toISOString()
    const waiting = await approved({ worth: 10_000n })
    const never = await approved({ worth: 30_000n })
    nowMs += delayMs - 1
    await follow()
    expect(await sign()).toBe(0)
    expect(await refusalOf(waiting)).toMatch(`The change that allows it counts from ${from} on.`)
    expect([await isForGood(waiting), await isForGood(never)]).toEqual([false, true])
    nowMs += 1
    await follow()
    expect(await sign()).toBe(1)
  })

  it('that is stricter withdraws a weaker one that still waits', async () => {
    await state(ann, policy({ maxPayout: 5_000n }))
    nowMs += 1_000
    await state(ann, policy({ maxPayout: null }))
    nowMs += hourMs
    await state(bob, policy({ maxPayout: 5_000n }))
    nowMs += 3 * delayMs
    await follow()
    expect(inForce().maxPayout).toBe(5_000n)
  })

  it('is not replaced by an older one that was held back, or by one from the future', async () => {
    await state(ann, policy({ maxPayout: 5_000n }))
    await state(ann, policy({ maxPayout: 9_000n }, new Date(nowMs - 60_000)))
    await state(ann, policy({ maxPayout: 1n }, new Date(nowMs + hourMs)))
    nowMs += 1_000
    await state(ann, policy({ maxPayout: 4_000n }))
    expect(inForce().maxPayout).toBe(4_000n)
  })

  it('waits no shorter when the clock is set back, or the signer is restarted', async () => {
    await state(ann, policy({ maxPayout: 5_000n }))
    nowMs += 1_000
    await state(ann, policy({ maxPayout: null }))
    const path = pinsPath(desk.folder.path, 'live')
    await desk.pins.close()
    const again = await openPins(path, 'live')
    nowMs -= 30 * delayMs
    expect(policyInForce(again, desk.merchantId, new Date(again.newestMs())).maxPayout).toBe(5_000n)
    await again.close()
  })

  it('that switches passkeys off waits, although it is the first that anyone states', async () => {
    await state(ann, policy({ approval: 'any' }))
    await desk.ordinary({ approvers: ['user:one'] })
    expect(await sign()).toBe(0)
    nowMs += delayMs
    await desk.ordinary({ approvers: ['user:one'] })
    await follow()
    expect(await sign()).toBe(2)
  })
})

describe('an owner who wants to approve alone', () => {
  it('vouches in vain for a sock puppet while two people are required', async () => {
    await state(ann, policy({ approvalsRequired: 2 }))
    const puppet = await desk.member({ role: 'owner' })
    await desk.offer(puppet)
    await desk.vouch(puppet, ann)
    // Neither twice, nor with the puppet's own word.
    await desk.vouch(puppet, ann)
    await desk.vouch(puppet, puppet)
    await follow()
    nowMs += 2 * delayMs
    await follow()
    const { credentialId } = puppet.passkey
    expect(desk.pins.find(desk.merchantId, credentialId)).toBeNull()
    const made = await approved({}, [ann, puppet])
    expect(await sign()).toBe(0)
    expect(await refusalOf(made)).toMatch('1 of 2 approvals with a passkey')
    await desk.vouch(puppet, bob)
    await follow()
    expect(desk.pins.find(desk.merchantId, credentialId)).toMatchObject({ how: 'vouched' })
  })

  it('cannot have a passkey trusted whose owner may not approve', async () => {
    const viewer = await desk.member({ role: 'viewer' })
    await desk.offer(viewer)
    await desk.vouch(viewer, ann)
    await follow()
    expect(desk.pins.find(desk.merchantId, viewer.passkey.credentialId)).toBeNull()
  })
})

describe('a passkey that was vouched for', () => {
  it('counts only after the delay, can be withdrawn before, and is announced', async () => {
    const eve = await desk.member()
    await desk.offer(eve)
    await desk.vouch(eve, ann)
    await follow()
    const { credentialId } = eve.passkey
    const from = new Date(nowMs + delayMs)
    const waiting = `select kind, counts_from as "from" from signer_changes where merchant_id = $1`
    expect(await query(desk.url, waiting, [desk.merchantId])).toEqual([{ kind: 'passkey', from }])
    const made = await approved({}, [eve])
    expect(await sign()).toBe(0)
    expect(await refusalOf(made)).toMatch(`trusts its passkey only from ${from.toISOString()} on`)
    // It does not vouch, and changes no policy either.
    const friend = await desk.member()
    await desk.offer(friend)
    await desk.vouch(friend, eve)
    await state(eve, policy({ maxPayout: 1n }))
    expect([desk.pins.find(desk.merchantId, friend.passkey.credentialId), inForce().maxPayout]).toEqual([
      null,
      null,
    ])
    await desk.state(
      bob,
      { kind: 'distrust_passkey', merchantId: desk.merchantId, credentialId },
      { delayMs, at: now() },
    )
    expect(await query(desk.url, waiting, [desk.merchantId])).toEqual([])
    nowMs += 2 * delayMs
    await follow()
    expect(await sign()).toBe(0)
  })

  it('counts from its time on', async () => {
    const eve = await desk.member()
    await desk.offer(eve)
    await desk.vouch(eve, ann)
    await follow()
    nowMs += delayMs
    await follow()
    await approved({}, [eve])
    expect(await sign()).toBe(1)
  })
})

describe('known destinations', () => {
  const place = { network: 'bitcoin', address: elsewhere.liveBitcoin, tag: null }
  const said = (isAllowed: boolean, over: Partial<DestinationStatement> = {}): DestinationStatement => ({
    kind: 'destination',
    environment: 'live',
    merchantId: desk.merchantId,
    ...place,
    isAllowed,
    at: now(),
    ...over,
  })
  const list = () =>
    query(
      desk.url,
      `insert into payout_destinations (merchant_id, environment, network, address, tag) values ($1, 'live', $2, $3, '')`,
      [desk.merchantId, place.network, place.address],
    )

  it('are the signer’s own: one that only the database knows is refused', async () => {
    await state(ann, policy({ onlyKnownDestinations: true }))
    await list()
    const made = await approved()
    expect(await sign()).toBe(0)
    expect(await refusalOf(made)).toMatch("not on the signer's own list")
  })

  it('are allowed by enough people after the delay, and disallowed by one at once', async () => {
    await state(ann, policy({ approvalsRequired: 2, onlyKnownDestinations: true }))
    const made = await approved({}, [ann, bob])
    const allowed = said(true)
    await state(ann, allowed)
    nowMs += delayMs
    await follow()
    expect(await sign()).toBe(0)
    await state(bob, allowed)
    expect(await sign()).toBe(0)
    expect(await refusalOf(made)).toMatch('The change that allows it counts from')
    nowMs += delayMs
    await follow()
    expect(await sign()).toBe(1)
    await state(bob, said(false))
    const next = await approved({}, [ann, bob])
    expect(await sign()).toBe(0)
    expect(await isForGood(next)).toBe(true)
    // The older statement cannot be shown again.
    await state([ann, bob], allowed)
    nowMs += delayMs
    await follow()
    expect(await sign()).toBe(0)
  })

  it('may be fewer in the database', async () => {
    await state(ann, said(true))
    await state(ann, policy({ onlyKnownDestinations: true }))
    nowMs += delayMs
    await desk.policy('only_known_destinations', 'true')
    const made = await approved()
    expect(await sign()).toBe(0)
    expect(await refusalOf(made)).toMatch("not on its merchant's list")
  })

  it('differ by tag, network and merchant', async () => {
    await state(ann, said(true, { tag: '7' }))
    await state(ann, said(true, { network: 'litecoin' }))
    await state(ann, policy({ onlyKnownDestinations: true }))
    nowMs += delayMs
    await approved()
    expect(await sign()).toBe(0)
  })
})
