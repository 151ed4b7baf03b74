import { describeGate } from '../conformance.ts'
import { anvilHarness } from './harness.ts'
import { anvilTraits, ether } from './traits.ts'

describeGate('a token on an anvil', { ...anvilTraits, currencies: ['USDT'] }, () => anvilHarness(ether))
