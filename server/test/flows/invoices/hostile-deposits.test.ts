import { expect, it } from 'vitest'
import { openDepositSiege } from '../../hostile/deposit-siege.ts'
import { tellProgress } from '../../hostile/progress.ts'
import type { Role } from '../../hostile/rows.ts'

const seeds = Number(process.env.SLUICE_HOSTILE_SEEDS ?? 50)
const first = Number(process.env.SLUICE_HOSTILE_FIRST ?? 1)
/** After this many cases the database is replaced: the rows that they deleted slow it down. */
const seedsPerDatabase = 250

async function besiege(role: Role, from: number, count: number) {
  const siege = await openDepositSiege(role)
  let [alarmed, failures] = [0, 0]
  try {
    // Without an attack nothing is wrong, so that an alarm means something.
    const calm = await siege.run(from, { attacks: 0, audits: true })
    expect(calm).toMatchObject({ problems: [], alarmed: 0, failures: [], differences: [] })
    for (let seed = from; seed < from + count; seed++) {
      const outcome = await siege.run(seed)
      expect(outcome.problems, `seed ${seed} as ${role}, which did: ${outcome.done.join(', ')}`).toEqual([])
      alarmed += outcome.alarmed
      failures += outcome.failures.length
    }
    return { ...siege.counts(), alarmed, failures }
  } finally {
    await siege.close()
  }
}

it.each<Role>(['superuser', 'service'])(
  'after any change by the %s to the database, a credit without a deposit to an address of ours raises an alarm',
  async (role) => {
    const share = Math.ceil(seeds / 2)
    const start = role === 'superuser' ? first : first + share
    let [alarmed, failures, changed] = [0, 0, 0]
    for (let done = 0; done < share; done += seedsPerDatabase) {
      tellProgress(`hostile deposits as ${role}`, done, share)
      const part = await besiege(role, start + done, Math.min(seedsPerDatabase, share - done))
      alarmed += part.alarmed
      failures += part.failures
      changed += part.changed
    }
    // Otherwise nothing was attacked, or the service did nothing.
    expect(changed).toBeGreaterThan(2 * share)
    expect(alarmed).toBeGreaterThan(share / 10)
    expect(failures).toBeLessThanOrEqual(share / 5)
  },
)
