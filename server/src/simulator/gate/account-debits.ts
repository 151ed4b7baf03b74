import type { Executable } from './signed-bytes.ts'

/** What a transfer takes from its sender: a single sum where amount and fee are in the same currency. */
export function debitsOf(
  native: string,
  feeUnits: bigint,
  currency: string,
  units: bigint,
): Executable['debits'] {
  if (currency === native) return [{ currency, units: units + feeUnits }]
  const fee = { currency: native, units: feeUnits }
  return units === 0n ? [fee] : [fee, { currency, units }]
}
