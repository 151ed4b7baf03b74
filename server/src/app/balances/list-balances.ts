import { balanceDecimals } from '../../domain/assets.ts'
import type { Caller } from '../../domain/caller.ts'
import type { Environment } from '../../domain/environment.ts'
import { fiatMinorDigits } from '../../domain/fiat.ts'
import { fiatForUnits } from '../../domain/pricing.ts'
import type { AssetBalance } from '../../store/ledger/balances.ts'
import type { App } from '../app.ts'
import { usableRate } from '../rates/price.ts'

type Valued = {
  readonly decimals: number
  /** The available and reserved amounts together, in minor units of the merchant's base currency; null without a rate. */
  readonly inBaseCurrency: bigint | null
  /** The same for the available amount alone. */
  readonly availableInBaseCurrency: bigint | null
  readonly baseMinorDigits: number
}

type Amounts = Omit<AssetBalance, 'currency' | 'network' | 'decimals'>

/** A currency's balance across its networks, in the most decimals that any of them has, and the balance on each network. */
export type CurrencyBalance = Amounts &
  Valued & {
    readonly currency: string
    readonly environment: Environment
    readonly baseCurrency: string
    readonly networks: readonly (Amounts & Valued & { readonly network: string })[]
  }

const amountNames = [
  'availableUnits',
  'reservedUnits',
  'pendingUnits',
  'receivedUnits',
  'feeUnits',
  'paidOutUnits',
] as const

/** The caller's balances, one per currency ever seen. */
export async function listBalances(app: App, caller: Caller): Promise<CurrencyBalance[]> {
  const rows = await app.store.balances.list(caller)
  const { baseCurrency } = caller.merchant
  const baseMinorDigits = fiatMinorDigits(baseCurrency) ?? 2
  return Promise.all(
    [...Map.groupBy(rows, ({ currency }) => currency)].map(async ([currency, ofCurrency]) => {
      const decimals = balanceDecimals(app.assets, currency)
      const rate = await usableRate(app, caller.environment, currency, baseCurrency)
      const value = (amounts: Amounts, at: number): Valued => ({
        decimals: at,
        inBaseCurrency:
          rate === null
            ? null
            : signedFiat(amounts.availableUnits + amounts.reservedUnits, at, rate.rate, baseMinorDigits),
        availableInBaseCurrency:
          rate === null ? null : signedFiat(amounts.availableUnits, at, rate.rate, baseMinorDigits),
        baseMinorDigits,
      })
      const total = sumScaled(ofCurrency, decimals)
      return {
        currency,
        environment: caller.environment,
        baseCurrency,
        ...total,
        ...value(total, decimals),
        networks: ofCurrency.map((row) => ({ ...row, ...value(row, row.decimals) })),
      }
    }),
  )
}

function sumScaled(rows: readonly AssetBalance[], decimals: number): Amounts {
  const sum = (name: (typeof amountNames)[number]) =>
    rows.reduce((total, row) => total + row[name] * 10n ** BigInt(decimals - row.decimals), 0n)
  return Object.fromEntries(amountNames.map((name) => [name, sum(name)])) as Amounts
}

// Rounds towards zero, so that neither a credit nor a debt looks larger than it is.
function signedFiat(units: bigint, decimals: number, rate: bigint, minorDigits: number): bigint {
  return units < 0n
    ? -fiatForUnits(-units, decimals, rate, minorDigits, 'down')
    : fiatForUnits(units, decimals, rate, minorDigits, 'down')
}
