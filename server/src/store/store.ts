import { simulatedChainsOn } from '../simulator/chain/chains.ts'
import { addressFillsOn } from './addresses/address-fills.ts'
import { addressGrantsOn } from './addresses/address-grants.ts'
import { addressOwnersOn } from './addresses/address-owners.ts'
import { depositAddressesOn } from './addresses/deposit-addresses.ts'
import { ownAddressesOn } from './addresses/own-addresses.ts'
import { walletKeysOn } from './addresses/wallet-keys.ts'
import { agendaOn } from './agenda.ts'
import { auditOn } from './audit/audit.ts'
import { auditLogOn } from './audit/audit-log.ts'
import { followedChainsOn } from './chains/followed-chains.ts'
import { gateProgressOn } from './chains/gate-progress.ts'
import { gatesOfflineOn } from './chains/gates-offline.ts'
import { nativeBalancesOn } from './chains/native-balances.ts'
import { rescansOn } from './chains/rescans.ts'
import { invoiceChoicesOn } from './invoices/invoice-choices.ts'
import { invoicesOn } from './invoices/invoices.ts'
import { paymentsOn } from './invoices/payments.ts'
import { staticAddressesOn } from './invoices/static-addresses.ts'
import { suspenseOn } from './invoices/suspense.ts'
import { visitsOn } from './invoices/visits.ts'
import { jobsOn } from './jobs.ts'
import { balancesOn } from './ledger/balances.ts'
import { ledgerOn } from './ledger/ledger.ts'
import { ledgerListOn } from './ledger/ledger-list.ts'
import { recordedValuesOn } from './ledger/recorded-values.ts'
import { apiKeysOn } from './merchants/api-keys.ts'
import { merchantBrandsOn } from './merchants/merchant-brands.ts'
import { merchantsOn } from './merchants/merchants.ts'
import { shopConnectionsOn } from './merchants/shop-connections.ts'
import { approvalFactsOn } from './payouts/approval-facts.ts'
import { passkeyEnrolmentsOn } from './payouts/passkey-enrolments.ts'
import { passkeySigningOn } from './payouts/passkey-signing.ts'
import { payoutApprovalsOn } from './payouts/payout-approvals.ts'
import { payoutPoliciesOn } from './payouts/payout-policies.ts'
import { payoutsOn } from './payouts/payouts.ts'
import { policyChangesOn } from './payouts/policy-changes.ts'
import { refundsOn } from './payouts/refunds.ts'
import { signerChangesOn } from './payouts/signer-changes.ts'
import { ceremoniesOn } from './people/ceremonies.ts'
import { devicesOn } from './people/devices.ts'
import { mailsOn } from './people/mails.ts'
import { membersOn } from './people/members.ts'
import { oneTimeLinksOn } from './people/one-time-links.ts'
import { passkeysOn } from './people/passkeys.ts'
import { savedViewsOn } from './people/saved-views.ts'
import { secondFactorsOn } from './people/second-factors.ts'
import { sessionsOn } from './people/sessions.ts'
import { signInFailuresOn } from './people/sign-in-failures.ts'
import { usersOn } from './people/users.ts'
import { ratesOn } from './rates.ts'
import { attentionOn } from './reports/attention.ts'
import { countsOn } from './reports/counts.ts'
import { dailyFiguresOn } from './reports/daily-figures.ts'
import { dailySumsOn } from './reports/daily-sums.ts'
import { exportsOn } from './reports/exports.ts'
import { figuresOn } from './reports/figures.ts'
import { historyOn } from './reports/history.ts'
import { searchOn } from './reports/search.ts'
import { setUpOn } from './reports/set-up.ts'
import { accountRefillsOn } from './spends/account-refills.ts'
import { coldMovesOn } from './spends/cold-moves.ts'
import { endedSpendsOn } from './spends/ended-spends.ts'
import { floatsOn } from './spends/floats.ts'
import { givingUpOn } from './spends/giving-up.ts'
import { holdingsOn } from './spends/holdings.ts'
import { missingCoinsOn } from './spends/missing-coins.ts'
import { nonceAccountsOn } from './spends/nonce-accounts.ts'
import { noncesOn } from './spends/nonces.ts'
import { outsideMovesOn } from './spends/outside-moves.ts'
import { previousTransactionsOn } from './spends/previous-transactions.ts'
import { refillsOn } from './spends/refills.ts'
import { signingOn } from './spends/signing.ts'
import { spendRestoreOn } from './spends/spend-restore.ts'
import { spendsOn } from './spends/spends.ts'
import { unsweptOn } from './spends/unswept.ts'
import { waitingOn } from './spends/waiting.ts'
import type { Db } from './sql.ts'
import { testClocksOn } from './test-clocks.ts'
import { tracesOn } from './traces.ts'
import { deliveryRangesOn } from './webhooks/delivery-ranges.ts'
import { endpointDeliveriesOn } from './webhooks/endpoint-deliveries.ts'
import { endpointFiguresOn } from './webhooks/endpoint-figures.ts'
import { eventFeedOn } from './webhooks/event-feed.ts'
import { eventsOn } from './webhooks/events.ts'
import { webhookDeliveriesOn } from './webhooks/webhook-deliveries.ts'
import { webhookEndpointsOn } from './webhooks/webhook-endpoints.ts'

