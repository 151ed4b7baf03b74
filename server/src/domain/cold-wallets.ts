import type { GateId } from './networks/network.ts'
import { fiatForUnits, unitsForFiat } from './pricing.ts'

/** Where an extended key comes from (BIP-380): its master key's fingerprint, and the path below that. */
export type KeyOrigin = { readonly fingerprint: number; readonly path: readonly number[] }

/** A public key of the cold wallet, and where an offline signer finds its private key. */
export type ColdKey = { readonly publicKey: Uint8Array; readonly origin: KeyOrigin }

/** The operator's cold wallet on a network. Its keys are elsewhere: nothing here can spend from it. */
export type ColdWallet = {
  /** Its address or extended public key, in canonical form. */
  readonly destination: string
  /** Whether it is an extended public key, so that each move gets an address of its own. */
  readonly isDerived: boolean
  /** Its address at this index. A single address has the index null and no other. Null where there is none. */
  addressAt(index: number | null): string | null
  /** The key of its address at this index; null where the cold wallet is an address. */
  keyAt(index: number): ColdKey | null
}

/** By gate, where the operator's cold wallet is: plain text, so that two versions of the settings can be compared. */
export type ColdDestinations = ReadonlyMap<GateId, string>

/** When funds of a gate go to the cold wallet. Values are in minor units of the fiat currency. */
export type ColdPolicy = {
  readonly wallet: ColdWallet
  readonly currency: string
  readonly minorDigits: number
  /** The hot wallet may be worth this much. */
  readonly capValue: bigint
  /** What a move leaves in the hot wallet. */
  readonly keepValue: bigint
}

/** A currency of the hot wallet, and how much of it may not be moved. */
export type HotHolding = {
  readonly currency: string
  readonly decimals: number
  readonly units: bigint
  readonly claimedUnits: bigint
  /** Of one whole unit of currency, in the policy's fiat currency. */
  readonly rate: bigint
}

export type ColdMove = { readonly currency: string; readonly units: bigint }

/**
 * What to move to the cold wallet so that the hot wallet is worth no more than `keepValue`: of the currency with the largest
 * value that nothing claims. Null while the hot wallet is worth no more than the cap, or everything in it is claimed.
 */
export function chooseMove(
  holdings: readonly HotHolding[],
  { capValue, keepValue, minorDigits }: Pick<ColdPolicy, 'capValue' | 'keepValue' | 'minorDigits'>,
): ColdMove | null {
  const worth = ({ decimals, rate }: HotHolding, units: bigint) =>
    fiatForUnits(units, decimals, rate, minorDigits, 'down')
  const total = holdings.reduce((sum, holding) => sum + worth(holding, holding.units), 0n)
  if (total <= capValue) return null
  let largest: { readonly holding: HotHolding; readonly free: bigint; readonly value: bigint } | null = null
  for (const holding of holdings) {
    const free = holding.units - holding.claimedUnits
    if (free <= 0n) continue
    const value = worth(holding, free)
    if (value > (largest?.value ?? 0n)) largest = { holding, free, value }
  }
  if (largest === null) return null
  const { holding, free } = largest
  const wanted = unitsForFiat({ amount: total - keepValue, minorDigits }, holding.rate, holding.decimals)
  return { currency: holding.currency, units: least(wanted, free) }
}

function least(a: bigint, b: bigint): bigint {
  if (a < b) return a
  return b
}
