import { isEveryNode } from '../../support/nodes/each-coin.ts'
import { describeGate } from '../conformance.ts'
import { anvilHarness } from './harness.ts'
import { anvilTraits, ether } from './traits.ts'

describeGate('ethereum on an anvil', { ...anvilTraits, currencies: ['ETH', 'USDT'] }, () =>
  anvilHarness(ether),
)
// Every day a token is the first currency on another chain (`made-up-chain.test.ts`).
if (isEveryNode)
  describeGate('a token on an anvil', { ...anvilTraits, currencies: ['USDT'] }, () => anvilHarness(ether))
