import type { PageState } from '@sluice/web/checkout'
import type {
  Checkout,
  CheckoutAsset,
  CheckoutOffer,
  CheckoutPayment,
  CheckoutPhase,
} from '@sluice/web/contract'
import { qrCodeOf } from '@sluice/web/ui/qr-coder.ts'
import { bitcoinQr } from './bitcoin-qr.ts'

const now = '2026-11-15T09:30:00.000Z'
const bitcoinAddress = 'tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx'
const hash = 'a1075db55d416d3ca199f55b6084e2115b9345e16c5cf302fc80e9d5fbf5d48d'

export const bitcoin: CheckoutAsset = {
  currency: 'BTC',
  currency_name: 'Bitcoin',
  network: 'bitcoin',
  network_name: 'Bitcoin',
  token_standard: null,
  network_online: true,
  simulated: false,
  amount: '0.00083167',
  amount_paid: '0',
  amount_pending: '0',
  amount_due: '0.00083167',
  amount_missing: '0.00083167',
  amount_overpaid: '0',
  amount_late: '0',
  amount_refunded: '0',
  exchange_rate: '60000',
  address: bitcoinAddress,
  tag: null,
  payment_uri: `bitcoin:${bitcoinAddress}?amount=0.00083167`,
  qr: bitcoinQr,
  transaction_request: null,
  wallet_transaction: null,
  required_confirmations: 2,
}

export const tether: CheckoutAsset = {
  ...bitcoin,
  currency: 'USDT',
  currency_name: 'Tether USD',
  network: 'ethereum',
  network_name: 'Ethereum',
  token_standard: 'ERC-20',
  amount: '49.9',
  amount_due: '49.9',
  amount_missing: '49.9',
  exchange_rate: '1',
  address: '0x9858EfFD232B4033E47d90003D41EC34EcaEda94',
  payment_uri:
    'ethereum:0xdAC17F958D2ee523a2206206994597C13D831ec7@1/transfer?address=0x9858EfFD232B4033E47d90003D41EC34EcaEda94&uint256=49900000',
  wallet_transaction: {
    chain_id: 1,
    to: '0xdAC17F958D2ee523a2206206994597C13D831ec7',
    value: '0x0',
    data: '0xa9059cbb0000000000000000000000009858effd232b4033e47d90003d41ec34ecaeda940000000000000000000000000000000000000000000000000000000002f969e0',
    token: { address: '0xdAC17F958D2ee523a2206206994597C13D831ec7', symbol: 'USDT', decimals: 6 },
  },
  required_confirmations: 12,
}

export const ripple: CheckoutAsset = {
  ...bitcoin,
  currency: 'XRP',
  currency_name: 'XRP',
  network: 'xrp',
  network_name: 'XRP Ledger',
  amount: '23.761905',
  amount_due: '23.761905',
  amount_missing: '23.761905',
  exchange_rate: '2.1',
  address: 'rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh',
  tag: { name: 'Destination tag', value: '3917204685', required: true },
  payment_uri: 'xrpl:rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh?amount=23.761905&dt=3917204685',
  required_confirmations: 1,
}

const solanaUri =
  'solana:5vftMkHL72JaJG6ExQfGAsT2uGVHpRR7oTNUPMs68Y2N?amount=49.9&spl-token=EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v&reference=3m4tewSsdu7wwwc3RD3DPvzbHPLMni5KjKPJM4xj8Dgz&label=Alpengl%C3%BChen%20Coffee&message=Order%2010482%3A%20two%20bags%E2%80%A6'
const requestUri = 'solana:https://pay.shop.example/solana-pay/AZqGZzvUfCGabl0MfwbUjQh3pS7_2Vb0Jd-yk1m4X9c'

export const usdc: CheckoutAsset = {
  ...tether,
  currency: 'USDC',
  currency_name: 'USD Coin',
  network: 'solana',
  network_name: 'Solana',
  token_standard: 'SPL',
  address: '5vftMkHL72JaJG6ExQfGAsT2uGVHpRR7oTNUPMs68Y2N',
  payment_uri: solanaUri,
  qr: qrCodeOf(solanaUri),
  transaction_request: { uri: requestUri, qr: qrCodeOf(requestUri), chain: 'solana:mainnet' },
  wallet_transaction: null,
  required_confirmations: 32,
}

const checkout: Checkout = {
  invoice_id: '019a8667-3bd4-7c21-9a6e-5d0c7f0f1b52',
  phase: 'pay',
  environment: 'live',
  shop: { name: 'Alpenglühen Coffee', logo: null, colour: '#0f7a5a' },
  description: 'Order 10482: two bags of espresso, ground',
  amount_fiat: '49.90',
  fiat_currency: 'USD',
  asset: bitcoin,
  can_change_asset: false,
  payments: [],
  expires_at: '2026-11-15T09:44:32.000Z',
  paid_at: null,
  redirect_url: 'https://shop.example/orders/10482',
  now,
}

const payment: CheckoutPayment = {
  tx_hash: hash,
  explorer_url: `https://mempool.space/tx/${hash}`,
  amount: '0.00083167',
  confirmations: 0,
  required_confirmations: 2,
  status: 'detected',
  late: false,
  detected_at: now,
}

