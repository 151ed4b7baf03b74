import type { Environment } from '../../domain/environment.ts'
import { unitsInOther } from '../../domain/pricing.ts'
import type { App } from '../app.ts'
import { usableRate } from './price.ts'

// Every currency that has a price at all has one in this currency.
const commonFiat = 'USD'

type Counted = { readonly currency: string; readonly decimals: number }

/** Converts an amount of one currency to units of another at current rates, rounded up; null without a usable rate. */
export async function convertUnits(
  app: Pick<App, 'rates'>,
  environment: Environment,
  { units, from, to }: { units: bigint; from: Counted; to: Counted },
): Promise<bigint | null> {
  const [paid, got] = await Promise.all(
    [from, to].map(({ currency }) => usableRate(app, environment, currency, commonFiat)),
  )
  if (paid == null || got == null) return null
  return unitsInOther(
    { units, decimals: from.decimals, rate: paid.rate },
    { decimals: to.decimals, rate: got.rate },
  )
}
