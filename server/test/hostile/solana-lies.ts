import { hotKey } from '../../src/domain/spends.ts'
import type { Random } from '../simulation/random.ts'
import type { PasskeyDesk } from '../support/people/passkey-desk.ts'
import { freshLifetime, type Plan, type Thief } from './forgeries.ts'
import { solanaOf } from './solana-plans.ts'

type Source = { readonly units: string }

const stolenUnits = 7_000n
// More than an account ever takes, and less than a transaction may cost.
const hiddenRent = 9_000_000n

/** The same plan on Solana with a single lie in it. */
export function liesOfSolana(random: Random, plan: Plan, { wallet }: PasskeyDesk, thief: Thief) {
  const { assets, hot } = solanaOf(wallet)
  const token = assets.find(({ contractAddress }) => contractAddress !== null)
  const key = { chain: 'deposit', index: random.below(3) } as const
  const deposit = { address: wallet.addressAt('solana', key), key }
  const units = BigInt(`${plan.units}`)
  const toThief = { to: { address: thief.solana, tag: null } }
  const sources = (plan.sources ?? []) as readonly Source[]
  const lifetime = plan.lifetime as Record<string, unknown>
  const { index, value, blockhash } = lifetime
  return [
    () => ({ ...plan, ...toThief, units: `${units === 0n ? stolenUnits : units}` }),
    () => ({ ...plan, contractAddress: plan.contractAddress === null ? token?.contractAddress : null }),
    () => ({ ...plan, token: plan.token === null ? { program: 'token', decimals: 6 } : null }),
    () => ({ ...plan, token: { program: 'token-2022', decimals: 6 } }),
    () => ({ ...plan, from: deposit }),
    () => ({ ...plan, units: `${units * 2n + 1n}` }),
    () => ({ ...plan, rentUnits: `${hiddenRent}` }),
    () => ({ ...plan, rentUnits: '0' }),
    () => ({ ...plan, lifetime: freshLifetime(random) }),
    // The same value of another nonce account, or of one that the wallet does not have.
    () => ({ ...plan, lifetime: { ...lifetime, index: Number(index) + random.pick([1, 16]) } }),
    // A transaction without a nonce is executed as often as it is signed.
    () => ({
      ...plan,
      lifetime: { kind: 'creation', index, blockhash: value ?? blockhash, lastValidHeight: '200' },
    }),
    () => ({ ...plan, sources: [{ ...deposit, units: `${units}` }] }),
    () => ({ ...plan, sources: [...sources, { address: hot, key: hotKey, units: `${stolenUnits}` }] }),
    () => ({
      ...plan,
      ...toThief,
      sources: sources.length > 0 ? sources : [{ ...deposit, units: `${units}` }],
    }),
    () => ({ ...plan, sources: sources.map((each) => ({ ...each, units: `${BigInt(each.units) + 1n}` })) }),
  ]
}
