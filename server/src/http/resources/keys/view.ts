import type { Key as KeyView } from '@sluice/web/contract'
import type { ListedKey } from '../../../store/merchants/api-keys.ts'
import { time } from '../values.ts'

export function keyView(key: ListedKey, now: Date): KeyView {
  return {
    id: key.id,
    name: key.name,
    hint: key.hint,
    permissions: [...key.permissions],
    status: statusOf(key, now),
    expires_at: time(key.expiresAt),
    allowed_ips: key.allowedIps === null ? null : [...key.allowedIps],
    last_used_at: time(key.lastUsedAt),
    created_by: key.createdBy,
    created_by_name: key.createdByName,
    created_at: key.createdAt.toISOString(),
    revoked_at: time(key.revokedAt),
  }
}

function statusOf({ revokedAt, expiresAt }: ListedKey, now: Date): KeyView['status'] {
  if (revokedAt !== null) return 'revoked'
  return expiresAt !== null && expiresAt <= now ? 'expired' : 'active'
}
