import { afterAll, beforeAll } from 'vitest'
import { describeOnSolana } from '../../support/nodes/solana-node.ts'
import type { GateHarness } from '../harness.ts'
import { describeSending } from '../sending.ts'
import { validatorHarness } from './validator-harness.ts'

describeOnSolana(() => {
  let harness: GateHarness
  beforeAll(async () => {
    harness = await validatorHarness()
  })
  afterAll(() => harness?.close())

  describeSending(
    {
      tagged: false,
      spends: 'nonce_account',
      runsByItself: true,
      // The node never forks. `node-fate-faults.test.ts` does that on scripted nodes.
      drops: false,
      reorganisations: [],
    },
    () => harness,
  )
})
