import { describeGate } from '../conformance.ts'
import { litecoindHarness } from './harness.ts'

const segwit = 'rltc1qw508d6qejxtdg4y5r3zarvary0c5xw7k693xs3'
const read = (address: string, text = address) => ({ text, tag: null, reads: { address, tag: null } })
const refuse = (text: string, because: string, tag: string | null = null) => ({ text, tag, because })

describeGate(
  'litecoin on a litecoind in regtest',
  {
    currencies: ['LTC'],
    // There will never be so many litecoins.
    largeUnits: null,
    derivesAddresses: true,
    tagged: false,
    severalTransfers: true,
    replaces: true,
    spends: 'coins',
    drops: true,
    reorganisations: ['same_height', 'next_height', 'mempool'],
    written: { units: 123_456_789n, as: '1.23456789' },
    destinations: {
      good: [read(segwit), read(segwit, segwit.toUpperCase()), read('mipcBbFg9gMiCh81Kj8tqqdgoZub1ZJRfn')],
      bad: [
        refuse('', 'nothing'),
        refuse('tltc1qw508d6qejxtdg4y5r3zarvary0c5xw7klfsuq0', 'of the public test chain'),
        refuse('bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080', 'of another coin'),
        refuse(`${segwit.slice(0, -1)}q`, 'bad checksum'),
        refuse(segwit, 'there are no tags', '1'),
      ],
    },
  },
  () => litecoindHarness(segwit),
)
