import type { AuditEntry as AuditEntryView } from '@sluice/web/contract'
import type { AuditEntry } from '../../../domain/audit-log.ts'

export function auditEntryView(entry: AuditEntry): AuditEntryView {
  return {
    seq: Number(entry.seq),
    at: entry.at.toISOString(),
    actor: entry.by.actor,
    actor_name: entry.by.name,
    ip: entry.by.ip,
    user_agent: entry.by.userAgent,
    environment: entry.environment,
    action: entry.action,
    subject: entry.subject,
    details: entry.details as AuditEntryView['details'],
    hash: entry.hash.toString('hex'),
    previous_hash: entry.previousHash.toString('hex'),
  }
}
