import { expect, it } from 'vitest'
import { tellProgress } from '../../hostile/progress.ts'
import type { Role } from '../../hostile/rows.ts'
import { openSiege } from '../../hostile/siege.ts'
import { limitsOf } from '../../support/signer/signer-limits.ts'

const seeds = Number(process.env.SLUICE_HOSTILE_SEEDS ?? 200)
const first = Number(process.env.SLUICE_HOSTILE_FIRST ?? 1)
/** After this many cases the database is replaced: the rows that they deleted slow it down. */
const seedsPerDatabase = 250

const given = limitsOf(
  [
    { network: 'bitcoin', currency: 'BTC', per_day: '0.00065' },
    { network: 'ethereum', currency: 'ETH', per_day: '0.012' },
    { network: 'ethereum', currency: 'USDT', per_day: '0.03' },
    { network: 'solana', currency: 'SOL', per_day: '0.012' },
    { network: 'solana', currency: 'USDC', per_day: '0.03' },
  ],
  { bitcoin: '0.0005', ethereum: '0.005', base: '0.005', solana: '0.005' },
)
const limits = {
  ...given,
  areRequired: true,
  maxFeesPerDay: new Map([...given.maxFees].map(([network, units]) => [network, 2n * units])),
}

async function besiege(role: Role, from: number, count: number) {
  const siege = await openSiege({ limits, role })
  let [mineable, failures] = [0, 0]
  try {
    for (let seed = from; seed < from + count; seed++) {
      const outcome = await siege.run(seed)
      expect(outcome.problems, `seed ${seed} as ${role}, which did: ${outcome.done.join(', ')}`).toEqual([])
      mineable += outcome.mineable
      failures += outcome.failures.length
    }
    return { ...siege.counts(), mineable, failures }
  } finally {
    await siege.close()
  }
}

it.each<Role>(['superuser', 'service'])(
  'after any change by the %s to the database, only approved payouts leave, once, and fees stay within limits',
  async (role) => {
    const share = Math.ceil(seeds / 2)
    const start = role === 'superuser' ? first : first + share
    let [mineable, failures, changed, denied] = [0, 0, 0, 0]
    for (let done = 0; done < share; done += seedsPerDatabase) {
      tellProgress(`hostile database as ${role}`, done, share)
      const part = await besiege(role, start + done, Math.min(seedsPerDatabase, share - done))
      mineable += part.mineable
      failures += part.failures
      changed += part.changed
      denied += part.denied
    }
    // Otherwise nothing was attacked, or nothing judged.
    expect(changed).toBeGreaterThan(5 * share)
    expect(mineable).toBeGreaterThan(2 * share)
    expect(failures).toBeLessThanOrEqual(share / 20)
    expect(denied > 0).toBe(role === 'service')
  },
)
