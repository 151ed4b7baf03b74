import type { HeldPayment } from '../../store/invoices/suspense.ts'
import type { App } from '../app.ts'
import { inBaseCurrency } from '../rates/price.ts'

export type ValuedPayment = HeldPayment & {
  /** At the current rate, in minor units of the base currency; null without a rate. */
  readonly amountInBaseCurrency: bigint | null
  readonly baseCurrency: string | null
}

/** Adds to payments in suspense what they are worth now. `baseOf` says in whose currency; null if that is not known. */
export async function valueHeld(
  app: Pick<App, 'rates'>,
  payments: readonly HeldPayment[],
  baseOf: (payment: HeldPayment) => string | null,
): Promise<ValuedPayment[]> {
  return Promise.all(
    payments.map(async (payment) => {
      const baseCurrency = baseOf(payment)
      if (baseCurrency === null) return { ...payment, amountInBaseCurrency: null, baseCurrency }
      const value = await inBaseCurrency(app, payment.environment, payment, baseCurrency)
      return { ...payment, amountInBaseCurrency: value, baseCurrency }
    }),
  )
}

/** A payment without its worth, which would be out of date in a file. */
export const unvaluedHeld = (payment: HeldPayment): ValuedPayment => ({
  ...payment,
  amountInBaseCurrency: null,
  baseCurrency: null,
})

/** The same for an operator: in the currency of the merchant whose address was paid. */
export async function valueForOperator(
  app: Pick<App, 'rates' | 'store'>,
  payments: readonly HeldPayment[],
): Promise<ValuedPayment[]> {
  const ids = new Set(payments.flatMap(({ merchantId }) => (merchantId === null ? [] : [merchantId])))
  const currencies = await app.store.merchants.baseCurrencies([...ids])
  return valueHeld(app, payments, ({ merchantId }) => currencies.get(merchantId ?? '') ?? null)
}
