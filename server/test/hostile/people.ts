import type { KeptStatement } from '../../src/domain/passkey-statements.ts'
import type { PayoutPolicy } from '../../src/domain/payout-policy.ts'
import type { Place } from '../../src/signer/pin-book.ts'
import type { Random } from '../simulation/random.ts'
import type { Holder, PasskeyDesk } from '../support/people/passkey-desk.ts'
import type { Belief } from './belief.ts'

/** The merchant's people. The signer trusts the first two from the start, and the third once they have vouched. */
export type People = { readonly ann: Holder; readonly bob: Holder; readonly carol: Holder }

export type PeopleOptions = {
  readonly desk: PasskeyDesk
  readonly people: People
  readonly belief: Belief
  readonly places: readonly Place[]
  readonly now: () => number
  /** Has a signer that was just started hear everything. Returns whether it could. */
  readonly hear: () => Promise<boolean>
  readonly unlessRefused: (work: () => Promise<unknown>) => Promise<boolean>
}

export const coolingOffSeconds = 7_200

/** What people with passkeys say to the signer in the course of a seed. */
export function peopleOf({ desk, people, belief, places, now, hear, unlessRefused }: PeopleOptions) {
  const { ann, bob, carol } = people
  const { merchantId } = desk
  const environment = 'live' as const
  const at = () => new Date(now())
  const someone = (random: Random) => random.pick<readonly Holder[]>([[ann], [bob], [ann, bob], [ann, bob]])
  const place = (random: Random) => places[random.below(places.length)] as Place

  async function put(statement: KeptStatement, by: readonly Holder[]): Promise<boolean> {
    let isPut = true
    for (const each of by) isPut = (await unlessRefused(() => desk.put(each, statement))) && isPut
    return isPut
  }

  /** What weakens may wait in the database for as long as the attacker likes. */
  async function say(statement: KeptStatement, by: readonly Holder[]): Promise<void> {
    belief.say(statement, by)
    await put(statement, by)
  }

  /** What strengthens is heard at once, unless the attacker can have withdrawn Ann's passkey before. */
  async function insist(statement: KeptStatement): Promise<void> {
    const said = belief.say(statement, [ann])
    const isHeard = (await put(statement, [ann])) && (await hear())
    if (isHeard && belief.insider === null) said.sure(now())
  }

  const policy = (rules: PayoutPolicy): KeptStatement => ({
    kind: 'policy',
    environment,
    merchantId,
    baseCurrency: 'USD',
    policy: rules,
    at: at(),
  })

  const statements = {
    async tighten(random: Random) {
      const rule = random.pick<Partial<PayoutPolicy>>([
        { approvalsRequired: 2 },
        { coolingOffSeconds },
        { onlyKnownDestinations: true },
      ])
      await insist(policy({ ...belief.strictest(), ...rule }))
    },
    async relax(random: Random) {
      const rules = {
        ...belief.strictest(),
        // Where the attacker has one passkey, one is never enough.
        approvalsRequired: belief.insider === null ? random.between(1, 2) : 2,
        coolingOffSeconds: random.pick([0, 0, coolingOffSeconds]),
        onlyKnownDestinations: random.bool(0.3),
      }
      await say(policy(rules), someone(random))
    },
    async list(random: Random) {
      await say(
        { kind: 'destination', environment, merchantId, ...place(random), isAllowed: true, at: at() },
        someone(random),
      )
    },
    async strike(random: Random) {
      await insist({
        kind: 'destination',
        environment,
        merchantId,
        ...place(random),
        isAllowed: false,
        at: at(),
      })
    },
    async vouch(random: Random) {
      const { userId, passkey } = carol
      const { credentialId, publicKey } = passkey
      await say({ kind: 'trust_passkey', merchantId, userId, credentialId, publicKey }, someone(random))
    },
    async withdraw() {
      const { credentialId } = bob.passkey
      await insist({ kind: 'distrust_passkey', merchantId, credentialId })
    },
  }

  return async (random: Random): Promise<void> => {
    const what = random.weighted({ tighten: 2, relax: 5, list: 4, strike: 2, vouch: 2, withdraw: 1 })
    await statements[what](random)
  }
}
