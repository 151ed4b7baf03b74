import type {
  Balance,
  Currency,
  InvoiceWithPayments,
  Payout,
  PayoutReview,
  Power,
  Refund,
  Session,
  StaticAddress,
} from '@sluice/web/contract'

/** What a merchant with some history would see. Each is a complete answer of the service, as the contract describes it. */

export const merchant = '019a8554-7c1e-7b3a-9f0e-3d2c1b0a9f8e'
export const other = '019a8554-7c1e-7b3a-9f0e-3d2c1b0a9f8f'
const id = (n: number) => `019a8667-3bd4-7c21-9a6e-${String(n).padStart(12, '0')}`
export const eventId = `evt_${id(900)}`
const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString()
const hash = (letter: string) => letter.repeat(64)

const powers: Power[] = [
  ...(['invoices', 'payouts', 'refunds', 'addresses', 'webhooks'] as const).flatMap((area): Power[] => [
    `${area}:read`,
    `${area}:write`,
  ]),
  ...(['balances:read', 'events:read', 'test:write', 'payouts:approve', 'keys:read', 'keys:write'] as const),
  ...(['team:read', 'team:write', 'settings:read', 'settings:write', 'policy:read', 'policy:write'] as const),
  'audit:read',
]

export const session: Session = {
  user_id: id(1),
  email: 'ada@alpengluehen.example',
  name: 'Ada Keller',
  language: null,
  is_operator: true,
  must_change_password: false,
  second_factors: ['totp', 'passkey', 'recovery_code'],
  recovery_codes_left: 9,
  proof_fresh_until: null,
  memberships: [
    { merchant_id: merchant, merchant_name: 'Alpenglühen Coffee', role: 'owner', powers },
    {
      merchant_id: other,
      merchant_name: '<img src=x onerror=alert(1)>',
      role: 'viewer',
      powers: powers.slice(0, 1),
    },
  ],
  network_names: {
    base: 'Base',
    bitcoin: 'Bitcoin',
    bsc: 'BNB Smart Chain',
    ethereum: 'Ethereum',
    litecoin: 'Litecoin',
    polygon: 'Polygon',
    solana: 'Solana',
    xrp: 'XRP Ledger',
  },
}

const address = 'tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx'

export function invoice(n: number, change: Partial<InvoiceWithPayments> = {}): InvoiceWithPayments {
  return {
    id: id(100 + n),
    merchant_id: merchant,
    environment: 'test',
    status: 'paid',
    source: 'api',
    static_address_id: null,
    currency: 'BTC',
    network: 'bitcoin',
    amount: '0.00083167',
    amount_fiat: '49.90',
    fiat_currency: 'EUR',
    exchange_rate: '60000',
    rate_locked_at: minutesAgo(n * 47),
    amount_in_base_currency: '49.90',
    base_currency: 'EUR',
    amount_paid: '0.00083167',
    amount_pending: '0',
    amount_due: '0',
    amount_overpaid: '0',
    amount_refunded: '0',
    fee_amount: '0.00000831',
    deferred: false,
    deposit_address: address,
    deposit_address_tag: null,
    payment_uri: null,
    payment_reference: null,
    gate_id: 'bitcoin-test',
    required_confirmations: 2,
    description: 'Two mugs and a kettle',
    external_id: `order-${1100 - n}`,
    metadata: { campaign: 'winter <b>2026</b>', customer_name: 'Grace <i>Hopper</i>' },
    redirect_url: 'https://shop.example/thanks',
    checkout_url: 'http://127.0.0.1/pay/7f3K9wQx2LmV0bTzR5nYcA',
    idempotency_key: null,
    expires_at: minutesAgo(n * 47 - 30),
    live_at: minutesAgo(n * 47),
    paid_at: minutesAgo(n * 47 - 12),
    cancelled_at: null,
    created_at: minutesAgo(n * 47),
    updated_at: minutesAgo(n * 47 - 12),
    payments: [
      {
        id: id(300 + n),
        tx_hash: `${n}7f3a9c1e5b${hash('a').slice(11)}`,
        explorer_url: null,
        output_index: 0,
        currency: 'BTC',
        network: 'bitcoin',
        amount: '0.00083167',
        confirmations: 2,
        required_confirmations: 2,
        status: 'confirmed',
        late: false,
        block_height: 812_345,
        detected_at: minutesAgo(n * 47 - 8),
        confirmed_at: minutesAgo(n * 47 - 12),
      },
    ],
    ...change,
  }
}

