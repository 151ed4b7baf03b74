import { isEveryNode } from '../../support/nodes/each-coin.ts'
import { currenciesWithOrbit, orbit } from '../../support/nodes/made-up-chain.ts'
import { describeGate } from '../conformance.ts'
import { anvilHarness } from './harness.ts'
import { anvilTraits, ether } from './traits.ts'

const onOrbit = () =>
  anvilHarness(ether, {
    on: { network: orbit, chainId: orbit.test.chainId, registry: currenciesWithOrbit },
  })

// Each test of a gate pays in the first currency: a token here, and the chain's own coin on Ethereum (`node-gate.test.ts`).
describeGate(
  'a token on a made-up chain on an anvil',
  { ...anvilTraits, currencies: ['USDT', 'ORB'] },
  onOrbit,
)
if (isEveryNode)
  describeGate('a made-up chain on an anvil', { ...anvilTraits, currencies: ['ORB', 'USDT'] }, onOrbit)
