import { describeGate } from '../conformance.ts'
import { scriptedSolanaHarness } from './harness.ts'

const wallet = 'mvines9iiHiQTysrwkJjGf2gb9Ex9jXJX8ns3qwf2kN'

describeGate(
  'solana on a scripted node, as far as it reads',
  {
    currencies: ['SOL', 'USDC'],
    // Nodes send lamports as JSON numbers.
    largeUnits: null,
    derivesAddresses: false,
    tagged: false,
    // What one transaction pays to one address is one transfer.
    severalTransfers: false,
    replaces: false,
    plainIndexes: false,
    spends: null,
    drops: true,
    reorganisations: ['same_height', 'next_height', 'mempool'],
    written: { units: 1_500_000_001n, as: '1.500000001' },
    destinations: {
      good: [{ text: wallet, tag: null, reads: { address: wallet, tag: null } }],
      bad: [{ text: wallet.slice(0, -1), tag: null, because: 'too short' }],
    },
  },
  () => scriptedSolanaHarness(wallet),
)