const open = { amount_paid: '0', paid_at: null, payments: [], fee_amount: '0' }
export const invoices: readonly InvoiceWithPayments[] = [
  invoice(1, { ...open, status: 'pending', amount_due: '0.00083167', expires_at: minutesAgo(-12) }),
  invoice(2),
  invoice(3, { status: 'underpaid', amount_paid: '0.0005', amount_due: '0.00033167' }),
  invoice(4, { ...open, status: 'pending', currency: null, network: null, amount: null, amount_due: null }),
  invoice(5, {
    status: 'overpaid',
    amount_paid: '0.001',
    amount_overpaid: '0.00016833',
    currency: 'LTC',
    network: 'litecoin',
    gate_id: 'litecoin-test',
  }),
  invoice(6, { ...open, status: 'expired' }),
  invoice(7, { external_id: '<script>document.title="owned"</script>', currency: 'USDT', amount: '49.9' }),
  invoice(8, { ...open, status: 'cancelled', cancelled_at: minutesAgo(300) }),
  invoice(9, {
    ...open,
    status: 'expired',
    payments: invoice(9).payments.map((payment) => ({ ...payment, status: 'reversed', confirmations: 0 })),
  }),
]

export function payout(n: number, change: Partial<Payout> = {}): Payout {
  return {
    id: id(200 + n),
    currency: 'BTC',
    network: 'bitcoin',
    amount: '0.25',
    environment: 'test',
    amount_in_base_currency: '15000.00',
    base_currency: 'EUR',
    network_fee: '0.00001',
    fee_amount: '0',
    destination: address,
    destination_tag: null,
    allow_program_address: false,
    status: 'pending_approval',
    tx_hash: null,
    explorer_url: null,
    idempotency_key: null,
    description: 'Supplier, invoice 4711',
    metadata: null,
    waiting_reason: null,
    waiting_reasons: [],
    failure_reason: null,
    failure_reasons: [],
    approved_at: null,
    executable_at: null,
    completed_at: null,
    cancelled_at: null,
    created_at: minutesAgo(n * 61),
    ...change,
  }
}

export const payouts: readonly Payout[] = [
  payout(1),
  payout(2, {
    amount: '1200',
    currency: 'USDT',
    network: 'ethereum',
    destination: '0x71C7656EC7ab88b098defB751B7401B5f6d8976F',
  }),
  payout(3, { status: 'processing', approved_at: minutesAgo(20), tx_hash: hash('b') }),
  payout(4, { status: 'completed', tx_hash: hash('c'), completed_at: minutesAgo(200) }),
  payout(5, {
    status: 'failed',
    failure_reason: 'The recipient’s contract refuses coins.',
    failure_reasons: [{ code: 'other', message: 'The recipient’s contract refuses coins.', values: {} }],
  }),
  payout(6, { status: 'cancelled', cancelled_at: minutesAgo(30) }),
  payout(7, {
    amount: '3.141592653589793238',
    currency: 'ETH',
    network: 'ethereum',
    status: 'completed',
    amount_in_base_currency: '12566.37',
    base_currency: 'USD',
    description: 'Before the base currency changed',
  }),
]
export const waiting = payouts.filter(({ status }) => status === 'pending_approval')

