import type { GateTraits } from '../harness.ts'

export const ether = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'
const read = (address: string, text = address) => ({ text, tag: null, reads: { address, tag: null } })
const refuse = (text: string, because: string, tag: string | null = null) => ({ text, tag, because })

/** The known traits of the gate on an anvil. */
export const anvilTraits: Omit<GateTraits, 'currencies'> = {
  largeUnits: 2n ** 60n + 1n,
  derivesAddresses: true,
  tagged: false,
  // A contract can make several transfers, but they are not known before they are mined.
  severalTransfers: false,
  replaces: true,
  plainIndexes: true,
  spends: 'account',
  drops: true,
  reorganisations: ['same_height', 'next_height', 'mempool'],
  written: { units: 2n ** 70n + 1n, as: '1180591620717411303425' },
  destinations: {
    good: [read(ether), read(ether, ether.toLowerCase()), read(ether, `0x${ether.slice(2).toUpperCase()}`)],
    bad: [
      refuse('', 'nothing'),
      refuse(ether.replace('aA', 'AA'), 'bad checksum'),
      refuse('0x0000000000000000000000000000000000000000', 'the zero address'),
      // The second contract that the first of anvil's accounts deploys.
      refuse('0xe7f1725E7734CE288F8367e1Bb143E90bb3F0512', 'a token’s contract'),
      refuse(ether, 'the network has no tags', '1'),
    ],
  },
}
