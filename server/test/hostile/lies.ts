import type { SpendPlan } from '../../src/domain/spends.ts'
import type { Random } from '../simulation/random.ts'
import type { PasskeyDesk } from '../support/people/passkey-desk.ts'
import { type Plan, type Thief, withLessChange } from './forgeries.ts'
import { uuidOf } from './names.ts'
import { liesOfSolana } from './solana-lies.ts'

type Output = NonNullable<Plan['outputs']>[number]

/** More than any transaction may cost. */
const hiddenUnits = 100_000n
const stolenUnits = 7_000n

/** A plan as the service stores it. */
export function asStored(plan: SpendPlan): Plan {
  return JSON.parse(JSON.stringify(plan, (_, value) => (typeof value === 'bigint' ? `${value}` : value)))
}

/** The same plan with a single lie in it: everything else is as the service planned it, so that only one check can object. */
export function withOneLie(random: Random, plan: Plan, desk: PasskeyDesk, thief: Thief): Plan {
  const lies = liesOf(random, plan, desk, thief)
  return (lies[random.below(lies.length)] as () => Plan)()
}

function liesOf(random: Random, plan: Plan, desk: PasskeyDesk, thief: Thief): readonly (() => Plan)[] {
  if (plan.kind === 'account') return liesOfAccount(random, plan, desk, thief)
  if (plan.kind === 'solana') return liesOfSolana(random, plan, desk, thief)
  return liesOfCoins(plan, thief.coins, uuidOf(random))
}

function liesOfAccount(random: Random, plan: Plan, { wallet }: PasskeyDesk, thief: Thief) {
  const token = wallet.network('ethereum').assets.find(({ currency }) => currency === 'USDT')
  const key = { chain: 'deposit', index: random.below(3) } as const
  const units = BigInt(`${plan.units}`)
  const toThief = { to: { address: thief.account, tag: null } }
  return [
    () => ({ ...plan, ...toThief, units: `${units === 0n ? stolenUnits : units}` }),
    () => ({ ...plan, contractAddress: plan.contractAddress === null ? token?.contractAddress : null }),
    () => ({ ...plan, from: { address: wallet.addressAt('ethereum', key), key } }),
    () => ({ ...plan, units: `${units * 2n + 1n}` }),
  ]
}

function liesOfCoins(plan: Plan, thief: string, inventedId: string) {
  const outputs = plan.outputs ?? []
  const paying = outputs.find(({ payoutId }) => payoutId !== null)
  const added = (output: Output, more: Partial<Plan> = {}): Plan => {
    const cheaper = withLessChange(plan, BigInt(output.units))
    return { ...cheaper, ...more, outputs: [...(cheaper.outputs ?? []), output] }
  }
  const replaced = (isMeant: (output: Output, at: number) => boolean, by: Partial<Output>): Plan => ({
    ...plan,
    outputs: outputs.map((output, at) => (isMeant(output, at) ? { ...output, ...by } : output)),
  })
  const stolen = (payoutId: string | null) => ({ address: thief, units: `${stolenUnits}`, payoutId })
  const isChange = (_: Output, at: number) => at === plan.change?.outputIndex
  return [
    () => replaced(isChange, { address: thief }),
    () => replaced((_, at) => at !== plan.change?.outputIndex, { address: thief }),
    () => added(stolen(null)),
    () => added(stolen(null), { cold: { outputIndex: outputs.length, index: null } }),
    // Where there is none, a payout that no one has heard of: the code that signs takes its output for a payout's.
    () => added(stolen(paying?.payoutId ?? inventedId)),
    () => (paying === undefined ? added(stolen(null)) : added(paying)),
    // What is missing from the change would go to miners.
    () => withLessChange(plan, hiddenUnits),
  ]
}