const unusual: Pick<PayoutReview, 'warnings' | 'risks'> = {
  warnings: [
    { code: 'destination_new', message: 'Nothing has ever been paid to this destination.', values: {} },
    {
      code: 'destination_resembles',
      message: 'This destination looks like another one.',
      values: { other: 'tb1qw508d6qejqtdg4y5r3zarvary0c5xw7kxpjzsx', likeness: 'ends', label: 'Roastery' },
    },
    { code: 'over_usual', message: '', values: { times: '4', amount: '0.25', currency: 'BTC' } },
  ],
  risks: ['destination_resembles', 'destination_new', 'over_usual'],
}
export const review = (of: Payout): PayoutReview => ({
  payout: of,
  hash: hash('d'),
  network_fee: of.network_fee,
  total: '0.25001',
  base_currency: 'EUR',
  created_by: { kind: 'key', id: id(7), name: 'Web shop' },
  refund: null,
  approvals: [],
  rejection: of.status === 'cancelled' ? { name: 'Finn <b>Ott</b>', reason: 'The wrong supplier' } : null,
  policy: {
    text: ['One person approves each payout.', 'A payout is worth at most 50,000.00 EUR.'],
    rules: {
      base_currency: 'EUR',
      max_payout: '50000.00',
      max_day: null,
      only_known_destinations: false,
      approvals_required: 1,
      cooling_off_seconds: 0,
      approval: 'any',
    },
    approval: 'any',
    approvals_required: 1,
    objection: null,
    objections: [],
    may_approve: true,
    may_not_because: null,
    may_not_code: null,
  },
  ...(of.id === payouts[0]?.id ? unusual : { warnings: [], risks: [] }),
})

export const refund: Refund = {
  id: id(400),
  invoice_id: id(105),
  payout_id: id(201),
  currency: 'BTC',
  network: 'bitcoin',
  amount: '0.00016833',
  amount_in_base_currency: '10.09',
  base_currency: 'EUR',
  refund_fee: '0',
  network_fee: '0.00001',
  destination: address,
  destination_tag: null,
  allow_program_address: false,
  status: 'pending',
  environment: 'test',
  tx_hash: null,
  explorer_url: null,
  waiting_reason: null,
  waiting_reasons: [],
  failure_reason: null,
  failure_reasons: [],
  description: 'Paid too much',
  metadata: null,
  completed_at: null,
  created_at: minutesAgo(90),
}

export const staticAddress: StaticAddress = {
  id: id(500),
  merchant_id: merchant,
  currency: 'XRP',
  network: 'xrp',
  environment: 'test',
  gate_id: 'xrp-test',
  address: 'rPT1Sjq2YGrBMTttX4GZHjKu9dyfzbpAYe',
  address_tag: '3917204685',
  label: 'Donations',
  total_received: '125.5',
  total_received_in_base_currency: '60.24',
  base_currency: 'EUR',
  invoice_count: 3,
  created_at: minutesAgo(9_000),
}

const sums = { pending: '0', reserved: '0.25001', total_fees: '0.01', total_paid_out: '2.5' }
const balance = (currency: string, network: string, available: string, worth: string | null): Balance => ({
  currency,
  environment: 'test',
  available,
  ...sums,
  total_received: '12.75',
  total_in_base_currency: worth,
  base_currency: worth === null ? null : 'EUR',
  networks: [{ network, available, ...sums, total_received: '12.75', total_in_base_currency: worth }],
})
export const balances: readonly Balance[] = [
  balance('BTC', 'bitcoin', '1.20450012', '72270.01'),
  balance('ETH', 'ethereum', '3.141592653589793238', '8796.45'),
  balance('LTC', 'litecoin', '310.5', '24840.00'),
  balance('POL', 'polygon', '0.000000000000000042', null),
  balance('USDT', 'ethereum', '18250.75', '17338.21'),
]

export const currencies: readonly Currency[] = (
  [
    ['BTC', 'Bitcoin', 'bitcoin', 'Bitcoin'],
    ['LTC', 'Litecoin', 'litecoin', 'Litecoin'],
    ['XRP', 'XRP', 'xrp', 'XRP Ledger'],
  ] as const
).map(([code, name, network, networkName]) => ({
  code,
  name,
  kind: 'native',
  environments: ['test', 'live'],
  default_network: network,
  networks: [
    {
      network,
      name: networkName,
      environment: 'test',
      gate_id: `${network}-test`,
      decimals: 8,
      contract_address: null,
      required_confirmations: 2,
      min_amount: '0.00001',
      status: 'online',
      tag: code === 'XRP' ? { name: 'Destination tag', required: true } : null,
    },
  ],
}))
