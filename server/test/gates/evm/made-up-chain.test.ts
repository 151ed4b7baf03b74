import { currenciesWithOrbit, orbit } from '../../support/nodes/made-up-chain.ts'
import { describeGate } from '../conformance.ts'
import { anvilHarness } from './harness.ts'
import { anvilTraits, ether } from './traits.ts'

describeGate('a made-up chain on an anvil', { ...anvilTraits, currencies: ['ORB', 'USDT'] }, () =>
  anvilHarness(ether, {
    on: { network: orbit, chainId: orbit.test.chainId, registry: currenciesWithOrbit },
  }),
)
