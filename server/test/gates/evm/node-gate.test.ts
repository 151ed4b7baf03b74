import { describeGate } from '../conformance.ts'
import { anvilHarness } from './harness.ts'
import { anvilTraits, ether } from './traits.ts'

describeGate('ethereum on an anvil', { ...anvilTraits, currencies: ['ETH', 'USDT'] }, () =>
  anvilHarness(ether),
)