const nothingToSend = {
  payment_uri: null,
  qr: null,
  transaction_request: null,
  wallet_transaction: null,
} as const
const settled = { ...bitcoin, ...nothingToSend, amount_due: '0', amount_missing: '0' }

const offer = (
  currency: string,
  currencyName: string,
  network: string,
  networkName: string,
  estimate: string,
  rest: Partial<CheckoutOffer> = {},
): CheckoutOffer => ({
  currency,
  currency_name: currencyName,
  network,
  network_name: networkName,
  token_standard: null,
  status: 'available',
  estimated_amount: estimate,
  network_fee: '0.0000141',
  network_fee_currency: currency,
  network_fee_fiat: '0.85',
  ...rest,
})

const erc20 = { token_standard: 'ERC-20', network_fee: '0.0004', network_fee_currency: 'ETH' }
export const offers: readonly CheckoutOffer[] = [
  offer('BTC', 'Bitcoin', 'bitcoin', 'Bitcoin', '0.00083167'),
  offer('ETH', 'Ether', 'ethereum', 'Ethereum', '0.016633333333333334', { network_fee_fiat: '1.26' }),
  offer('ETH', 'Ether', 'base', 'Base', '0.016633333333333334', { network_fee_fiat: '0.01' }),
  offer('LTC', 'Litecoin', 'litecoin', 'Litecoin', '0.58705883', { network_fee_fiat: '0.02' }),
  offer('USDT', 'Tether USD', 'ethereum', 'Ethereum', '49.9', { ...erc20, network_fee_fiat: '2.30' }),
  offer('USDT', 'Tether USD', 'solana', 'Solana', '49.9', {
    token_standard: 'SPL',
    network_fee_fiat: '0.04',
  }),
  offer('USDT', 'Tether USD', 'bsc', 'BNB Smart Chain', '49.9', {
    token_standard: 'BEP-20',
    network_fee: null,
    network_fee_fiat: null,
  }),
  offer('USDT', 'Tether USD', 'polygon', 'Polygon', '49.9', { token_standard: 'ERC-20', status: 'offline' }),
  offer('XRP', 'XRP', 'xrp', 'XRP Ledger', '23.761905', { network_fee_fiat: null }),
  offer('SOL', 'Solana', 'solana', 'Solana', '0.3', { status: 'no_rate', estimated_amount: null }),
  offer('BNB', 'BNB', 'bsc', 'BNB Smart Chain', '0.08', { status: 'too_small' }),
]

/** A page with a token as the service sends it, with changes. */
export function pageState(changes: Partial<Checkout> = {}, page: Partial<PageState> = {}): PageState {
  return {
    language: 'en',
    path: '/pay/q8Zr0bJ2mK4n',
    embedded: false,
    checkout: { ...checkout, ...changes },
    offers: changes.phase === 'choose' ? offers : null,
    token: { token: 'a-token', expires_at: '2026-11-15T09:45:00.000Z' },
    problem: null,
    notice: null,
    ...page,
  }
}

const without = (problem: PageState['problem']): PageState =>
  pageState({}, { checkout: null, token: null, problem })

const paid = {
  paid_at: '2026-11-15T09:41:07.000Z',
  payments: [{ ...payment, status: 'confirmed', confirmations: 2 }],
} as const satisfies Partial<Checkout>

