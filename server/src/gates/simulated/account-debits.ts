import type { Executable } from './signed-bytes.ts'

/** What a transfer takes from its sender: one sum where it pays the coin that the fee is paid in too. */
export function debitsOf(
  native: string,
  feeUnits: bigint,
  currency: string,
  units: bigint,
): Executable['debits'] {
  return currency === native
    ? [{ currency, units: units + feeUnits }]
    : [
        { currency: native, units: feeUnits },
        { currency, units },
      ]
}
