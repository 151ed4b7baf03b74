import { approverRoles } from '../../domain/roles.ts'
import type { UnannouncedPasskey } from '../../store/payouts/signer-changes.ts'
import { plainMail } from '../../store/people/mails.ts'
import type { Store } from '../../store/store.ts'
import type { App } from '../app.ts'
import { askMail } from '../people/ask-mail.ts'
import { waitingPasskeys } from '../people/waiting-passkeys.ts'

const maxAtOnce = 20

/**
 * Queues mails to everyone at a merchant who may approve payouts when its signer will trust another passkey, so that they
 * can withdraw it in time. Returns how many passkeys it announced.
 */
export async function announcePasskeys(app: Pick<App, 'transaction' | 'now' | 'people'>): Promise<number> {
  return app.transaction(async (tx) => {
    const unannounced = await tx.signerChanges.announcePasskeys(maxAtOnce)
    for (const each of unannounced) await announce(app, tx, each)
    return unannounced.length
  })
}

async function announce(
  app: Pick<App, 'now' | 'people'>,
  tx: Store,
  { merchantId, environment, fingerprint }: UnannouncedPasskey,
): Promise<void> {
  const waiting = await waitingPasskeys({ store: tx }, merchantId, environment)
  const found = waiting.find((each) => each.fingerprint === fingerprint)
  const merchant = await tx.merchants.find(merchantId)
  if (found === undefined || merchant === null) return
  const { person, name, from } = found
  const passkey = { merchant: merchant.name, person, name, fingerprint, from: from.toISOString() }
  for (const { email, role } of await tx.members.list(merchantId))
    if (approverRoles.includes(role))
      await askMail(app, tx, { ...plainMail, kind: 'passkey_waits', recipient: email, passkey })
}
