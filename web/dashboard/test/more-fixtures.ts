import type {
  ConnectedShop,
  DeliveryRange,
  Destination,
  EndpointDelivery,
  EndpointFigures,
  EventWithDeliveries,
  Invitation,
  InvitationMade,
  Key,
  LedgerEntry,
  MerchantPasskey,
  MerchantSettings,
  OpenSession,
  Passkey,
  PasskeyCreation,
  PayoutQuote,
  SavedView,
  SearchResult,
  ShopRequestReview,
  Team,
  WebhookEndpoint,
} from '@sluice/web/contract'
import { eventId, invoices, merchant, payouts } from './fixtures.ts'

const id = (n: number) => `019a8667-3bd4-7c21-9a6e-${String(n).padStart(12, '0')}`
const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString()

const note = 'Released from suspense, paid in 0xfa11: Paid in the wrong token.'
const released = {
  description: note,
  reasons: [
    {
      code: 'ledger_released',
      message: note,
      values: { hash: '0xfa11', note: 'Paid in the wrong token.' },
    },
  ],
}

export const ledger: readonly LedgerEntry[] = (
  ['deposit', 'fee', 'payout', 'network_fee', 'release', 'adjustment'] as const
).map((entry_type, n) => ({
  id: 40 - n,
  currency: 'BTC',
  network: 'bitcoin',
  environment: 'test',
  entry_type,
  direction: entry_type === 'deposit' || entry_type === 'release' ? 'credit' : 'debit',
  amount: `0.0${n + 1}`,
  amount_in_base_currency: entry_type === 'adjustment' ? null : `${n + 1}00.00`,
  base_currency: entry_type === 'adjustment' ? null : 'EUR',
  balance_after: `1.2${n}`,
  description: null,
  created_at: minutesAgo(n * 90),
  ...(entry_type === 'adjustment'
    ? { reference_type: null, reference_id: null, ...released }
    : { reference_type: 'invoice', reference_id: invoices[n]?.id ?? null }),
}))

export const endpoint: WebhookEndpoint = {
  id: id(600),
  url: 'https://shop.example/hooks/sluice',
  events: ['invoice.paid', 'payout.completed'],
  description: 'Orders',
  status: 'enabled',
  disabled_reason: null,
  disabled_reasons: [],
  disabled_at: null,
  secret_rotates_until: null,
  created_at: minutesAgo(20_000),
}

const figures = { succeeded: 142, failed: 3, success_rate: '0.9793', p50_ms: 84, p95_ms: 912, from: null }
export const endpointFigures: readonly EndpointFigures[] = [
  {
    endpoint_id: id(600),
    day: { ...figures, succeeded: 40, failed: 0, success_rate: '1.0000' },
    week: figures,
    waiting: 2,
    waiting_has_more: false,
    next_attempt_at: minutesAgo(-12),
  },
]
export const deliveryRange: DeliveryRange = {
  succeeded: 40,
  failed: 3,
  untried: 0,
  retrying: 2,
  unsent: 1,
  continue_from: null,
}

export const payoutQuote: PayoutQuote = {
  currency: 'BTC',
  network: 'bitcoin',
  decimals: 8,
  available: '0.5',
  network_fee: '0.0001',
  most: '0.49740149',
  fee_of_most: '0.00249851',
  rate: { fiat_currency: 'EUR', price: '60000', updated_at: minutesAgo(3) },
}

const attempt = {
  number: 1,
  at: minutesAgo(5),
  status_code: 500,
  duration_ms: 84,
  error: 'It answered with a status other than 2xx.',
  error_reasons: [
    { code: 'endpoint_refused', message: 'It answered with a status other than 2xx.', values: {} },
  ],
  answer: '<h1>oops</h1>',
}
export const deliveries: readonly EndpointDelivery[] = (['succeeded', 'failed', 'pending'] as const).map(
  (status, n) => ({
    id: id(620 + n),
    event_id: eventId,
    event: 'invoice.paid',
    status,
    attempts: 1,
    next_attempt_at: null,
    last_attempt_at: minutesAgo(5),
    created_at: minutesAgo(6),
    request_body: '{"id":"evt_…"}',
    attempt_log: [
      { ...attempt, request_headers: { 'webhook-id': eventId, 'webhook-timestamp': '1794700000' } },
    ],
  }),
)

