/**
 * What the service refuses to people of the dashboard. The sentence is written where it is thrown, and its code is read from it here;
 * a test finds every one that is missing.
 */
export const refusalSentences = {
  no_event: 'There is no such event.',
  network_unreachable:
    'The network {network} cannot be reached right now. Try again later, or use another network.',
  no_deposit_address:
    'No deposit address is available on the network {network} right now. Try again in a moment, or use another network. If this persists, the operator finds the reason in the signer’s log.',
  no_trust_line:
    'The network {network} cannot be paid in {currency} yet: our account has no trust line for it. Try again later, or use another currency.',
  address_not_shown:
    'The payment address on the network {network} cannot be shown: it is not one of this service’s. Do not pay to an address that you saw here before. The operator finds the reason in the log.',
  test_wallet_not_ready:
    'The test wallet is not ready yet: its signer has not started. Start one (`sluice start --role signer`), or try again in a moment.',
  least_amount: 'The smallest amount on {network} is {amount}. Ask for more, or use another network.',
  used_key:
    'This idempotency key was used for a different request. Use a new key, or repeat the first request unchanged.',
  used_key_refund:
    'This idempotency key was used for a different refund. Use a new key, or repeat the first request unchanged.',
  asset_chosen: 'The asset of this invoice is already chosen. Create another invoice.',
  invoice_ended: 'The invoice is {status}. Create another one.',
  too_late_to_pick: 'The time to pick an asset is over. Create another invoice.',
  invoice_not_pending: 'Only a pending invoice can be cancelled; this one is {status}.',
  invoice_payment_seen: 'A payment of this invoice was seen on chain, so it cannot be cancelled.',
  no_invoice: 'There is no such invoice.',
  no_payout: 'There is no such payout.',
  no_refund: 'There is no such refund.',
  no_address: 'There is no such address.',
  no_endpoint: 'There is no such webhook endpoint.',
  no_shop: 'There is no such shop.',
  no_key: 'There is no key {id}.',
  no_merchant: 'There is no merchant {id}.',
  no_network: 'There is no network {name} in the {environment} environment.',
  key_exceeds_role:
    'Your role lacks {permissions}, so you cannot create a key with it. Ask an owner or administrator.',
  limits_in_currency:
    'Live payouts have limits in {currency}. Remove the limits from the live payout policy first, then change the base currency and set them again.',
  change_in_currency:
    'A change of the live payout policy is pending, with amounts in {currency}. Wait until it applies or withdraw it, then change the base currency.',
  picture_too_large: 'The picture has {bytes} bytes; it may have at most {most}. Make it smaller.',
  picture_of_other_kind:
    'This is not a PNG, JPEG, WebP or GIF. Save the picture in one of these formats; SVG is not accepted.',
  payout_not_cancellable: 'A payout that is {status} can no longer be cancelled.',
  destination_refused: 'This destination cannot be paid. Check the address, its network and its tag.',
  destination_invalid: 'This is not a valid address, with its tag, on {network}.',
  destination_cannot_be_paid: 'This address cannot be paid.',
  destination_not_known: '{place} is not a known destination.',
  no_fee_rate:
    'There is no usable exchange rate between {currency} and {other} right now, so the network fee cannot be estimated. Try again later.',
  too_many_decimals: 'The total has more decimals than {currency} has.',
  balance_too_low:
    'The available balance is too low: this needs {amount} including fees, and on {network} you have {seen}.',
  limit_not_valid:
    '{text} is not a valid limit in {currency}: it must be above 0, with at most {digits} digits after the point.',
  factor_for_approval: 'Approving this payout takes a second factor shown for it alone.',
  passkey_in_use: 'This passkey is already in use.',
  too_many_passkeys: 'A person can have at most {most} passkeys. Remove one first.',
  no_passkey: 'You have no passkey. Add one in your account first.',
  no_passkey_use_other: 'You have no passkey. Use another second factor.',
  factor_kept:
    'Owners and operators must keep a second factor. Set up another one first, then remove this one.',
  no_such_passkey: 'You have no such passkey.',
  password_refused: 'This password cannot be used.',
  passkey_of_other: 'This is not one of your passkeys.',
  passkey_signature: 'The passkey’s signature was not accepted: {detail}. Try again.',
  passkey_not_trusted:
    'The signer does not trust this passkey for this merchant. Ask a member whose passkey it trusts to vouch for it.',
  code_used: 'This code is wrong or was already used. Try the next one.',
  no_totp_here:
    'Authenticator apps cannot be used on this service until its operator sets SLUICE_SECRET_KEY.',
  totp_unreadable:
    'The secret of your authenticator app cannot be read. The operator of the service must restore the right SLUICE_SECRET_KEY.',
  no_session: 'You have no such session, or it has ended.',
  passkey_request_expired: 'This passkey request has expired. Try again.',
  passkey_refused: 'This passkey was not accepted. Try again, or use another method.',
  passkeys_need_https:
    'Browsers create passkeys only for a host name reached by https. The operator of the service must set SLUICE_PUBLIC_URL to such an address.',
  passkeys_of_host:
    'Passkeys of this service belong to {host}, but this page is open at {other}. Open {url} and try again there.',
  no_totp: 'You have no authenticator app set up.',
  factor_first: 'Set up an authenticator app or a passkey first.',
  link_used: 'This link was already used, was replaced, or has expired. Ask for a new one.',
  totp_not_begun: 'No authenticator app is being set up. Start again.',
  totp_wrong: 'This code is wrong. Try the next one, and check the clock of your phone.',
  password_first: 'Enter your e-mail address and password first.',
  sign_in_wrong: 'The e-mail address or the password is wrong.',
  password_wrong: 'The password is wrong.',
  factor_needed: 'You have a second factor, so the password alone is not enough.',
  no_passkey_of_merchant: 'There is no such passkey at this merchant.',
  passkey_unowned: 'Its owner has left the team or removed this passkey.',
  vouched_already: 'You have already vouched for this passkey. Another person has to vouch for it too.',
  no_change: 'There is no such change of the payout policy.',
  change_without_passkey: 'This change is approved without a passkey. Send no assertion.',
  change_with_passkey:
    'This change is approved with a passkey that the signer trusts. Request its challenge first.',
  change_needs_passkey:
    'Payouts of this merchant are approved with passkeys, so this change needs a passkey that the signer trusts. Request its challenge first.',
  change_in_force: 'The change is in force already. Change the policy again.',
  change_over: 'The change is {status} already.',
  policy_role: 'Your role no longer allows to change the policy. Ask an owner.',
  challenge_old: 'The passkey’s challenge is too old. Request a new one.',
  changed_meanwhile:
    'Someone changed the same thing after you requested the challenge. Look at it again, then try again.',
  policy_approvers:
    'This policy needs {needed} people whose passkeys the signer trusts, and there {there}: no payout could be approved. First have another approver add a passkey, and vouch for it under Payout policy.',
  no_price: 'There is no usable exchange rate between {currency} and {other} right now.',
  no_price_any: 'There is no usable exchange rate between any currency and {other} right now.',
  later_or_crypto: 'Try again later, or create the invoice with a crypto amount.',
  clock_moved:
    'Your test clock was moved since the rates were read, so they are too old. Try again in a minute, when they have been read again.',
  nothing_credited: 'This invoice has no credited payments to refund.',
  credited_in: 'This invoice was credited only in {currency} on {network}.',
  most_refund: 'At most {amount} of this invoice can still be refunded.',
  float_not_released: 'This payment is your own float: it was sent to the hot wallet.',
  released_already: 'This payment was already released, to merchant {id}.',
  released_early:
    'This payment is not confirmed: it has {done} of {needed} confirmations. Release it once it has them.',
  member_already: 'You already belong to this merchant.',
  name_and_password: 'Choose a name and a password.',
  account_known:
    'There is an account with this e-mail address already. Sign in with it, then accept the invitation.',
  no_member: 'There is no such member at this merchant.',
  last_owner: 'This is the last owner. Make another member an owner first.',
  no_invitation: 'There is no such open invitation.',
  belongs_already: '{email} already belongs to this merchant.',
  team_full: 'A merchant can have at most {most} members and open invitations.',
  only_owners: 'Only an owner can appoint or remove owners. Ask an owner.',
  webhook_address: 'Webhooks cannot be sent to this address.',
  too_many_endpoints: 'A merchant can have at most {most} endpoints. Delete one first.',
  no_webhooks_here: 'Webhooks cannot be used on this service until its operator sets SLUICE_SECRET_KEY.',
  endpoint_off: 'This endpoint is disabled. Enable it first.',
  password_printed:
    'Your password was printed, so others may know it. Set a new one first: open /dashboard and sign in.',
  live_needs_factor:
    'The live environment needs a second factor, and you have none yet. Add a passkey or an authenticator app to your account, then try again.',
  confirm_factor: 'Confirm this action with your second factor.',
  confirm_password: 'Confirm this action with your password.',
  not_signed_in: 'You are not signed in, or your session has ended. Sign in.',
  not_member: 'There is no such merchant, or you are not a member.',
  only_operator: 'Only an operator of the service may do this.',
  role_may_not: 'Your role may not do this. Ask an owner or administrator of the merchant.',
  nothing_here: 'There is nothing at this address in this environment.',
  not_from_dashboard: 'This request does not come from the dashboard. Open /dashboard and do it there.',
  destination_removed_meanwhile: 'Another user removed this destination at the same time. Add it again.',
  shop_code_gone:
    'There is no such code: it was used, it has expired, or the verifier belongs to another one. Connect the shop again.',
  clock_too_far:
    'The clock would be more than {days} days ahead of the real time. Use another merchant for a fresh start.',
  mempool_full: 'Too many payments wait on this network. Mine a block first.',
  not_simulated: 'This network runs on a real node, which Sluice cannot control. Use the node’s own tools.',
  no_view: 'There is no such saved view.',
  view_of_other:
    'Only its owner, or someone who may change the team, may change this view. Save one of your own.',
  view_name_taken: 'There is already a view of this list by the name “{name}”. Choose another name.',
  too_many_views: 'A user can save at most {most} views. Delete one first.',
  too_many_shared_views: 'A team can share at most {most} views. Delete one, or stop sharing it, first.',
  request_not_valid: 'The request is not valid. Correct the problems listed in details.',
} as const
