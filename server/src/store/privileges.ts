/** What PostgreSQL lets a role do with a table besides reading it, as far as any statement of ours needs it. */
export type Write = 'insert' | 'update' | 'delete'

const tablesByWrites: readonly (readonly [writes: readonly Write[], tables: string])[] = [
  [[], 'audit_roots figures_starts retention_floors schema_migrations'],
  // The books and the logs: what is written there stays.
  [
    ['insert'],
    `audit_entries audits deposit_addresses event_eras events invoice_choices ledger_entries ledger_transactions outside_moves
     own_addresses passkey_statements payout_approvals policy_change_approvals postings refill_bookings refills refunds
     simulated_uses suspense_releases test_clock_moves webhook_attempts`,
  ],
  [
    ['insert', 'update'],
    `api_keys audit_heads deposit_address_counters deposit_address_grants gate_progress hot_balances invoices
     ledger_accounts ledger_numbers list_buckets list_totals merchant_brands merchant_totals merchants passkey_enrolments payment_bookings payments
     payout_policies payouts policy_changes previous_transactions rate_quotes rate_sources rates rescans simulated_chains simulated_ruled_out
     simulated_transactions spend_counters spend_transactions spends static_addresses test_clocks users wallet_keys webhook_endpoints`,
  ],
  [
    ['insert', 'delete'],
    `float_alerts followed_blocks gates_behind gates_taken_offline missing_coins simulated_debits simulated_outputs`,
  ],
  [
    // Locking a row takes the right to update it.
    ['insert', 'update', 'delete'],
    `balance_shortfalls ceremonies change_coins cold_coins daily_fees daily_invoices daily_sums deposit_address_fills devices followed_chains jobs
     list_counts mails memberships one_time_links passkey_demands passkey_pins passkeys payout_destinations recovery_codes
     rescan_outputs saved_views sessions shop_connections sign_in_failures signer_changes simulated_blocks webhook_deliveries`,
  ],
]

/** Functions that do for the service what its role may not do itself. Each refuses what goes too far. */
export const callable = ['forget_events(integer, integer)', 'forget_audit_entries(integer, integer)'] as const

/** What the service may write, by table. It may read them all, and nothing else: no other table, no object of its own. */
export const tableWrites: ReadonlyMap<string, readonly Write[]> = new Map(
  tablesByWrites.flatMap(([writes, tables]) => tables.split(/\s+/).map((table) => [table, writes] as const)),
)
