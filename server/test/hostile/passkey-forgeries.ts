import {
  challengeOf,
  type KeptStatement,
  type PasskeyStatement,
  statementText,
} from '../../src/domain/passkey-statements.ts'
import { noPolicy } from '../../src/domain/payout-policy.ts'
import type { Assertion } from '../../src/domain/webauthn.ts'
import type { Random } from '../simulation/random.ts'
import { type ApprovingPasskey, makePasskey } from '../support/people/approving-passkey.ts'
import type { Holder, PasskeyDesk } from '../support/people/passkey-desk.ts'
import type { Thief } from './forgeries.ts'
import { hashOf, uuidOf } from './names.ts'
import type { People } from './people.ts'
import type { Row, Rows } from './rows.ts'

const dayMs = 86_400_000
const bytes = (buffer: Uint8Array) => `\\x${Buffer.from(buffer).toString('hex')}`

function assertionColumns({ credentialId, authenticatorData, clientDataJson, signature }: Assertion): Row {
  return {
    credential_id: bytes(credentialId),
    authenticator_data: bytes(authenticatorData),
    client_data_json: bytes(clientDataJson),
    signature: bytes(signature),
  }
}

export type ForgeryOptions = {
  readonly rows: Rows
  readonly desk: PasskeyDesk
  readonly thief: Thief
  readonly coinNetwork: string
  readonly people: People
  /** A person whose trusted passkey the attacker has. */
  readonly insider: Holder | null
  readonly now: () => Date
}

/** What an attacker writes who has a passkey of their own, and perhaps a trusted one. */
export function passkeyForgeries(options: ForgeryOptions) {
  const { rows, desk, thief, coinNetwork, people, insider, now } = options
  const { merchantId, wallet } = desk
  const passkey = makePasskey()
  const { credentialId, publicKey } = passkey
  const { environment } = wallet
  const answerWith = (by: ApprovingPasskey, statement: PasskeyStatement) =>
    by.answer(challengeOf(statementText(statement)))
  const keys = insider === null ? [passkey] : [passkey, insider.passkey]

  /** A time that the attacker states: the present, or one at which other policies stood. */
  const someTime = (random: Random) => new Date(now().getTime() - random.pick([1, 1, dayMs / 2, 40 * dayMs]))

  /** What would weaken the signer, if it believed it. */
  function weakening(random: Random, userId: string): KeptStatement {
    const at = someTime(random)
    const { ann } = people
    const [network, address] = random.pick([
      [coinNetwork, thief.coins],
      ['ethereum', thief.account],
    ])
    return random.pick<KeptStatement>([
      { kind: 'trust_passkey', merchantId, userId, credentialId, publicKey },
      // Its own key under the name of one that is trusted.
      {
        kind: 'trust_passkey',
        merchantId,
        userId,
        credentialId: ann.passkey.credentialId,
        publicKey,
      },
      {
        kind: 'policy',
        environment,
        merchantId,
        baseCurrency: 'USD',
        policy: { ...noPolicy, approval: random.pick(['any', 'passkey']) },
        at,
      },
      {
        kind: 'destination',
        environment,
        merchantId,
        network: `${network}`,
        address: `${address}`,
        tag: null,
        isAllowed: true,
        at,
      },
      { kind: 'distrust_passkey', merchantId, credentialId: ann.passkey.credentialId },
    ])
  }

  const putStatement = (random: Random, said: string, assertion: Row) =>
    rows.insert('passkey_statements', {
      id: uuidOf(random),
      position: random.between(1e6, 1e9),
      merchant_id: merchantId,
      said,
      ...assertion,
    })

  return {
    /** Gives itself a passkey, and states with every passkey that it has what weakens the signer. */
    async add(random: Random) {
      const userId = uuidOf(random)
      await rows.insert('users', { id: userId, email: `${userId}@thief.example`, name: 'Thief' })
      await rows.insert('memberships', { merchant_id: merchantId, user_id: userId, role: 'owner' })
      await rows.insert('passkey_enrolments', {
        merchant_id: merchantId,
        credential_id: bytes(credentialId),
        position: random.between(1e6, 1e9),
        passkey_id: uuidOf(random),
        user_id: userId,
        public_key: bytes(publicKey),
        name: 'Key',
      })
      for (let n = random.between(1, 3); n > 0; n--) {
        const statement = weakening(random, userId)
        for (const by of keys) {
          const made = assertionColumns(answerWith(by, statement))
          // As if a trusted passkey had signed it.
          const claimed = random.bool(0.3) ? { credential_id: bytes(people.ann.passkey.credentialId) } : {}
          await putStatement(random, statementText(statement), { ...made, ...claimed })
        }
      }
    },

    /** Repeats what people once said, or has them have said something else. */
    async restate(random: Random) {
      const found = await rows.some(random, 'passkey_statements')
      if (found === null) return
      const { said, ...row } = found.row
      const text = random.pick([
        `${said}`,
        `${said}`.replace('"approvals_required":2', '"approvals_required":1'),
        `${said}`.replace(/"at":"[^"]*"/, `"at":"${someTime(random).toISOString()}"`),
        `${said}`.replace('"allowed":false', '"allowed":true'),
      ])
      await putStatement(random, text, row)
      if (random.bool(0.3))
        await rows.attempt('delete from passkey_statements where ctid = $1::tid', [found.ctid])
    },

    /** Has the database say that nothing is asked of payouts, and that everything was long ago. */
    async loosen(random: Random) {
      const { attempt } = rows
      await attempt(
        `update payout_policies set approvals_required = 1, cooling_off_seconds = 0, only_known_destinations = false,
           max_payout = null, max_day = null`,
      )
      await attempt(`update payouts set executable_at = '1999-01-01', approved_at = '1999-01-01'`)
      await attempt(`update payout_approvals set created_at = '1999-01-01'`)
      if (random.bool(0.5)) await attempt('delete from payout_policies')
      for (const [network, address] of [
        [coinNetwork, thief.coins],
        ['ethereum', thief.account],
      ])
        await rows.insert('payout_destinations', { merchant_id: merchantId, environment, network, address })
      await attempt(`update passkey_pins set counts_from = '1999-01-01'`)
    },

    /** Approves payouts with its own passkey, or as users without one. */
    async approve(random: Random) {
      const found = await rows.some(random, 'payouts')
      if (found !== null) await this.approvePayout(random, found.row)
    },

    /** One passkey approves in the names of several people. */
    async approvePayout(random: Random, payout: Row) {
      const hash = hashOf(payout)
      const names = [uuidOf(random), people.ann.userId, people.carol.userId]
      const approval = { payout_id: payout.id, approval_hash: hash }
      await rows.insert('payout_approvals', { ...approval, approver: `user:${uuidOf(random)}` })
      for (const by of keys) {
        const signed = answerWith(by, { kind: 'approve', environment, merchantId, approvalHashes: [hash] })
        for (const name of names.slice(0, random.between(1, 3)))
          await rows.insert('payout_approvals', {
            ...approval,
            approver: `user:${name}`,
            ...assertionColumns(signed),
            covered_hashes: [hash],
          })
        names.push(uuidOf(random))
      }
    },
  }
}
