import { coins } from '../../support/nodes/coin-node.ts'
import { describeMainCoin } from '../../support/nodes/each-coin.ts'
import { describeGate } from '../conformance.ts'
import { nodeHarness, strangers } from './harness.ts'

const read = (address: string, text = address) => ({ text, tag: null, reads: { address, tag: null } })
const refuse = (text: string, because: string, tag: string | null = null) => ({ text, tag, because })

const publicTestChain = {
  bitcoin: 'tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx',
  litecoin: 'tltc1qw508d6qejxtdg4y5r3zarvary0c5xw7klfsuq0',
}

describeMainCoin((coin) => {
  const segwit = strangers[coin]
  const other = coin === 'bitcoin' ? 'litecoin' : 'bitcoin'
  describeGate(
    `${coin} in regtest`,
    {
      currencies: [coins[coin].currency],
      // That many coins will never exist.
      largeUnits: null,
      derivesAddresses: true,
      tagged: false,
      severalTransfers: true,
      replaces: true,
      plainIndexes: true,
      spends: 'coins',
      drops: true,
      reorganisations: ['same_height', 'next_height', 'mempool'],
      written: { units: 123_456_789n, as: '1.23456789' },
      destinations: {
        good: [read(segwit), read(segwit, segwit.toUpperCase()), read('mipcBbFg9gMiCh81Kj8tqqdgoZub1ZJRfn')],
        bad: [
          refuse('', 'nothing'),
          refuse(publicTestChain[coin], 'of the public test chain'),
          refuse(strangers[other], 'of another coin'),
          refuse(`${segwit.slice(0, -1)}q`, 'bad checksum'),
          refuse(segwit, 'the network has no tags', '1'),
        ],
      },
    },
    () => nodeHarness(coin),
  )
})