export const event: EventWithDeliveries = {
  id: eventId,
  position: '1184',
  event: 'invoice.paid',
  environment: 'test',
  created_at: minutesAgo(6),
  data: { id: invoices[1]?.id, status: 'paid' },
  deliveries: [
    {
      id: id(620),
      endpoint_id: id(600),
      url: endpoint.url,
      status: 'failed',
      attempts: 1,
      next_attempt_at: null,
      last_attempt_at: minutesAgo(5),
      created_at: minutesAgo(6),
      attempt_log: [attempt],
    },
  ],
}

export const keys: readonly Key[] = (['active', 'expired', 'revoked'] as const).map((status, n) => ({
  id: id(700 + n),
  name: ['Web shop', 'Old plugin', 'Test script'][n] ?? '',
  hint: `sk_test_…9f3${n}`,
  status,
  permissions: ['invoices:read', 'invoices:write'],
  expires_at: null,
  allowed_ips: n === 0 ? ['203.0.113.0/24'] : null,
  last_used_at: n === 0 ? minutesAgo(3) : null,
  created_by: `user:${id(1)}`,
  created_by_name: 'Ada Keller',
  created_at: minutesAgo(40_000),
  revoked_at: status === 'revoked' ? minutesAgo(4_000) : null,
}))

export const shops: readonly ConnectedShop[] = (['connected', 'broken', 'disconnected'] as const).map(
  (status, n) => ({
    id: id(750 + n),
    app: ['woocommerce', 'medusa', 'own-shop'][n] ?? '',
    name: ['Alpenglühen Laden', '<img src=x onerror=alert(1)>', 'Old \u202eshop'][n] ?? '',
    host: ['shop.alpengluehen.example', 'store.example:8443', 'old.example'][n] ?? '',
    webhook_url: 'https://shop.alpengluehen.example/wc-api/sluice',
    permissions: ['invoices:read', 'invoices:write'],
    status,
    key_id: id(700 + n),
    endpoint_id: endpoint.id,
    allowed_by: `user:${id(1)}`,
    allowed_by_name: 'Ada Keller',
    connected_at: minutesAgo(30_000),
    disconnected_at: status === 'disconnected' ? minutesAgo(2_000) : null,
  }),
)

export const shopReview: ShopRequestReview = {
  app: 'woocommerce',
  name: 'Alpenglühen \u202e<b>Laden</b>',
  return_host: 'shop.alpengluehen.example',
  webhook_url: 'https://hooks.alpengluehen.example/wc-api/sluice',
  permissions: ['invoices:read', 'invoices:write', 'refunds:read', 'refunds:write', 'events:read'],
  events: ['invoice.paid', 'refund.completed'],
  replaces: minutesAgo(30_000),
  decline_url: 'https://shop.alpengluehen.example/settings?error=access_denied&state=0123456789abcdef',
}

export const settings: MerchantSettings = {
  merchant_id: merchant,
  name: 'Alpenglühen Coffee',
  base_currency: 'EUR',
  tolerance_bps: 50,
  fees: { fee_bps: 100, payout_fee_bps: 25, refund_fee_bps: 0 },
  default_window_seconds: 1800,
  colour: '#b4552d',
  logo: null,
  embed_origins: ['https://shop.example'],
  currency_order: ['USDC', 'BTC'],
  network_order: [],
  currencies: [
    { code: 'BTC', name: 'Bitcoin' },
    { code: 'USDT', name: 'Tether USD' },
    { code: 'ETH', name: 'Ether' },
    { code: 'USDC', name: 'USD Coin' },
    { code: 'LTC', name: 'Litecoin' },
  ],
  created_at: minutesAgo(90_000),
}

