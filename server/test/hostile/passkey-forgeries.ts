import { challengeOf, type PasskeyStatement, statementText } from '../../src/domain/passkey-statements.ts'
import { noPolicy } from '../../src/domain/payout-policy.ts'
import type { Assertion } from '../../src/domain/webauthn.ts'
import type { Random } from '../simulation/random.ts'
import { makePasskey } from '../support/people/approving-passkey.ts'
import type { PasskeyDesk } from '../support/people/passkey-desk.ts'
import { hashOf, uuidOf } from './names.ts'
import type { Row, Rows } from './rows.ts'

const bytes = (buffer: Uint8Array) => `\\x${Buffer.from(buffer).toString('hex')}`

function assertionColumns({ credentialId, authenticatorData, clientDataJson, signature }: Assertion): Row {
  return {
    credential_id: bytes(credentialId),
    authenticator_data: bytes(authenticatorData),
    client_data_json: bytes(clientDataJson),
    signature: bytes(signature),
  }
}

/** What an attacker with a passkey of their own writes. */
export function passkeyForgeries(rows: Rows, { merchantId, wallet }: PasskeyDesk) {
  const passkey = makePasskey()
  const { credentialId, publicKey } = passkey
  const { environment } = wallet
  const answer = (statement: PasskeyStatement) => passkey.answer(challengeOf(statementText(statement)))

  return {
    /** Gives itself a passkey, and states with it what weakens the signer. */
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
      const [at, baseCurrency] = [new Date(), 'USD']
      const statements: readonly PasskeyStatement[] = [
        { kind: 'trust_passkey', merchantId, userId, credentialId, publicKey },
        { kind: 'policy', environment, merchantId, baseCurrency, policy: noPolicy, at },
      ]
      for (const said of statements)
        await rows.insert('passkey_statements', {
          id: uuidOf(random),
          position: random.between(1e6, 1e9),
          merchant_id: merchantId,
          said: statementText(said),
          ...assertionColumns(answer(said)),
        })
    },

    /** Approves payouts with its own passkey, or as users without one. */
    async approve(random: Random) {
      const found = await rows.some(random, 'payouts')
      if (found !== null) await this.approvePayout(random, found.row)
    },

    async approvePayout(random: Random, payout: Row) {
      const hash = hashOf(payout)
      const approval = { payout_id: payout.id, approver: `user:${uuidOf(random)}`, approval_hash: hash }
      const signed = answer({ kind: 'approve', environment, merchantId, approvalHashes: [hash] })
      await rows.insert('payout_approvals', approval)
      await rows.insert('payout_approvals', {
        ...approval,
        approver: `user:${uuidOf(random)}`,
        ...assertionColumns(signed),
        covered_hashes: [hash],
      })
    },
  }
}