/** All tables, on the pool or inside a transaction. */
export function storeOn(db: Db) {
  return {
    merchants: merchantsOn(db),
    testClocks: testClocksOn(db),
    merchantBrands: merchantBrandsOn(db),
    apiKeys: apiKeysOn(db),
    shopConnections: shopConnectionsOn(db),
    events: eventsOn(db),
    eventFeed: eventFeedOn(db),
    rates: ratesOn(db),
    walletKeys: walletKeysOn(db),
    depositAddresses: depositAddressesOn(db),
    addressFills: addressFillsOn(db),
    addressGrants: addressGrantsOn(db),
    ownAddresses: ownAddressesOn(db),
    addressOwners: addressOwnersOn(db),
    simulatedChains: simulatedChainsOn(db),
    gatesOffline: gatesOfflineOn(db),
    gateProgress: gateProgressOn(db),
    followedChains: followedChainsOn(db),
    rescans: rescansOn(db),
    payments: paymentsOn(db),
    invoices: invoicesOn(db),
    invoiceChoices: invoiceChoicesOn(db),
    visits: visitsOn(db),
    staticAddresses: staticAddressesOn(db),
    payouts: payoutsOn(db),
    spends: spendsOn(db),
    coldMoves: coldMovesOn(db),
    refills: refillsOn(db),
    accountRefills: accountRefillsOn(db),
    endedSpends: endedSpendsOn(db),
    waiting: waitingOn(db),
    givingUp: givingUpOn(db),
    nonceAccounts: nonceAccountsOn(db),
    nonces: noncesOn(db),
    holdings: holdingsOn(db),
    missingCoins: missingCoinsOn(db),
    previousTransactions: previousTransactionsOn(db),
    nativeBalances: nativeBalancesOn(db),
    floats: floatsOn(db),
    suspense: suspenseOn(db),
    unswept: unsweptOn(db),
    outsideMoves: outsideMovesOn(db),
    payoutApprovals: payoutApprovalsOn(db),
    payoutPolicies: payoutPoliciesOn(db),
    policyChanges: policyChangesOn(db),
    approvalFacts: approvalFactsOn(db),
    passkeyEnrolments: passkeyEnrolmentsOn(db),
    refunds: refundsOn(db),
    signing: signingOn(db),
    passkeySigning: passkeySigningOn(db),
    signerChanges: signerChangesOn(db),
    spendRestore: spendRestoreOn(db),
    ledger: ledgerOn(db),
    balances: balancesOn(db),
    jobs: jobsOn(db),
    agenda: agendaOn(db),
    counts: countsOn(db),
    dailySums: dailySumsOn(db),
    dailyFigures: dailyFiguresOn(db),
    attention: attentionOn(db),
    setUp: setUpOn(db),
    figures: figuresOn(db),
    search: searchOn(db),
    ledgerList: ledgerListOn(db),
    recordedValues: recordedValuesOn(db),
    exports: exportsOn(db),
    history: historyOn(db),
    audit: auditOn(db),
    auditLog: auditLogOn(db),
    traces: tracesOn(db),
    users: usersOn(db),
    sessions: sessionsOn(db),
    devices: devicesOn(db),
    signInFailures: signInFailuresOn(db),
    secondFactors: secondFactorsOn(db),
    passkeys: passkeysOn(db),
    oneTimeLinks: oneTimeLinksOn(db),
    members: membersOn(db),
    savedViews: savedViewsOn(db),
    mails: mailsOn(db),
    ceremonies: ceremoniesOn(db),
    webhookEndpoints: webhookEndpointsOn(db),
    webhookDeliveries: webhookDeliveriesOn(db),
    endpointDeliveries: endpointDeliveriesOn(db),
    deliveryRanges: deliveryRangesOn(db),
    endpointFigures: endpointFiguresOn(db),
  }
}

export type Store = ReturnType<typeof storeOn>
