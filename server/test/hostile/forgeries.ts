import type { Coin } from '../../src/domain/spends.ts'
import type { Random } from '../simulation/random.ts'
import { nonceValue } from './solana-plans.ts'

/** Addresses of the attacker. */
export type Thief = { readonly coins: string; readonly account: string; readonly solana: string }
export const liveThief: Thief = {
  coins: 'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq',
  account: '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359',
  solana: 'mvines9iiHiQTysrwkJjGf2gb9Ex9jXJX8ns3qwf2kN',
}

/** A plan as it is stored. */
export type Plan = Record<string, unknown> & {
  readonly kind: string
  readonly gasPrice?: string
  readonly computePrice?: string
  readonly feeUnits?: string
  readonly payoutId?: string | null
  readonly inputs?: readonly { readonly units: string }[]
  readonly outputs?: readonly {
    readonly address: string
    readonly units: string
    readonly payoutId: string | null
  }[]
  readonly change?: { readonly outputIndex: number; readonly index: number } | null
}

/** The last one is no kind at all. */
export const kinds = [
  'payout',
  'sweep',
  'gas',
  'consolidation',
  'fill',
  'cold',
  'nonce',
  'absorb',
  'theft',
] as const
const numbers = ['0', '-1', '1', '999999', '2000000', '100000000000000000000', '-210000000000000000000']

export function altered(random: Random, thief: Thief, name: string, value: unknown): unknown {
  if (random.bool(0.1)) return null
  if (/address|destination/.test(name)) return addressOf(random, thief)
  if (name === 'kind') return random.pick(kinds)
  if (name === 'gate_id')
    return random.pick(['bitcoin-live', 'ethereum-live', 'base-live', 'solana-live', 'bitcoin-test'])
  if (/_at$/.test(name)) return random.pick(['1999-01-01', '2099-01-01'])
  if (typeof value === 'boolean') return !value
  if (typeof value === 'number') return random.pick([0, 1, value + 1, value * 2, -value])
  if (typeof value === 'string' && /^-?\d+$/.test(value)) return alteredNumber(random, value)
  if (value !== null && typeof value === 'object') return alteredDeep(random, thief, value)
  return value
}

// On Solana, a public key or a value of a nonce account.
const isAddress = /^((bc1|bcrt1|ltc1|rltc1|0x)|[1-9A-HJ-NP-Za-km-z]{43,44}$)/
const addressOf = (random: Random, thief: Thief) => random.pick([thief.coins, thief.account, thief.solana])

function alteredNumber(random: Random, text: string): string {
  const value = BigInt(text)
  return random.pick([
    ...([`${value + 1n}`, `${value - 1n}`, `${value * 2n}`, `${value / 2n}`, `-${text}`] as [
      string,
      ...string[],
    ]),
    ...numbers,
  ])
}

/** The same with one leaf changed, added or removed. */
export function alteredDeep(random: Random, thief: Thief, value: unknown): unknown {
  if (value === null || typeof value !== 'object')
    return typeof value === 'string' && isAddress.test(value)
      ? addressOf(random, thief)
      : altered(random, thief, '', value)
  const entries = Object.entries(value)
  const chosen = random.below(entries.length + 1)
  const changed = entries.flatMap(([key, inner], at) => {
    if (at !== chosen) return [[key, inner] as const]
    if (random.bool(0.05)) return []
    return [[key, alteredDeep(random, thief, inner)] as const]
  })
  if (Array.isArray(value)) {
    const list = changed.map(([, inner]) => inner)
    return chosen === entries.length && list.length > 0 ? [...list, list[random.below(list.length)]] : list
  }
  return Object.fromEntries(chosen === entries.length ? [...changed, ['dataFeeUnits', '-5']] : changed)
}

export function dearer(plan: Plan): Plan {
  if (plan.kind === 'account') return { ...plan, gasPrice: `${BigInt(plan.gasPrice ?? 0) * 2n}` }
  if (plan.kind === 'solana') return { ...plan, computePrice: `${BigInt(plan.computePrice ?? 0) * 2n}` }
  return { ...withLessChange(plan, 500n), feeUnits: `${BigInt(plan.feeUnits ?? 0) + 500n}` }
}

/** The plan with one coin stated at a fraction of its worth, and as much less change. */
export function misstated(plan: Plan, at: number): Plan {
  const missing = 40_000_000n
  const inputs = plan.inputs?.map((coin, index) =>
    index === at ? { ...coin, units: `${BigInt(coin.units) - missing}` } : coin,
  )
  return withLessChange({ ...plan, ...(inputs && { inputs }) }, missing)
}

export function withLessChange(plan: Plan, units: bigint): Plan {
  const outputs = plan.outputs?.map((output, index) =>
    index === plan.change?.outputIndex ? { ...output, units: `${BigInt(output.units) - units}` } : output,
  )
  return { ...plan, ...(outputs && { outputs }) }
}

/** The same payment by other means, so that it does not rule out the first: another nonce, or other coins of ours. */
export function freshUses(random: Random, plan: Plan, coins: readonly Coin[]): Plan {
  if (plan.kind === 'account') return { ...plan, nonce: freshNonce(random) }
  if (plan.kind === 'solana') return { ...plan, lifetime: freshLifetime(random) }
  const before = sumOf(plan.inputs ?? [])
  const inputs = someCoins(random, coins)
  return withLessChange({ ...plan, inputs }, before - sumOf(inputs))
}

/** A value of a nonce account that no spend holds. */
export function freshLifetime(random: Random): object {
  return { kind: 'nonce', index: random.below(16), value: nonceValue(random.between(2_000, 1e6)) }
}

export const freshNonce = (random: Random): string => `${random.between(1_000, 1e6)}`

/** One or two coins of ours, as a plan names them. */
export function someCoins(random: Random, coins: readonly Coin[]) {
  const first = random.below(coins.length)
  return [0, 1]
    .slice(0, random.between(1, 2))
    .flatMap((next) => coins[(first + next) % coins.length] ?? [])
    .map((coin) => ({ ...coin, units: `${coin.units}` }))
}

export function sumOf(list: readonly { readonly units: string }[]): bigint {
  return list.reduce((sum, { units }) => sum + BigInt(units), 0n)
}

/** The plan with its destination, or one of its outputs, replaced by the attacker's. */
export function toThief(random: Random, plan: Plan, thief: Thief): Plan {
  if (plan.kind === 'account') return { ...plan, to: { address: thief.account, tag: null } }
  if (plan.kind === 'solana') return { ...plan, to: { address: thief.solana, tag: null } }
  const stolen = random.below(plan.outputs?.length ?? 1)
  const outputs = plan.outputs?.map((output, at) =>
    at === stolen ? { ...output, address: thief.coins } : output,
  )
  return { ...plan, ...(outputs && { outputs }) }
}
