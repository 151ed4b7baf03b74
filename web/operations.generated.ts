// This file is generated from the contract.
import type { Operation } from './ui/src/operation.ts'

export const signIn = 'POST /dashboard-api/sign-in' as Operation<'signIn'>
export const showSecondFactor = 'POST /dashboard-api/sign-in/second-factor' as Operation<'showSecondFactor'>
export const beginPasskeySignIn = 'POST /dashboard-api/sign-in/passkey/options' as Operation<'beginPasskeySignIn'>
export const signInWithPasskey = 'POST /dashboard-api/sign-in/passkey' as Operation<'signInWithPasskey'>
export const askPasswordReset = 'POST /dashboard-api/password-reset' as Operation<'askPasswordReset'>
export const completePasswordReset = 'POST /dashboard-api/password-reset/complete' as Operation<'completePasswordReset'>
export const lookAtInvitation = 'POST /dashboard-api/invitation' as Operation<'lookAtInvitation'>
export const acceptInvitation = 'POST /dashboard-api/invitation/accept' as Operation<'acceptInvitation'>
export const signOut = 'POST /dashboard-api/sign-out' as Operation<'signOut'>
export const getSession = 'GET /dashboard-api/session' as Operation<'getSession'>
export const stepUp = 'POST /dashboard-api/step-up' as Operation<'stepUp'>
export const beginPasskeyStepUp = 'POST /dashboard-api/step-up/passkey/options' as Operation<'beginPasskeyStepUp'>
export const stepUpWithPasskey = 'POST /dashboard-api/step-up/passkey' as Operation<'stepUpWithPasskey'>
export const changeAccount = 'PATCH /dashboard-api/account' as Operation<'changeAccount'>
export const changePassword = 'POST /dashboard-api/account/password' as Operation<'changePassword'>
export const beginTotp = 'POST /dashboard-api/account/totp' as Operation<'beginTotp'>
export const removeTotp = 'DELETE /dashboard-api/account/totp' as Operation<'removeTotp'>
export const confirmTotp = 'POST /dashboard-api/account/totp/confirm' as Operation<'confirmTotp'>
export const makeRecoveryCodes = 'POST /dashboard-api/account/recovery-codes' as Operation<'makeRecoveryCodes'>
export const listPasskeys = 'GET /dashboard-api/account/passkeys' as Operation<'listPasskeys'>
export const addPasskey = 'POST /dashboard-api/account/passkeys' as Operation<'addPasskey'>
export const beginPasskeyEnrolment = 'POST /dashboard-api/account/passkeys/options' as Operation<'beginPasskeyEnrolment'>
export const renamePasskey = 'PATCH /dashboard-api/account/passkeys/{passkeyID}' as Operation<'renamePasskey'>
export const removePasskey = 'DELETE /dashboard-api/account/passkeys/{passkeyID}' as Operation<'removePasskey'>
export const listSessions = 'GET /dashboard-api/account/sessions' as Operation<'listSessions'>
export const endOtherSessions = 'POST /dashboard-api/account/sessions/end-others' as Operation<'endOtherSessions'>
export const endSession = 'DELETE /dashboard-api/account/sessions/{sessionID}' as Operation<'endSession'>
export const getTeam = 'GET /dashboard-api/merchants/{merchantID}/team' as Operation<'getTeam'>
export const inviteMember = 'POST /dashboard-api/merchants/{merchantID}/team/invitations' as Operation<'inviteMember'>
export const withdrawInvitation = 'DELETE /dashboard-api/merchants/{merchantID}/team/invitations/{invitationID}' as Operation<'withdrawInvitation'>
export const renewInvitation = 'POST /dashboard-api/merchants/{merchantID}/team/invitations/{invitationID}/link' as Operation<'renewInvitation'>
export const changeMember = 'PATCH /dashboard-api/merchants/{merchantID}/team/members/{userID}' as Operation<'changeMember'>
export const removeMember = 'DELETE /dashboard-api/merchants/{merchantID}/team/members/{userID}' as Operation<'removeMember'>
export const listSavedViews = 'GET /dashboard-api/merchants/{merchantID}/lists/views' as Operation<'listSavedViews'>
export const createSavedView = 'POST /dashboard-api/merchants/{merchantID}/lists/views' as Operation<'createSavedView'>
export const updateSavedView = 'PATCH /dashboard-api/merchants/{merchantID}/lists/views/{viewID}' as Operation<'updateSavedView'>
export const deleteSavedView = 'DELETE /dashboard-api/merchants/{merchantID}/lists/views/{viewID}' as Operation<'deleteSavedView'>
export const getOverview = 'GET /dashboard-api/merchants/{merchantID}/{environment}/overview' as Operation<'getOverview'>
export const searchMerchant = 'GET /dashboard-api/merchants/{merchantID}/{environment}/search' as Operation<'searchMerchant'>
export const getInvoiceTimeline = 'GET /dashboard-api/merchants/{merchantID}/{environment}/invoices/{invoiceID}/timeline' as Operation<'getInvoiceTimeline'>
export const getPayoutTimeline = 'GET /dashboard-api/merchants/{merchantID}/{environment}/payouts/{payoutID}/timeline' as Operation<'getPayoutTimeline'>
export const getRefundTimeline = 'GET /dashboard-api/merchants/{merchantID}/{environment}/refunds/{refundID}/timeline' as Operation<'getRefundTimeline'>
export const listLedger = 'GET /dashboard-api/merchants/{merchantID}/{environment}/ledger' as Operation<'listLedger'>
export const exportLedger = 'GET /dashboard-api/merchants/{merchantID}/{environment}/ledger/export' as Operation<'exportLedger'>
export const exportInvoices = 'GET /dashboard-api/merchants/{merchantID}/{environment}/invoices/export' as Operation<'exportInvoices'>
export const exportPayouts = 'GET /dashboard-api/merchants/{merchantID}/{environment}/payouts/export' as Operation<'exportPayouts'>
export const exportRefunds = 'GET /dashboard-api/merchants/{merchantID}/{environment}/refunds/export' as Operation<'exportRefunds'>
export const exportAddresses = 'GET /dashboard-api/merchants/{merchantID}/{environment}/addresses/export' as Operation<'exportAddresses'>
export const exportAddressInvoices = 'GET /dashboard-api/merchants/{merchantID}/{environment}/addresses/{addressID}/invoices/export' as Operation<'exportAddressInvoices'>
export const exportEvents = 'GET /dashboard-api/merchants/{merchantID}/{environment}/events/export' as Operation<'exportEvents'>
export const exportSuspense = 'GET /dashboard-api/merchants/{merchantID}/{environment}/suspense/export' as Operation<'exportSuspense'>
export const listEndpointDeliveries = 'GET /dashboard-api/merchants/{merchantID}/{environment}/webhook_endpoints/{endpointID}/deliveries' as Operation<'listEndpointDeliveries'>
export const exportEndpointDeliveries = 'GET /dashboard-api/merchants/{merchantID}/{environment}/webhook_endpoints/{endpointID}/deliveries/export' as Operation<'exportEndpointDeliveries'>
export const getDeliveryRange = 'GET /dashboard-api/merchants/{merchantID}/{environment}/webhook_endpoints/{endpointID}/range' as Operation<'getDeliveryRange'>
export const listEndpointFigures = 'GET /dashboard-api/merchants/{merchantID}/{environment}/webhook_figures' as Operation<'listEndpointFigures'>
export const listKeys = 'GET /dashboard-api/merchants/{merchantID}/{environment}/keys' as Operation<'listKeys'>
export const createKey = 'POST /dashboard-api/merchants/{merchantID}/{environment}/keys' as Operation<'createKey'>
export const revokeKey = 'DELETE /dashboard-api/merchants/{merchantID}/{environment}/keys/{keyID}' as Operation<'revokeKey'>
export const listShops = 'GET /dashboard-api/merchants/{merchantID}/{environment}/shops' as Operation<'listShops'>
export const allowShop = 'POST /dashboard-api/merchants/{merchantID}/{environment}/shops' as Operation<'allowShop'>
export const reviewShop = 'GET /dashboard-api/merchants/{merchantID}/{environment}/shops/request' as Operation<'reviewShop'>
export const disconnectShop = 'DELETE /dashboard-api/merchants/{merchantID}/{environment}/shops/{shopID}' as Operation<'disconnectShop'>
export const getSettings = 'GET /dashboard-api/merchants/{merchantID}/settings' as Operation<'getSettings'>
export const updateSettings = 'PATCH /dashboard-api/merchants/{merchantID}/settings' as Operation<'updateSettings'>
export const setLogo = 'PUT /dashboard-api/merchants/{merchantID}/settings/logo' as Operation<'setLogo'>
export const removeLogo = 'DELETE /dashboard-api/merchants/{merchantID}/settings/logo' as Operation<'removeLogo'>
export const listAuditLog = 'GET /dashboard-api/merchants/{merchantID}/audit-log' as Operation<'listAuditLog'>
export const exportAuditLog = 'GET /dashboard-api/merchants/{merchantID}/audit-log/export' as Operation<'exportAuditLog'>
export const listOperatorGates = 'GET /dashboard-api/operator/gates' as Operation<'listOperatorGates'>
export const listOperatorAlerts = 'GET /dashboard-api/operator/alerts' as Operation<'listOperatorAlerts'>
export const listOperatorSuspense = 'GET /dashboard-api/operator/suspense' as Operation<'listOperatorSuspense'>
export const exportOperatorSuspense = 'GET /dashboard-api/operator/suspense/export' as Operation<'exportOperatorSuspense'>
export const releaseSuspense = 'POST /dashboard-api/operator/suspense/{paymentID}/release' as Operation<'releaseSuspense'>
export const listMerchants = 'GET /dashboard-api/operator/merchants' as Operation<'listMerchants'>
export const createMerchant = 'POST /dashboard-api/operator/merchants' as Operation<'createMerchant'>
export const updateMerchantFees = 'PATCH /dashboard-api/operator/merchants/{merchantID}' as Operation<'updateMerchantFees'>
export const getPayoutApproval = 'GET /dashboard-api/merchants/{merchantID}/{environment}/payouts/{payoutID}/approval' as Operation<'getPayoutApproval'>
export const getPayoutQuote = 'GET /dashboard-api/merchants/{merchantID}/{environment}/payouts/quote' as Operation<'getPayoutQuote'>
export const checkPayouts = 'POST /dashboard-api/merchants/{merchantID}/{environment}/payouts/check' as Operation<'checkPayouts'>
export const importPayouts = 'POST /dashboard-api/merchants/{merchantID}/{environment}/payouts/import' as Operation<'importPayouts'>
export const getApprovalChallenge = 'POST /dashboard-api/merchants/{merchantID}/{environment}/payouts/approval/options' as Operation<'getApprovalChallenge'>
export const approvePayouts = 'POST /dashboard-api/merchants/{merchantID}/{environment}/payouts/approval' as Operation<'approvePayouts'>
export const rejectPayout = 'POST /dashboard-api/merchants/{merchantID}/{environment}/payouts/{payoutID}/reject' as Operation<'rejectPayout'>
export const getPolicy = 'GET /dashboard-api/merchants/{merchantID}/{environment}/policy' as Operation<'getPolicy'>
export const setPolicy = 'PUT /dashboard-api/merchants/{merchantID}/{environment}/policy' as Operation<'setPolicy'>
export const getPolicyChallenge = 'POST /dashboard-api/merchants/{merchantID}/{environment}/policy/options' as Operation<'getPolicyChallenge'>
export const listPolicyChanges = 'GET /dashboard-api/merchants/{merchantID}/{environment}/policy/changes' as Operation<'listPolicyChanges'>
export const getChangeChallenge = 'POST /dashboard-api/merchants/{merchantID}/{environment}/policy/changes/{changeID}/approve/options' as Operation<'getChangeChallenge'>
export const approvePolicyChange = 'POST /dashboard-api/merchants/{merchantID}/{environment}/policy/changes/{changeID}/approve' as Operation<'approvePolicyChange'>
export const getChangeWithdrawalChallenge = 'POST /dashboard-api/merchants/{merchantID}/{environment}/policy/changes/{changeID}/withdraw/options' as Operation<'getChangeWithdrawalChallenge'>
export const withdrawPolicyChange = 'POST /dashboard-api/merchants/{merchantID}/{environment}/policy/changes/{changeID}/withdraw' as Operation<'withdrawPolicyChange'>
export const listDestinations = 'GET /dashboard-api/merchants/{merchantID}/{environment}/destinations' as Operation<'listDestinations'>
export const addDestination = 'POST /dashboard-api/merchants/{merchantID}/{environment}/destinations' as Operation<'addDestination'>
export const getDestinationChallenge = 'POST /dashboard-api/merchants/{merchantID}/{environment}/destinations/options' as Operation<'getDestinationChallenge'>
export const removeDestination = 'POST /dashboard-api/merchants/{merchantID}/{environment}/destinations/remove' as Operation<'removeDestination'>
export const listMerchantPasskeys = 'GET /dashboard-api/merchants/{merchantID}/{environment}/passkeys' as Operation<'listMerchantPasskeys'>
export const getVouchingChallenge = 'POST /dashboard-api/merchants/{merchantID}/{environment}/passkeys/{passkeyID}/vouch/options' as Operation<'getVouchingChallenge'>
export const vouchForPasskey = 'POST /dashboard-api/merchants/{merchantID}/{environment}/passkeys/{passkeyID}/vouch' as Operation<'vouchForPasskey'>
export const getWithdrawalChallenge = 'POST /dashboard-api/merchants/{merchantID}/{environment}/passkeys/{passkeyID}/withdraw/options' as Operation<'getWithdrawalChallenge'>
export const withdrawPasskey = 'POST /dashboard-api/merchants/{merchantID}/{environment}/passkeys/{passkeyID}/withdraw' as Operation<'withdrawPasskey'>
export const getCheckout = 'GET /checkout-api/invoice' as Operation<'getCheckout'>
export const followCheckout = 'GET /checkout-api/invoice/stream' as Operation<'followCheckout'>
export const renewCheckoutToken = 'POST /checkout-api/token' as Operation<'renewCheckoutToken'>
export const listCheckoutAssets = 'GET /checkout-api/assets' as Operation<'listCheckoutAssets'>
export const chooseCheckoutAsset = 'POST /checkout-api/asset' as Operation<'chooseCheckoutAsset'>
export const simulateCheckoutPayment = 'POST /checkout-api/simulation' as Operation<'simulateCheckoutPayment'>
export const describePaymentRequest = 'GET /solana-pay/{ticket}' as Operation<'describePaymentRequest'>
export const makePaymentTransaction = 'POST /solana-pay/{ticket}' as Operation<'makePaymentTransaction'>
export const createInvoice = 'POST /dashboard-api/merchants/{merchantID}/{environment}/invoices' as Operation<'createInvoice'>
export const listInvoices = 'GET /dashboard-api/merchants/{merchantID}/{environment}/invoices' as Operation<'listInvoices'>
export const getInvoice = 'GET /dashboard-api/merchants/{merchantID}/{environment}/invoices/{invoiceID}' as Operation<'getInvoice'>
export const cancelInvoice = 'POST /dashboard-api/merchants/{merchantID}/{environment}/invoices/{invoiceID}/cancel' as Operation<'cancelInvoice'>
export const createAddress = 'POST /dashboard-api/merchants/{merchantID}/{environment}/addresses' as Operation<'createAddress'>
export const listAddresses = 'GET /dashboard-api/merchants/{merchantID}/{environment}/addresses' as Operation<'listAddresses'>
export const getAddress = 'GET /dashboard-api/merchants/{merchantID}/{environment}/addresses/{addressID}' as Operation<'getAddress'>
export const listAddressInvoices = 'GET /dashboard-api/merchants/{merchantID}/{environment}/addresses/{addressID}/invoices' as Operation<'listAddressInvoices'>
export const createPayout = 'POST /dashboard-api/merchants/{merchantID}/{environment}/payouts' as Operation<'createPayout'>
export const listPayouts = 'GET /dashboard-api/merchants/{merchantID}/{environment}/payouts' as Operation<'listPayouts'>
export const getPayout = 'GET /dashboard-api/merchants/{merchantID}/{environment}/payouts/{payoutID}' as Operation<'getPayout'>
export const cancelPayout = 'POST /dashboard-api/merchants/{merchantID}/{environment}/payouts/{payoutID}/cancel' as Operation<'cancelPayout'>
export const createRefund = 'POST /dashboard-api/merchants/{merchantID}/{environment}/refunds' as Operation<'createRefund'>
export const listRefunds = 'GET /dashboard-api/merchants/{merchantID}/{environment}/refunds' as Operation<'listRefunds'>
export const getRefund = 'GET /dashboard-api/merchants/{merchantID}/{environment}/refunds/{refundID}' as Operation<'getRefund'>
export const listBalances = 'GET /dashboard-api/merchants/{merchantID}/{environment}/balances' as Operation<'listBalances'>
export const listLedgerEntries = 'GET /dashboard-api/merchants/{merchantID}/{environment}/balances/{currency}/ledger' as Operation<'listLedgerEntries'>
export const listSuspense = 'GET /dashboard-api/merchants/{merchantID}/{environment}/suspense' as Operation<'listSuspense'>
export const listEvents = 'GET /dashboard-api/merchants/{merchantID}/{environment}/events' as Operation<'listEvents'>
export const redeliverEvents = 'POST /dashboard-api/merchants/{merchantID}/{environment}/events/redeliver' as Operation<'redeliverEvents'>
export const getEvent = 'GET /dashboard-api/merchants/{merchantID}/{environment}/events/{eventID}' as Operation<'getEvent'>
export const redeliverEvent = 'POST /dashboard-api/merchants/{merchantID}/{environment}/events/{eventID}/redeliver' as Operation<'redeliverEvent'>
export const createWebhookEndpoint = 'POST /dashboard-api/merchants/{merchantID}/{environment}/webhook_endpoints' as Operation<'createWebhookEndpoint'>
export const listWebhookEndpoints = 'GET /dashboard-api/merchants/{merchantID}/{environment}/webhook_endpoints' as Operation<'listWebhookEndpoints'>
export const getWebhookEndpoint = 'GET /dashboard-api/merchants/{merchantID}/{environment}/webhook_endpoints/{endpointID}' as Operation<'getWebhookEndpoint'>
export const deleteWebhookEndpoint = 'DELETE /dashboard-api/merchants/{merchantID}/{environment}/webhook_endpoints/{endpointID}' as Operation<'deleteWebhookEndpoint'>
export const rotateWebhookSecret = 'POST /dashboard-api/merchants/{merchantID}/{environment}/webhook_endpoints/{endpointID}/rotate_secret' as Operation<'rotateWebhookSecret'>
export const enableWebhookEndpoint = 'POST /dashboard-api/merchants/{merchantID}/{environment}/webhook_endpoints/{endpointID}/enable' as Operation<'enableWebhookEndpoint'>
export const testWebhookEndpoint = 'POST /dashboard-api/merchants/{merchantID}/{environment}/webhook_endpoints/{endpointID}/test' as Operation<'testWebhookEndpoint'>
export const createTestDeposit = 'POST /dashboard-api/merchants/{merchantID}/{environment}/test/deposits' as Operation<'createTestDeposit'>
export const mineTestBlocks = 'POST /dashboard-api/merchants/{merchantID}/{environment}/test/blocks' as Operation<'mineTestBlocks'>
export const reorganiseTestChain = 'POST /dashboard-api/merchants/{merchantID}/{environment}/test/reorgs' as Operation<'reorganiseTestChain'>
export const setTestGate = 'POST /dashboard-api/merchants/{merchantID}/{environment}/test/gates' as Operation<'setTestGate'>
export const getTestClock = 'GET /dashboard-api/merchants/{merchantID}/{environment}/test/clock' as Operation<'getTestClock'>
export const advanceTestClock = 'POST /dashboard-api/merchants/{merchantID}/{environment}/test/clock' as Operation<'advanceTestClock'>
export const activateTestInvoice = 'POST /dashboard-api/merchants/{merchantID}/{environment}/test/invoices/{invoiceID}/activate' as Operation<'activateTestInvoice'>
export const expireTestInvoice = 'POST /dashboard-api/merchants/{merchantID}/{environment}/test/invoices/{invoiceID}/expire' as Operation<'expireTestInvoice'>
export const failTestPayout = 'POST /dashboard-api/merchants/{merchantID}/{environment}/test/payouts/{payoutID}/fail' as Operation<'failTestPayout'>
export const listCurrencies = 'GET /api/v1/currencies' as Operation<'listCurrencies'>
export const listRates = 'GET /api/v1/rates' as Operation<'listRates'>
export const createShopConnection = 'POST /api/v1/shop_connections' as Operation<'createShopConnection'>

