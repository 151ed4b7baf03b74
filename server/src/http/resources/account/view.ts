import type { OpenSession, Passkey, Proved } from '@sluice/web/contract'
import { browserInWords } from '../../../domain/browsers.ts'
import type { Passkey as StoredPasskey } from '../../../store/people/passkeys.ts'
import type { ListedSession } from '../../../store/people/sessions.ts'
import { time } from '../values.ts'

export function provedView(freshUntil: Date): Proved {
  return { proof_fresh_until: freshUntil.toISOString() }
}

export function passkeyView({ id, name, isBackedUp, createdAt, lastUsedAt }: StoredPasskey): Passkey {
  return {
    id,
    name,
    is_backed_up: isBackedUp,
    created_at: createdAt.toISOString(),
    last_used_at: time(lastUsedAt),
  }
}

export function openSessionView(session: ListedSession, ownId: string): OpenSession {
  const { id, ip, userAgent, provedBy, isNewDevice, createdAt, lastSeenAt } = session
  return {
    id,
    is_this: id === ownId,
    ip,
    browser: browserInWords(userAgent),
    proved_by: provedBy,
    is_new_device: isNewDevice,
    created_at: createdAt.toISOString(),
    last_seen_at: lastSeenAt.toISOString(),
  }
}
