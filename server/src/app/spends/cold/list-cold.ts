import type { ColdPolicy } from '../../../domain/cold-wallets.ts'
import { formatDecimal, formatFixed } from '../../../domain/money.ts'
import type { Gate } from '../../../gates/gate.ts'
import type { ColdHoldingRow } from '../../../store/spends/cold-moves.ts'
import type { App } from '../../app.ts'
import { inBaseCurrency } from '../../rates/price.ts'

/** How a currency of a gate is spread. Values are null without a usable rate, or without a cold wallet in the settings. */
export type ColdHolding = {
  readonly currency: string
  readonly hot: string
  readonly inTransit: string
  readonly cold: string
  readonly hotValue: string | null
  readonly inTransitValue: string | null
  readonly coldValue: string | null
}

/** What is hot, on its way and cold on a gate. The settings are null once there is no cold wallet in them any more. */
export type ColdReport = {
  readonly gateId: string
  readonly destination: string | null
  /** The first address of the cold wallet, to compare with what the operator's wallet shows. */
  readonly firstAddress: string | null
  readonly cap: string | null
  readonly keep: string | null
  readonly currency: string | null
  readonly holdings: readonly ColdHolding[]
}

/** The gates that have a cold wallet, or from which something went to one. */
export async function listCold(
  app: Pick<App, 'store' | 'gates' | 'spending' | 'rates'>,
): Promise<ColdReport[]> {
  const rows = await app.store.coldMoves.holdings()
  const reports: ColdReport[] = []
  for (const gate of app.gates.list()) {
    const policy = app.spending.cold.get(gate.id) ?? null
    const own = rows.filter(({ gateId }) => gateId === gate.id)
    if (policy === null && own.every(({ coldUnits, transitUnits }) => coldUnits + transitUnits === 0n))
      continue
    const holdings: ColdHolding[] = []
    for (const row of own) holdings.push(...(await holdingOf(app, gate, policy, row)))
    reports.push({ gateId: gate.id, ...settingsOf(policy), holdings })
  }
  return reports
}

function settingsOf(policy: ColdPolicy | null) {
  const value = (minor: bigint) => (policy === null ? null : formatFixed(minor, policy.minorDigits))
  return {
    destination: policy?.wallet.destination ?? null,
    firstAddress: policy?.wallet.addressAt(policy.wallet.isDerived ? 0 : null) ?? null,
    cap: value(policy?.capValue ?? 0n),
    keep: value(policy?.keepValue ?? 0n),
    currency: policy?.currency ?? null,
  }
}

async function holdingOf(
  app: Pick<App, 'rates'>,
  gate: Gate,
  policy: ColdPolicy | null,
  { currency, hotUnits, transitUnits, coldUnits }: ColdHoldingRow,
): Promise<ColdHolding[]> {
  const asset = gate.assets.find((each) => each.currency === currency)
  // A token that is no longer listed: the books keep it, but nothing here knows its decimals.
  if (asset === undefined) return []
  const { decimals } = asset
  const inCoins = (units: bigint) => formatDecimal(units, decimals)
  const worth = async (units: bigint) => {
    // What is owed can exceed what is there for a moment: a reorganisation took a deposit away.
    if (policy === null || units < 0n) return null
    const value = await inBaseCurrency(app, gate.environment, { currency, units, decimals }, policy.currency)
    return value === null ? null : formatFixed(value, policy.minorDigits)
  }
  return [
    {
      currency,
      hot: inCoins(hotUnits),
      inTransit: inCoins(transitUnits),
      cold: inCoins(coldUnits),
      hotValue: await worth(hotUnits),
      inTransitValue: await worth(transitUnits),
      coldValue: await worth(coldUnits),
    },
  ]
}
