import { describe, expect, it } from 'vitest'
import { chooseColdCoins } from '../../src/domain/cold-coins.ts'
import { coldPostings, coldReversalPostings } from '../../src/domain/cold-postings.ts'
import { chooseMove, type HotHolding } from '../../src/domain/cold-wallets.ts'

const whole = 10n ** 18n
const policy = { capValue: 1_000_00n, keepValue: 400_00n, minorDigits: 2 }
const holding = (currency: string, units: bigint, claimedUnits = 0n, dollars = 1n): HotHolding => ({
  currency,
  units,
  claimedUnits,
  decimals: 2,
  rate: dollars * whole,
})

describe('what goes to the cold wallet', () => {
  it('nothing up to the cap; above it, everything above what is to stay', () => {
    expect(chooseMove([holding('USDT', 1_000_00n)], policy)).toBeNull()
    expect(chooseMove([holding('USDT', 1_000_01n)], policy)).toEqual({ currency: 'USDT', units: 600_01n })
  })

  it('the cap is over all currencies of the network, and the largest that nothing claims goes first', () => {
    const both = [holding('USDT', 600_00n), holding('ETH', 50n, 0n, 3_000n)]
    expect(chooseMove(both, policy)).toEqual({ currency: 'ETH', units: 50n })
    const claimed = [holding('USDT', 600_00n), holding('ETH', 50n, 40n, 3_000n)]
    expect(chooseMove(claimed, policy)).toEqual({ currency: 'USDT', units: 600_00n })
  })

  it('never what payouts or gas claim', () => {
    expect(chooseMove([holding('USDT', 5_000_00n, 4_900_00n)], policy)).toEqual({
      currency: 'USDT',
      units: 100_00n,
    })
    expect(chooseMove([holding('USDT', 5_000_00n, 5_000_00n)], policy)).toBeNull()
    expect(chooseMove([holding('USDT', 5_000_00n, 9_000_00n)], policy)).toBeNull()
  })
})

describe('the coins of a move', () => {
  const costs = {
    feeRate: 1n,
    sizeOf: (inputs: number) => BigInt(50 + 70 * inputs),
    dustUnits: 300n,
    maxInputs: 3,
  }
  const coins = (...units: number[]) => units.map((each) => ({ units: BigInt(each) }))

  it('add up, and the change pays for a higher fee', () => {
    const choice = chooseColdCoins(coins(20_000, 90_000, 50_000), 100_000n, 0n, costs)
    expect(choice).toEqual({
      inputs: coins(90_000, 50_000),
      coldUnits: 100_000n,
      feeUnits: 190n,
      changeUnits: 39_810n,
    })
  })

  it('leave the smallest coin that is enough for waiting payouts, or the largest ones', () => {
    const left = (waiting: bigint) =>
      chooseColdCoins(coins(20_000, 90_000, 50_000), 1_000_000n, waiting, costs)?.inputs ?? []
    expect(left(19_000n)).toEqual(coins(90_000, 50_000))
    expect(left(40_000n)).toEqual(coins(90_000, 20_000))
    expect(left(100_000n)).toEqual(coins(20_000))
    expect(left(159_000n)).toEqual([])
  })

  it('are as many as a transaction may spend, and never all of them to the last unit', () => {
    const choice = chooseColdCoins(coins(10_000, 10_000, 10_000, 10_000), 40_000n, 0n, costs)
    expect(choice?.inputs).toHaveLength(3)
    expect(choice?.changeUnits).toBe(300n + 4n * 260n)
    expect((choice?.coldUnits ?? 0n) + (choice?.changeUnits ?? 0n) + (choice?.feeUnits ?? 0n)).toBe(30_000n)
    expect(chooseColdCoins(coins(400), 1_000n, 0n, costs)).toBeNull()
    expect(chooseColdCoins([], 1_000n, 0n, costs)).toBeNull()
  })
})

it('a move and its reversal sum to zero, and touch no account of a merchant', () => {
  const asset = { environment: 'test', network: 'bitcoin', currency: 'BTC', decimals: 8 } as const
  const booked = [coldPostings(asset, 's', 5n), coldReversalPostings(asset, 's', 5n)]
  for (const { postings } of booked) {
    expect(postings.reduce((sum, { units }) => sum + units, 0n)).toBe(0n)
    expect(postings.map(({ account }) => account.kind)).toEqual(['chain', 'cold'])
    expect(postings.every(({ account }) => account.merchantId === null)).toBe(true)
  }
  const left = (kind: string) =>
    booked
      .flatMap(({ postings }) => postings)
      .filter(({ account }) => account.kind === kind)
      .reduce((sum, { units }) => sum + units, 0n)
  expect([left('chain'), left('cold')]).toEqual([0n, 0n])
})