/** One page for each state that a payer can see. */
export const pages = {
  choose: pageState({ phase: 'choose', asset: null }),
  choose_refused: pageState({ phase: 'choose', asset: null }, { notice: 'gate_offline' }),
  pay: pageState(),
  pay_chosen: pageState({ can_change_asset: true }),
  change: pageState({ can_change_asset: true }, { offers }),
  pay_token: pageState({ asset: tether }),
  pay_tag: pageState({ asset: ripple }),
  pay_request: pageState({ asset: usdc }),
  pay_in_crypto: pageState({
    asset: { ...bitcoin, exchange_rate: null },
    amount_fiat: null,
    fiat_currency: null,
    description: null,
  }),
  pay_test: pageState({ environment: 'test', asset: { ...bitcoin, simulated: true } }),
  pay_offline: pageState({ asset: { ...bitcoin, network_online: false } }),
  closing: pageState({ phase: 'closing', asset: { ...bitcoin, ...nothingToSend }, expires_at: now }),
  detected: pageState({
    phase: 'detected',
    asset: { ...settled, amount_due: '0.00083167', amount_pending: '0.00083167' },
    payments: [payment],
  }),
  detected_partly: pageState({
    phase: 'detected',
    asset: { ...bitcoin, amount_pending: '0.0005', amount_missing: '0.00033167' },
    payments: [{ ...payment, amount: '0.0005' }],
  }),
  confirming: pageState({
    phase: 'confirming',
    asset: { ...settled, amount_due: '0.00083167', amount_pending: '0.00083167' },
    payments: [{ ...payment, status: 'confirming', confirmations: 1 }],
  }),
  underpaid: pageState({
    phase: 'underpaid',
    asset: { ...bitcoin, amount_paid: '0.0005', amount_due: '0.00033167', amount_missing: '0.00033167' },
    payments: [{ ...payment, amount: '0.0005', status: 'confirmed', confirmations: 2 }],
    expires_at: '2026-11-15T09:33:59.000Z',
  }),
  paid: pageState({ phase: 'paid', asset: { ...settled, amount_paid: '0.00083167' }, ...paid }),
  overpaid: pageState({
    phase: 'overpaid',
    asset: { ...settled, amount_paid: '0.001', amount_overpaid: '0.00016833' },
    ...paid,
    payments: [{ ...payment, amount: '0.001', status: 'confirmed', confirmations: 2 }],
  }),
  overpaid_refunded: pageState({
    phase: 'overpaid',
    asset: { ...settled, amount_paid: '0.001', amount_overpaid: '0.00016833', amount_refunded: '0.00016833' },
    ...paid,
  }),
  expired: pageState({ phase: 'expired', asset: { ...bitcoin, ...nothingToSend } }),
  expired_partly: pageState({
    phase: 'expired',
    asset: { ...bitcoin, ...nothingToSend, amount_paid: '0.0005' },
    payments: [{ ...payment, amount: '0.0005', status: 'confirmed', confirmations: 2 }],
  }),
  expired_late: pageState({
    phase: 'expired',
    asset: { ...bitcoin, ...nothingToSend, amount_paid: '0.00083167', amount_late: '0.00083167' },
    payments: [{ ...payment, status: 'confirming', confirmations: 1, late: true }],
  }),
  expired_unchosen: pageState({ phase: 'expired', asset: null, redirect_url: null }),
  cancelled: pageState({ phase: 'cancelled', asset: { ...bitcoin, ...nothingToSend } }),
  unknown: without('unknown'),
  ended: without('ended'),
  busy: without('busy'),
  unavailable: without('unavailable'),
} satisfies Record<string, PageState>

/** The texts that each page must show, with script and without. */
export const says: Readonly<Record<keyof typeof pages, readonly string[]>> = {
  choose: [
    'Choose how to pay',
    'about 0.00083167 BTC',
    'Network fee about $0.85',
    '4 networks',
    'Lowest network fee: about $0.01',
    'Network fee from about $0.04',
  ],
  choose_refused: ['That network cannot be reached right now', 'Choose how to pay'],
  pay: ['Waiting for your payment', 'Send BTC on Bitcoin only', '0.00083167', 'Open in wallet app', '$49.90'],
  pay_chosen: ['Send BTC on Bitcoin only', 'Pay with another currency'],
  change: [
    'Choose how to pay',
    'Pay with another currency',
    'Already sent it?',
    'Keep BTC on Bitcoin',
    '4 networks',
  ],
  pay_token: ['Send USDT on Ethereum (ERC-20) only', '49.9'],
  pay_request: [
    'Send USDC on Solana (SPL) only',
    'To an address',
    'With a Solana wallet',
    '49.9',
    'Open in wallet app',
  ],
  pay_tag: ['Destination tag', '3917204685', 'Without it your payment cannot be matched'],
  pay_in_crypto: ['0.00083167 BTC', 'Send BTC on Bitcoin only'],
  pay_test: ['Test payment: no real money moves', 'Simulate the payer', 'Mine a block'],
  pay_offline: ['Bitcoin cannot be followed at the moment', 'Nothing is lost'],
  closing: ['The time to pay is over', 'Do not send anything now'],
  detected: ['Payment seen', 'View in a block explorer', 'waiting for a block', 'You can close this page'],
  detected_partly: ['The payment seen so far is too small', 'Amount still missing', '0.00033167'],
  confirming: ['Payment is being confirmed', '1 of 2 confirmations'],
  underpaid: [
    '0.00033167 BTC is still missing',
    '0.0005 of 0.00083167 BTC has arrived',
    'same address',
    '3:5',
  ],
  paid: [
    'Paid',
    'Receipt',
    'View in a block explorer',
    'Back to Alpenglühen Coffee',
    'confirms your order itself',
    'not a proof of payment',
  ],
  overpaid: [
    '0.00016833 BTC more than was due',
    'quote the invoice number',
    '019a8667-3bd4-7c21-9a6e-5d0c7f0f1b52',
  ],
  overpaid_refunded: ['has sent back 0.00016833 BTC'],
  expired: ['Do not send anything now', 'What if I have already sent it?'],
  expired_partly: ['Only part of the amount arrived', '0.0005 of 0.00083167 BTC arrived in time'],
  expired_late: ['A payment arrived too late', 'too late', '1 of 2 confirmations'],
  expired_unchosen: ['Do not send anything now'],
  cancelled: ['This payment was cancelled', 'Do not send anything now'],
  unknown: ['There is no payment here'],
  ended: ['This payment has ended'],
  busy: ['Too many requests', 'Wait a minute'],
  unavailable: ['cannot be shown right now', 'not lost'],
}

/** Every phase of the contract has its page above. */
export const phases: readonly CheckoutPhase[] = [
  'choose',
  'pay',
  'closing',
  'detected',
  'confirming',
  'underpaid',
  'paid',
  'overpaid',
  'expired',
  'cancelled',
]
