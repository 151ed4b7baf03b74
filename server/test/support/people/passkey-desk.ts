import { randomUUID } from 'node:crypto'
import { challengeOf, type PasskeyStatement, statementText } from '../../../src/domain/passkey-statements.ts'
import { approvalHash, type Payout } from '../../../src/domain/payouts.ts'
import type { Role } from '../../../src/domain/roles.ts'
import type { Assertion } from '../../../src/domain/webauthn.ts'
import { openWallet } from '../../../src/signer/wallet.ts'
import { query } from '../database/database.ts'
import { currencies } from '../shop/registry.ts'
import { deskWords, openDesk } from '../signer/signer-desk.ts'
import { type ApprovingPasskey, makePasskey, type PasskeyPage } from './approving-passkey.ts'

/** A user with a passkey. */
export type Holder = { readonly userId: string; readonly passkey: ApprovingPasskey }

export const liveWallet = await openWallet(deskWords, 'live', currencies)
export type PasskeyDesk = Awaited<ReturnType<typeof openPasskeyDesk>>

type Following = Parameters<Awaited<ReturnType<typeof openDesk>>['follow']>[0]

/** A live signer whose merchants' users have passkeys. The caller controls the database, and may write anything into it. */
export async function openPasskeyDesk(given: Parameters<typeof openDesk>[0] = { wallet: liveWallet }) {
  const desk = await openDesk(given)
  const { url, merchantId } = desk
  const environment = desk.wallet.environment
  const answer = ({ passkey }: Holder, statement: PasskeyStatement, page?: PasskeyPage) =>
    passkey.answer(challengeOf(statementText(statement)), page)

  /** Stores a statement for the signer. */
  const put = (holder: Holder, statement: PasskeyStatement) =>
    desk.app.store.passkeyEnrolments.state(
      randomUUID(),
      statement.merchantId,
      statementText(statement),
      answer(holder, statement),
    )

  const approvalBy = (holder: Holder, payouts: readonly Payout[], page?: PasskeyPage) => {
    const approvalHashes = payouts.map(approvalHash)
    const statement = { kind: 'approve', environment, merchantId, approvalHashes } as const
    return { assertion: answer(holder, statement, page), coveredHashes: approvalHashes }
  }

  return {
    ...desk,

    /** A member with a passkey that the signer knows nothing of. */
    async member({ of = merchantId, role = 'finance' as Role } = {}): Promise<Holder> {
      const userId = randomUUID()
      await query(url, 'insert into users (id, email, name) values ($1, $2, $2)', [
        userId,
        `${userId}@example.com`,
      ])
      await query(url, 'insert into memberships (merchant_id, user_id, role) values ($1, $2, $3)', [
        of,
        userId,
        role,
      ])
      return { userId, passkey: makePasskey() }
    },

    /** A member whose passkey was offered to the signer and processed by it. */
    async holder({
      of = merchantId,
      voucher,
      role = 'finance',
    }: {
      of?: string
      voucher?: Holder
      role?: Role
    } = {}): Promise<Holder> {
      const holder = await this.member({ of, role })
      await this.offer(holder, of)
      if (voucher !== undefined) await this.vouch(holder, voucher, of)
      await this.follow()
      return holder
    },

    offer({ userId, passkey }: Holder, of = merchantId) {
      return query(
        url,
        `insert into passkey_enrolments (merchant_id, credential_id, passkey_id, user_id, public_key, name)
         values ($1, $2, $3, $4, $5, 'Key')`,
        [of, passkey.credentialId, randomUUID(), userId, passkey.publicKey],
      )
    },

    vouch({ userId, passkey }: Holder, voucher: Holder, of = merchantId) {
      const { credentialId, publicKey } = passkey
      return put(voucher, { kind: 'trust_passkey', merchantId: of, userId, credentialId, publicKey })
    },

    put,

    /** The answer of a user's passkey to a statement, on the merchant's page or another. */
    answer,

    /** Sends the signer a statement. */
    async state(holder: Holder | readonly Holder[], statement: PasskeyStatement, rules?: Following) {
      for (const each of [holder].flat() as Holder[]) await put(each, statement)
      await this.follow(rules)
    },

    approvalBy,

    /** Approves a payout with a passkey, as the API does, or with an altered approval. */
    async approveWith(
      holder: Holder,
      payout: Payout,
      { assertion, coveredHashes }: { assertion: Assertion; coveredHashes: string[] } = approvalBy(holder, [
        payout,
      ]),
    ) {
      await desk.app.store.payoutApprovals.add(payout.id, {
        approver: `user:${holder.userId}`,
        approvalHash: approvalHash(payout),
        assertion: { ...assertion, coveredHashes },
      })
    },
  }
}
