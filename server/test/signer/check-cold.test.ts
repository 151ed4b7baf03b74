import { expect, it } from 'vitest'
import type { CoinPlan } from '../../src/domain/spends.ts'
import { coldObjection } from '../../src/signer/check-cold.ts'
import { liveThief } from '../hostile/forgeries.ts'
import { liveWallet as wallet } from '../support/people/passkey-desk.ts'

const cold = 'bc1qrp33g0q5c5txsp9arysrx4k6zdkfs4nce4xj0gdcccefvpysxf3qccfmv3'
const key = { chain: 'own', index: 0 } as const
const change = { address: wallet.addressAt('bitcoin', key) ?? '', units: 500n, payoutId: null }
const moved = { address: cold, units: 400n, payoutId: null }
const plan: CoinPlan = {
  kind: 'coins',
  inputs: [{ txHash: '11'.repeat(32), outputIndex: 0, units: 1_000n, key }],
  outputs: [change, moved],
  change: { outputIndex: 0, index: 0 },
  cold: { outputIndex: 1, index: null },
  feeUnits: 100n,
}

const objectionTo = (outputs: CoinPlan['outputs']) =>
  coldObjection(wallet, wallet.network('bitcoin'), { coldUses: () => [] }, { ...plan, outputs }, [cold])

it('a move pays the cold wallet and our own change', () => {
  expect(objectionTo(plan.outputs)).toBeNull()
})

// Without a payout's id, the code that signs refuses such an output as well (`gates/bitcoin/sign.ts`). With one it does not.
it.each([
  ['an output to another address', null],
  ['an output for a payout', '018f4a3e-5c1b-7d2a-9e6f-0123456789ab'],
])('a move with %s is refused', (_, payoutId) => {
  const less = { ...change, units: 400n }
  const stolen = { address: liveThief.coins, units: 100n, payoutId }
  expect(objectionTo([less, moved, stolen])).toMatch(/pays more than the cold wallet and our own change/)
})

it('a move whose change goes to another address is refused', () => {
  expect(objectionTo([{ ...change, address: liveThief.coins }, moved])).toMatch(/pays more than/)
})