export const savedViews: SavedView[] = [
  {
    id: '01890000-0000-7000-8000-0000000000e1',
    list: 'invoices',
    name: 'Paid lately',
    query: 'status=paid&period=7_days',
    is_shared: false,
    is_own: true,
    owner_name: 'Ann <b>Meier</b>',
    may_change: true,
  },
  {
    id: '01890000-0000-7000-8000-0000000000e2',
    list: 'invoices',
    name: 'To be refunded <i>today</i>, and everything else that someone in the team has to look at',
    query: 'status=overpaid',
    is_shared: true,
    is_own: false,
    owner_name: 'Finn <b>Ott</b>',
    may_change: false,
  },
  {
    id: '01890000-0000-7000-8000-0000000000e3',
    list: 'payouts',
    name: 'Failed',
    query: 'status=failed',
    is_shared: true,
    is_own: true,
    owner_name: 'Ann <b>Meier</b>',
    may_change: true,
  },
  {
    id: '01890000-0000-7000-8000-0000000000e4',
    list: 'ledger',
    name: 'Fees of last month',
    query: 'entry_type=fee&period=last_month',
    is_shared: false,
    is_own: true,
    owner_name: 'Ann <b>Meier</b>',
    may_change: true,
  },
]
export const team: Team = {
  members: (['owner', 'finance', 'developer'] as const).map((role, n) => ({
    user_id: id(1 + n),
    email: ['ada@alpengluehen.example', 'ben@alpengluehen.example', 'cy@alpengluehen.example'][n] ?? '',
    name: ['Ada Keller', 'Ben Ortiz', 'Cy <b>Wong</b>'][n] ?? '',
    role,
    second_factors: n === 2 ? [] : ['totp'],
    is_disabled: false,
    joined_at: minutesAgo(90_000),
    last_seen_at: n === 2 ? null : minutesAgo(12),
  })),
  invitations: [
    {
      id: id(50),
      email: 'dee@alpengluehen.example',
      role: 'viewer',
      is_mailed: false,
      created_at: minutesAgo(60),
      expires_at: minutesAgo(-9_000),
    },
  ],
}

export const invitationMade: InvitationMade = {
  invitation: team.invitations[0] as Invitation,
  link: `https://pay.example.com/dashboard/invitation#${'a'.repeat(43)}`,
}

export const destinations: readonly Destination[] = [
  {
    network: 'bitcoin',
    address: 'tb1qw508d6qejqtdg4y5r3zarvary0c5xw7kxpjzsx',
    tag: null,
    label: 'Roastery',
    created_at: minutesAgo(900),
  },
]

export const merchantPasskeys: readonly MerchantPasskey[] = [
  {
    id: id(60),
    name: 'Work laptop',
    user_id: id(1),
    user_name: 'Ada Keller',
    user_email: 'ada@alpengluehen.example',
    fingerprint: '3f9a 11c0 7be2 90d4',
    is_in_use: true,
    vouched_by: [id(9)],
    vouchers_required: 2,
    trusted_at: null,
    trusted_from: null,
    created_at: minutesAgo(800),
  },
  {
    id: id(61),
    name: 'Old phone',
    user_id: id(9),
    user_name: 'Noa Stein',
    user_email: 'noa@alpengluehen.example',
    fingerprint: '77d0 41fe 02ba c3e9',
    is_in_use: false,
    vouched_by: [id(1), id(2)],
    vouchers_required: 2,
    trusted_at: minutesAgo(90_000),
    trusted_from: null,
    created_at: minutesAgo(91_000),
  },
]

export const passkeys: readonly Passkey[] = [
  {
    id: id(60),
    name: 'Work laptop',
    is_backed_up: true,
    created_at: minutesAgo(800),
    last_used_at: minutesAgo(9),
  },
]

export const passkeyCreation: PasskeyCreation = {
  options: {
    challenge: 'A'.repeat(43),
    rp: { id: 'localhost', name: 'Sluice' },
    user: { id: 'QWRh', name: 'ada@alpengluehen.example', displayName: 'Ada Keller' },
    pubKeyCredParams: [-7, -257].map((alg) => ({ alg, type: 'public-key' })),
    timeout: 300_000,
    excludeCredentials: [],
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    attestation: 'none',
  },
}

export const sessions: readonly OpenSession[] = [true, false].map((is_this, n) => ({
  id: id(70 + n),
  is_this,
  ip: '203.0.113.7',
  browser: is_this ? 'Chromium on Linux' : 'Safari on iPhone',
  proved_by: 'totp',
  is_new_device: !is_this,
  created_at: minutesAgo(900),
  last_seen_at: minutesAgo(n * 50),
}))

export const found: readonly SearchResult[] = [
  {
    type: 'invoice',
    id: invoices[1]?.id ?? '',
    matched: 'external_id',
    value: 'order-1098',
    title: 'order-1098',
    status: 'paid',
    amount: '0.00083167',
    currency: 'BTC',
    network: 'bitcoin',
    created_at: minutesAgo(94),
  },
  {
    type: 'payout',
    id: payouts[0]?.id ?? '',
    matched: 'destination',
    value: payouts[0]?.destination ?? '',
    title: null,
    status: 'pending_approval',
    amount: '0.25',
    currency: 'BTC',
    network: 'bitcoin',
    created_at: minutesAgo(61),
  },
]
