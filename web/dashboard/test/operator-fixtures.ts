import type {
  OperatorAlert,
  OperatorGate,
  OperatorMerchant,
  OperatorSuspensePayment,
  SuspensePayment,
} from '@sluice/web/contract'
import { invoices, merchant } from './fixtures.ts'
import { settings } from './more-fixtures.ts'

const id = (n: number) => `019a8667-3bd4-7c21-9a6e-${String(n).padStart(12, '0')}`
const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString()

export const gates: readonly OperatorGate[] = (['online', 'halted'] as const).map((status, n) => ({
  gate_id: n === 0 ? 'bitcoin-test' : 'ethereum-live',
  network: n === 0 ? 'bitcoin' : 'ethereum',
  environment: n === 0 ? 'test' : 'live',
  simulated: n === 0,
  status,
  height: 812_345,
  tip_height: 812_347,
  lag: 2,
  halt_reason: n === 0 ? null : 'A reorganisation deeper than 100 blocks.',
  halt_reasons:
    n === 0 ? [] : [{ code: 'other', message: 'A reorganisation deeper than 100 blocks.', values: {} }],
  offline_reason: null,
  offline_reasons: [],
  scanned_at: minutesAgo(0),
  hot_wallet: n === 0 ? null : '0x71C7656EC7ab88b098defB751B7401B5f6d8976F',
  float_low_since: null,
  float: [{ currency: n === 0 ? 'BTC' : 'ETH', amount: '0.5' }],
  free: [],
  gas_currency: n === 0 ? null : 'ETH',
  unswept: n === 0 ? [] : [{ currency: 'USDT', amount: '120', addresses: 4, gas: null }],
  unswept_gas: null,
  cold:
    n === 0
      ? {
          destination: 'bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu',
          cap: '5000.00',
          keep: '2500.00',
          currency: 'EUR',
          holdings: [
            {
              currency: 'BTC',
              hot: '0.05',
              in_transit: '0.02',
              cold: '1.5',
              hot_value: '2500.00',
              in_transit_value: null,
              cold_value: '75000.00',
            },
          ],
        }
      : null,
}))

export const alerts: readonly OperatorAlert[] = [
  {
    kind: 'gate_halted',
    gate_id: 'ethereum-live',
    merchant_id: null,
    subject: null,
    count: 1,
    since: minutesAgo(33),
    details: 'Look at the chain, then run npx sluice gate resume.',
    reasons: [
      { code: 'alert_halted', message: 'Look at the chain, then run npx sluice gate resume.', values: {} },
    ],
  },
]

export const merchants: readonly OperatorMerchant[] = [
  {
    merchant_id: merchant,
    name: 'Alpenglühen Coffee',
    base_currency: 'EUR',
    tolerance_bps: 50,
    fees: settings.fees,
    created_at: minutesAgo(90_000),
  },
]

export const suspense: readonly SuspensePayment[] = (
  [
    ['wrong_currency', 'held', 'USDT', 'ethereum', '25', invoices[0]?.id ?? null],
    ['dust', 'pending', 'BTC', 'bitcoin', '0.000001', null],
    ['wrong_network', 'released', 'ETH', 'base', '0.5', null],
  ] as const
).map(([reason, status, currency, network, amount, invoiceId], n) => ({
  id: id(950 + n),
  environment: 'test',
  network,
  currency,
  amount,
  amount_in_base_currency: n === 1 ? null : `${n + 23}.10`,
  base_currency: n === 1 ? null : 'EUR',
  address: `0x${'c4'.repeat(20)}`,
  address_tag: null,
  tx_hash: `0x${'7e'.repeat(32)}`,
  explorer_url: null,
  reason,
  status,
  confirmations: 12,
  required_confirmations: 12,
  invoice_id: invoiceId,
  static_address_id: null,
  seen_at: minutesAgo(40 + n),
  released_at: status === 'released' ? minutesAgo(5) : null,
}))

export const allSuspense: readonly OperatorSuspensePayment[] = suspense.map((payment, n) => ({
  payment,
  merchant_id: n === 1 ? null : merchant,
  released_to: payment.status === 'released' ? merchant : null,
  released_by: payment.status === 'released' ? 'cli:ada' : null,
  note: payment.status === 'released' ? 'The payer chose the wrong network.' : null,
}))
