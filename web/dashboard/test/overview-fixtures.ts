import type { Overview, Role, SetUpStep } from '@sluice/web/contract'
import { balances } from './fixtures.ts'

const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString()
const dayMs = 24 * 3600_000

const moved = (n: number) => ({
  received: (800 + 620 * Math.sin(n / 2.7) ** 2 + (n % 7) * 85).toFixed(2),
  paid_out: n % 5 === 2 ? (900 + (n % 30) * 31).toFixed(2) : '0.00',
  refunded: n % 9 === 4 ? '149.90' : '0.00',
})

const outcomes = (paid: number, expired: number, open = 0, cancelled = 0) => ({
  created: paid + expired + open + cancelled,
  paid,
  expired,
  open,
  cancelled,
  share: paid + expired === 0 ? null : (Math.floor((paid * 10_000) / (paid + expired)) / 10_000).toFixed(4),
})

const anyone = ['owner', 'admin', 'finance', 'developer'] as const
const step = (
  kind: SetUpStep['kind'],
  is_done: boolean,
  target: string | null,
  roles: readonly Role[] = ['owner', 'admin', 'developer'],
): SetUpStep => ({
  kind,
  is_done,
  environment: kind.startsWith('live') ? 'live' : 'test',
  target,
  roles: [...roles],
})
const setUp = [
  step('test_invoice', true, 'invoices/new', anyone),
  step('test_key', true, 'keys'),
  step('test_webhook', false, 'webhooks'),
  step('test_payout', false, 'payouts', ['owner', 'admin', 'finance']),
  step('brand', true, 'settings', ['owner', 'admin']),
  step('owners', false, 'team', ['owner', 'admin']),
  step('live_networks', false, null, []),
  step('live_wallet', true, null, []),
  step('live_policy', false, 'policy', ['owner', 'admin']),
  step('live_approvers', false, 'policy', ['owner', 'admin', 'finance']),
  step('live_webhook', false, 'webhooks'),
  step('live_key', false, 'keys'),
]

export const overview = (days: number): Overview => ({
  base_currency: 'EUR',
  bars: Array.from({ length: days }, (_, n) => {
    const day = new Date(Date.now() - (days - 1 - n) * dayMs).toISOString().slice(0, 10)
    const fees = (4 + (n % 7) * 0.85).toFixed(2)
    return { from: day, to: day, ...moved(n), fees, invoices: outcomes(n % 9, n % 3), before: moved(n + 11) }
  }),
  axis: ['-2000.00', '-1000.00', '0.00', '1000.00', '2000.00'],
  received: { amount: '41280.35', before: '36610.00' },
  paid_out: { amount: '9860.00', before: '11020.00' },
  refunded: { amount: '149.70', before: '0.00' },
  received_by_asset: [
    {
      currency: 'BTC',
      network_name: 'Bitcoin',
      amount: '0.412',
      value: '24720.00',
      value_before: '20110.00',
      fees: '0.00206',
    },
    {
      currency: 'USDT',
      network_name: 'BNB Smart Chain',
      amount: '16560.35',
      value: '16560.35',
      value_before: '0.00',
      fees: '102.8',
    },
    { currency: 'DEMO', network_name: 'Polygon', amount: '12', value: null, value_before: '0.00', fees: '0' },
  ],
  fees: {
    platform: { amount: '206.40', before: '183.05' },
    network: { amount: '31.17', before: '0.00' },
  },
  conversion: { invoices: outcomes(1_204, 87, 12, 3), before: outcomes(998, 101) },
  time_to_paid: { median_seconds: 540, before: 600 },
  counted_since: null,
  without_rate: ['DEMO'],
  balances: balances.map(({ currency, available, total_in_base_currency }) => ({
    currency,
    available,
    available_in_base_currency: total_in_base_currency,
  })),
  balance_in_base_currency: '114448.22',
  invoices: [
    { status: 'pending', count: 12 },
    { status: 'paid', count: 1_204_511 },
    { status: 'underpaid', count: 3 },
    { status: 'overpaid', count: 41 },
    { status: 'expired', count: 877 },
    { status: 'cancelled', count: 19 },
  ],
  set_up: setUp,
  attention: [
    {
      kind: 'policy_relaxing',
      count: 2,
      subject: null,
      details: null,
      reasons: [],
      at: minutesAgo(-1_300),
      target: 'policy',
    },
    {
      kind: 'payouts_to_approve',
      count: 2,
      subject: null,
      details: null,
      reasons: [],
      at: null,
      target: 'payouts?status=pending_approval',
    },
    {
      kind: 'webhook_failing',
      count: 3,
      subject: 'https://shop.example/hooks',
      at: null,
      target: 'webhooks',
      details: 'It answered 500.',
      reasons: [{ code: 'other', message: 'It answered 500.', values: {} }],
    },
  ],
})
