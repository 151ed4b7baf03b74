import { publicKeys } from '../../simulator/gate/keys.ts'
import { describeGate } from '../conformance.ts'
import { issuer, stranger, xrpHarness } from './harness.ts'

describeGate(
  'the XRP Ledger on a server of our own',
  {
    currencies: ['XRP', 'RLUSD'],
    largeUnits: 2n ** 54n + 1n,
    derivesAddresses: true,
    tagged: true,
    severalTransfers: false,
    replaces: false,
    plainIndexes: false,
    spends: 'account',
    // Validated ledgers are final.
    drops: false,
    reorganisations: [],
    written: { units: 25_000_001n, as: '25.000001' },
    destinations: {
      good: [{ text: stranger, tag: '7', reads: { address: stranger, tag: '7' } }],
      bad: [
        { text: stranger, tag: null, because: 'the tag is missing' },
        { text: publicKeys.xrp, tag: '7', because: 'our own account' },
        { text: issuer.address, tag: '7', because: 'it issues one of our currencies' },
      ],
    },
  },
  xrpHarness,
)
