/** What operators are told, and what to do about it. */
export const alertSentences = {
  alert_wrong_chain:
    'Nothing is credited or paid on this network until its node is on the right chain; then it resumes by itself.',
  alert_halted:
    'Nothing is credited or expired on this network until you investigate and resume it: sluice gate resume.',
  alert_offline: 'Meanwhile, new invoices on this network are refused.',
  alert_shortfall:
    'Its addresses hold {amount} less on chain than the books say. Find out where the funds went.',
  alert_check_spend: 'Check spend {spend}.',
  alert_give_up: 'If its payout was not paid another way, end it as failed: sluice payout give-up {payout}.',
  alert_setting_weakened: 'signer.{setting}, from {at} on.',
  alert_setting_undo:
    'If this was not you, put the old value back in the signer’s SLUICE_CONFIG before then, and restart the signer.',
  alert_float_low:
    'The float is low. Send the network’s native currency to the hot wallet before sweeps and payouts have to wait.',
  alert_job_failing: 'Jobs of the kind {kind} keep failing. The log says why.',
  alert_one_database_role:
    'The service’s database role owns the tables, so a stolen DATABASE_URL can rewrite the books. Set DATABASE_MIGRATION_URL to a second role that owns them.',
  alert_unbounded:
    'No limit bounds how much {currencies} leaves, so the signer does not sign such payouts. 1. Set per_day for each currency in signer.limits of the signer’s SLUICE_CONFIG. 2. Restart Sluice. 3. Have every approver add a passkey, and trust the first one of each merchant at the signer: sluice passkey trust.',
  alert_approvers:
    'No live payout of {merchant} can be approved: {required} people must, with passkeys that the signer trusts, and {able} can. 1. Have another approver of the merchant add a passkey. 2. Compare its fingerprint with them. 3. At the signer: sluice passkey trust FINGERPRINT --merchant {id} --environment live. In live it counts a day later.',
  alert_limits_waived:
    'The signer signs live payouts in currencies that no limit bounds: forged approvals can take everything. Set signer.limits, and remove "limits" from signer.waive in SLUICE_CONFIG.',
  alert_passkeys_waived:
    'The signer signs live payouts without passkeys: an attacker with the database’s password can approve them, up to the limits. Have every approver add a passkey, and remove "passkeys" from signer.waive in SLUICE_CONFIG.',
  alert_audit_failed: 'The last audit found differences in the books or the audit log. Run: sluice audit',
  alert_audit_old:
    'The books and the audit log have not been checked for a week. Run sluice audit --json and keep its output elsewhere.',
  not_started: 'No worker has started it yet.',
  mined_again_failed: '{hash} was mined again, but failed this time.',
  mined_again_succeeded: '{hash} was mined again, but succeeded this time.',
  mined_instead: '{hash} was mined in place of {before}.',
} as const
