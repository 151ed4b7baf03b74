import type { ErrorBody } from '@sluice/sdk/contract'
import type { ServiceError } from '../../domain/errors.ts'
import { fiatMinorDigits } from '../../domain/fiat.ts'
import { formatFixed } from '../../domain/money.ts'
import { fieldProblem } from '../../domain/reasons/field-problems.ts'
import { type Reason, reasonsIn } from '../../domain/reasons/reasons.ts'

/** A fiat amount with all its minor digits, or null. */
export function fiat(minorUnits: bigint | null, code: string | null): string | null {
  if (minorUnits === null || code === null) return null
  return formatFixed(minorUnits, fiatMinorDigits(code) ?? 2)
}

/** A value in the base currency of its time, which a merchant may have changed since, and that currency. Both null without a rate. */
export function baseValue(of: {
  readonly amountInBaseCurrency: bigint | null
  readonly baseCurrency: string | null
}): {
  amount_in_base_currency: string | null
  base_currency: string | null
} {
  return {
    amount_in_base_currency: fiat(of.amountInBaseCurrency, of.baseCurrency),
    base_currency: of.amountInBaseCurrency === null ? null : of.baseCurrency,
  }
}

/** A reason sentence by sentence, each with the code for messages in other languages. */
export function reasonsView(
  text: string | null,
): (Omit<Reason, 'values'> & { values: Record<string, string> })[] {
  return reasonsIn(text).map((reason) => ({ ...reason, values: { ...reason.values } }))
}

/** A refusal that comes with the answers to others, as people are told it alone. */
export function refusalView({ code, message, details }: ServiceError): ErrorBody {
  const problems = details
    ?.map(fieldProblem)
    .map((problem) => ({ ...problem, values: { ...problem.values } }))
  return {
    code,
    message,
    ...(details && { details: [...details] }),
    ...(problems && { problems }),
    reasons: reasonsView(message),
  }
}

export function time(at: Date | null): string | null {
  return at === null ? null : at.toISOString()
}

/** The time that a request names, or null. */
export function timeFrom(text: string | undefined): Date | null {
  return text === undefined ? null : new Date(text)
}
