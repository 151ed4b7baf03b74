import { expect, it } from 'vitest'
import { openSiege } from '../../hostile/siege.ts'
import { limitsOf } from '../../support/signer/signer-limits.ts'

const seeds = Number(process.env.SLUICE_HOSTILE_SEEDS ?? 200)
const first = Number(process.env.SLUICE_HOSTILE_FIRST ?? 1)
/** A database that was changed by this many seeds is replaced: too little of it still makes sense. */
const seedsPerDatabase = 10

const limits = {
  ...limitsOf([
    { network: 'bitcoin', currency: 'BTC', per_day: '0.002' },
    { network: 'ethereum', currency: 'ETH', per_day: '0.005' },
    { network: 'ethereum', currency: 'USDT', per_day: '0.1' },
  ]),
  areRequired: true,
}

it(`whatever is done to the database, in ${seeds} seeds, only approved payouts leave, once, and fees stay within limits`, async () => {
  let [signed, changed] = [0, 0]
  for (let from = first; from < first + seeds; from += seedsPerDatabase) {
    const siege = await openSiege(limits)
    try {
      for (let seed = from; seed < Math.min(from + seedsPerDatabase, first + seeds); seed++) {
        const done = await siege.run(seed)
        expect(siege.judge.conclude(), `seeds ${from} to ${seed}, which did: ${done.join(', ')}`).toEqual([])
      }
      signed += siege.judge.count()
      changed += siege.adversary.changes()
    } finally {
      await siege.close()
    }
  }
  // Otherwise nothing was attacked, or nothing judged.
  expect(changed).toBeGreaterThan(5 * seeds)
  expect(signed).toBeGreaterThan(seeds / 2)
})