/** The path under which users call the operations of API keys, and the path for the keys. */
export const mirroredUnder = '/dashboard-api/merchants/{merchantID}/{environment}'
export const mirroredFrom = '/api/v1'

/** The operations that both users and keys can call. */
export type MirroredId =
  | 'createInvoice'
  | 'listInvoices'
  | 'getInvoice'
  | 'cancelInvoice'
  | 'createAddress'
  | 'listAddresses'
  | 'getAddress'
  | 'listAddressInvoices'
  | 'createPayout'
  | 'listPayouts'
  | 'getPayout'
  | 'cancelPayout'
  | 'createRefund'
  | 'listRefunds'
  | 'getRefund'
  | 'listBalances'
  | 'listLedgerEntries'
  | 'listSuspense'
  | 'listEvents'
  | 'redeliverEvents'
  | 'getEvent'
  | 'redeliverEvent'
  | 'createWebhookEndpoint'
  | 'listWebhookEndpoints'
  | 'getWebhookEndpoint'
  | 'deleteWebhookEndpoint'
  | 'rotateWebhookSecret'
  | 'enableWebhookEndpoint'
  | 'testWebhookEndpoint'
  | 'createTestDeposit'
  | 'mineTestBlocks'
  | 'reorganiseTestChain'
  | 'setTestGate'
  | 'getTestClock'
  | 'advanceTestClock'
  | 'activateTestInvoice'
  | 'expireTestInvoice'
  | 'failTestPayout'
