import { expect, it } from 'vitest'
import { receivedByAsset } from '../../src/app/overview/by-asset.ts'
import type { DailySum } from '../../src/store/reports/daily-sums.ts'
import { currencies } from '../support/shop/registry.ts'

const today = '2026-11-15'
const row = (changes: Partial<DailySum>): DailySum => ({
  day: today,
  kind: 'received',
  currency: 'BTC',
  network: 'bitcoin',
  decimals: 8,
  baseCurrency: 'EUR',
  units: 1_000n,
  baseUnits: 60n,
  ...changes,
})

it('what came in is told by asset, the most valuable first, with the period before and the network’s own name', () => {
  const rows = [
    row({}),
    row({ day: '2026-11-14', units: 2_000n, baseUnits: 120n }),
    row({ day: '2026-11-08', units: 9_000n, baseUnits: 540n }),
    row({ kind: 'paid_out', units: 5n }),
    row({ currency: 'USDT', network: 'bsc', decimals: 18, units: 10n ** 30n, baseUnits: 10n ** 14n }),
    row({ currency: 'LTC', network: 'litecoin', baseCurrency: '', units: 7n }),
  ]
  const fees = [
    { ...row({}), kind: 'platform', units: 15n, baseMillionths: 0n },
    { ...row({}), kind: 'network', units: 2n, baseMillionths: 0n },
    { ...row({ day: '2026-11-08' }), kind: 'platform', units: 100n, baseMillionths: 0n },
    { ...row({ network: 'lightning' }), kind: 'platform', units: 1_000n, baseMillionths: 0n },
  ] as const
  const period = { today, days: 7, baseCurrency: 'EUR' }
  expect(receivedByAsset(rows, fees, period, new Map(), currencies)).toEqual([
    {
      currency: 'USDT',
      networkName: 'BNB Smart Chain',
      decimals: 18,
      units: 10n ** 30n,
      value: 10n ** 14n,
      before: 0n,
      feeUnits: 0n,
    },
    {
      currency: 'BTC',
      networkName: 'Bitcoin',
      decimals: 8,
      units: 3_000n,
      value: 180n,
      before: 540n,
      feeUnits: 17n,
    },
    {
      currency: 'LTC',
      networkName: 'Litecoin',
      decimals: 8,
      units: 7n,
      value: null,
      before: 0n,
      feeUnits: 0n,
    },
  ])
})
