import { addressGrantsOn } from './address-grants.ts'
import { addressOwnersOn } from './address-owners.ts'
import { apiKeysOn } from './api-keys.ts'
import { approvalFactsOn } from './approval-facts.ts'
import { attentionOn } from './attention.ts'
import { auditOn } from './audit.ts'
import { auditLogOn } from './audit-log.ts'
import { balancesOn } from './balances.ts'
import { ceremoniesOn } from './ceremonies.ts'
import { countsOn } from './counts.ts'
import { dailySumsOn } from './daily-sums.ts'
import { depositAddressesOn } from './deposit-addresses.ts'
import { endedSpendsOn } from './ended-spends.ts'
import { endpointDeliveriesOn } from './endpoint-deliveries.ts'
import { eventsOn } from './events.ts'
import { exportsOn } from './exports.ts'
import { floatsOn } from './floats.ts'
import { followedChainsOn } from './followed-chains.ts'
import { gateProgressOn } from './gate-progress.ts'
import { gatesOfflineOn } from './gates-offline.ts'
import { givingUpOn } from './giving-up.ts'
import { historyOn } from './history.ts'
import { holdingsOn } from './holdings.ts'
import { invoicesOn } from './invoices.ts'
import { jobsOn } from './jobs.ts'
import { ledgerOn } from './ledger.ts'
import { ledgerListOn } from './ledger-list.ts'
import { mailsOn } from './mails.ts'
import { membersOn } from './members.ts'
import { merchantBrandsOn } from './merchant-brands.ts'
import { merchantsOn } from './merchants.ts'
import { missingCoinsOn } from './missing-coins.ts'
import { nativeBalancesOn } from './native-balances.ts'
import { noncesOn } from './nonces.ts'
import { oneTimeLinksOn } from './one-time-links.ts'
import { outsideMovesOn } from './outside-moves.ts'
import { ownAddressesOn } from './own-addresses.ts'
import { passkeyEnrolmentsOn } from './passkey-enrolments.ts'
import { passkeySigningOn } from './passkey-signing.ts'
import { passkeysOn } from './passkeys.ts'
import { paymentsOn } from './payments.ts'
import { payoutApprovalsOn } from './payout-approvals.ts'
import { payoutPoliciesOn } from './payout-policies.ts'
import { payoutsOn } from './payouts.ts'
import { ratesOn } from './rates.ts'
import { refundsOn } from './refunds.ts'
import { rescansOn } from './rescans.ts'
import { searchOn } from './search.ts'
import { secondFactorsOn } from './second-factors.ts'
import { sessionsOn } from './sessions.ts'
import { signInFailuresOn } from './sign-in-failures.ts'
import { signingOn } from './signing.ts'
import { simulatedChainsOn } from './simulated-chains.ts'
import { spendRestoreOn } from './spend-restore.ts'
import { spendsOn } from './spends.ts'
import type { Db } from './sql.ts'
import { staticAddressesOn } from './static-addresses.ts'
import { suspenseOn } from './suspense.ts'
import { unsweptOn } from './unswept.ts'
import { usersOn } from './users.ts'
import { visitsOn } from './visits.ts'
import { waitingOn } from './waiting.ts'
import { walletKeysOn } from './wallet-keys.ts'
import { webhookDeliveriesOn } from './webhook-deliveries.ts'
import { webhookEndpointsOn } from './webhook-endpoints.ts'

/** Every table behind one door, on the pool or inside a transaction. */
export function storeOn(db: Db) {
  return {
    merchants: merchantsOn(db),
    merchantBrands: merchantBrandsOn(db),
    apiKeys: apiKeysOn(db),
    events: eventsOn(db),
    rates: ratesOn(db),
    walletKeys: walletKeysOn(db),
    depositAddresses: depositAddressesOn(db),
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
    visits: visitsOn(db),
    staticAddresses: staticAddressesOn(db),
    payouts: payoutsOn(db),
    spends: spendsOn(db),
    endedSpends: endedSpendsOn(db),
    waiting: waitingOn(db),
    givingUp: givingUpOn(db),
    nonces: noncesOn(db),
    holdings: holdingsOn(db),
    missingCoins: missingCoinsOn(db),
    nativeBalances: nativeBalancesOn(db),
    floats: floatsOn(db),
    suspense: suspenseOn(db),
    unswept: unsweptOn(db),
    outsideMoves: outsideMovesOn(db),
    payoutApprovals: payoutApprovalsOn(db),
    payoutPolicies: payoutPoliciesOn(db),
    approvalFacts: approvalFactsOn(db),
    passkeyEnrolments: passkeyEnrolmentsOn(db),
    refunds: refundsOn(db),
    signing: signingOn(db),
    passkeySigning: passkeySigningOn(db),
    spendRestore: spendRestoreOn(db),
    ledger: ledgerOn(db),
    balances: balancesOn(db),
    jobs: jobsOn(db),
    counts: countsOn(db),
    dailySums: dailySumsOn(db),
    attention: attentionOn(db),
    search: searchOn(db),
    ledgerList: ledgerListOn(db),
    exports: exportsOn(db),
    history: historyOn(db),
    audit: auditOn(db),
    auditLog: auditLogOn(db),
    users: usersOn(db),
    sessions: sessionsOn(db),
    signInFailures: signInFailuresOn(db),
    secondFactors: secondFactorsOn(db),
    passkeys: passkeysOn(db),
    oneTimeLinks: oneTimeLinksOn(db),
    members: membersOn(db),
    mails: mailsOn(db),
    ceremonies: ceremoniesOn(db),
    webhookEndpoints: webhookEndpointsOn(db),
    webhookDeliveries: webhookDeliveriesOn(db),
    endpointDeliveries: endpointDeliveriesOn(db),
  }
}

export type Store = ReturnType<typeof storeOn>
