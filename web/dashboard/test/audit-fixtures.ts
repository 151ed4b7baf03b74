import type { AuditEntry } from '@sluice/web/contract'

const id = (n: number) => `019a8667-3bd4-7c21-9a6e-${String(n).padStart(12, '0')}`
const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString()

const supplier = '0x52908400098527886E0F7030069857D2E4169EE7'
const ada = { actor: `user:${id(1)}`, actor_name: 'Ada Keller' }
const finn = { actor: `user:${id(2)}`, actor_name: 'Finn <b>Ott</b>' }
const root = { actor: 'cli:root', actor_name: 'root' }

/** One is of an older service: it was approved before amounts were noted. Another is of a newer one: its action has no words here. */
export const auditLog: readonly AuditEntry[] = (
  [
    [ada, 'payout.approved', { hash: 'c'.repeat(64), passkey: true, destination: supplier }],
    [finn, 'session.signed_in', { amount: '0.25 BTC' }],
    [
      finn,
      'payout.rejected',
      { destination: supplier, amount: '1065', currency: 'USDC', reason: 'The <i>wrong</i> supplier' },
    ],
    [ada, 'policy.changed', { changed: ['approvalsRequired', 'maxDay'], before: ['…'], after: ['…'] }],
    [root, 'user.created', { email: 'demo@example.com', name: 'Demo owner', role: 'owner', operator: false }],
    [{ actor: 'key:1', actor_name: 'API key' }, 'webhook.deleted', { url: 'https://shop.example/hooks' }],
  ] as const
).map(([by, action, details], n) => ({
  ...by,
  seq: 40 - n,
  at: minutesAgo(n * 80),
  ip: by === root ? null : '203.0.113.7',
  user_agent: by === root ? null : 'Mozilla/5.0',
  environment: by === root ? null : 'test',
  action,
  subject: id(201),
  details: details as unknown as AuditEntry['details'],
  hash: 'a'.repeat(64),
  previous_hash: 'b'.repeat(64),
}))
