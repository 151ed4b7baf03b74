import { testAssets } from '../../../src/simulator/gate/test-assets.ts'
import { describeGate } from '../../gates/conformance.ts'
import type { GateTraits } from '../../gates/harness.ts'
import { currencies, networks } from '../../support/shop/registry.ts'
import { simulatedHarness } from '../gate/harness.ts'
import { publicKeys } from '../gate/keys.ts'

const everything = {
  largeUnits: 2n ** 70n + 1n,
  derivesAddresses: true,
  tagged: false,
  severalTransfers: true,
  replaces: true,
  plainIndexes: true,
  spends: 'account',
  drops: true,
  reorganisations: ['same_height', 'next_height', 'mempool'],
} satisfies Partial<GateTraits>

/** A token's simulated contract: a well-formed address without an owner. */
const contractOf = (network: string, code: string): string => {
  const found = networks
    .filter(({ id }) => id === network)
    .flatMap((known) => testAssets(currencies, known))
    .find(({ currency }) => currency === code)
  if (!found?.contractAddress) throw new Error(`${code} is not a token on ${network}.`)
  return found.contractAddress
}

const read = (address: string, tag: string | null = null, text = address) => ({
  text,
  tag,
  reads: { address, tag },
})
const refuse = (text: string, because: string, tag: string | null = null) => ({ text, tag, because })

const segwit = 'tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx'
describeGate(
  'simulated bitcoin',
  {
    ...everything,
    spends: 'coins',
    // Amounts have 64 bits.
    largeUnits: 2n ** 62n + 1n,
    currencies: ['BTC'],
    written: { units: 123_456_789n, as: '1.23456789' },
    destinations: {
      good: [
        read(segwit),
        read(segwit, null, segwit.toUpperCase()),
        read('tb1qrp33g0q5c5txsp9arysrx4k6zdkfs4nce4xj0gdcccefvpysxf3q0sl5k7'),
        read('mipcBbFg9gMiCh81Kj8tqqdgoZub1ZJRfn'),
        read('2MzQwSSnBHWHqSAqtTVQ6v47XtaisrJa1Vc'),
      ],
      bad: [
        refuse('', 'nothing'),
        refuse('bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4', 'of the live network'),
        refuse('1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2', 'of the live network'),
        refuse('tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsy', 'bad checksum'),
        refuse('mipcBbFg9gMiCh81Kj8tqqdgoZub1ZJRfm', 'bad checksum'),
        refuse(segwit.replace('tb1q', 'tb1Q'), 'mixed case'),
        refuse(` ${segwit}`, 'a blank'),
        refuse(segwit, 'the network has no tags', '1'),
        refuse('0xde709f2102306220921060314715629080e2fb77', 'of another family'),
      ],
    },
  },
  () => simulatedHarness('bitcoin', { address: segwit, tag: null }),
)

const ether = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'
describeGate(
  'simulated ethereum',
  {
    ...everything,
    currencies: ['ETH', 'USDC'],
    written: { units: 2n ** 70n + 1n, as: '1180591620717411303425' },
    destinations: {
      good: [
        read(ether),
        read(ether, null, ether.toLowerCase()),
        read(ether, null, `0x${ether.slice(2).toUpperCase()}`),
      ],
      bad: [
        refuse('', 'nothing'),
        refuse(ether.slice(2), 'no prefix'),
        refuse(ether.replace('aA', 'AA'), 'bad checksum'),
        refuse(ether.slice(0, -1), 'too short'),
        refuse('0x0000000000000000000000000000000000000000', 'the zero address'),
        refuse(contractOf('ethereum', 'USDC'), 'a token’s contract'),
        refuse(contractOf('ethereum', 'USDT').toLowerCase(), 'a token’s contract'),
        refuse(ether, 'the network has no tags', '1'),
        refuse(segwit, 'of another family'),
      ],
    },
  },
  () => simulatedHarness('ethereum', { address: ether, tag: null }),
)

const wallet = 'mvines9iiHiQTysrwkJjGf2gb9Ex9jXJX8ns3qwf2kN'
describeGate(
  'simulated solana',
  {
    ...everything,
    spends: 'nonce_account',
    derivesAddresses: false,
    currencies: ['SOL', 'USDT'],
    written: { units: 1_500_000_001n, as: '1.500000001' },
    destinations: {
      good: [read(wallet)],
      bad: [
        refuse('', 'nothing'),
        refuse('11111111111111111111111111111111', 'the system program'),
        refuse(wallet.slice(0, -1), 'too short'),
        refuse(wallet.replace('m', '0'), 'no base58'),
        refuse(contractOf('solana', 'USDC'), 'a token’s mint'),
        refuse(wallet, 'a memo of two lines', 'two\nlines'),
        refuse(segwit, 'of another family'),
      ],
    },
  },
  () => simulatedHarness('solana', { address: wallet, tag: null }),
)

const account = 'rGWrZyQqhTp9Xu7G5Pkayo7bXjH4k4QYpf'
describeGate(
  'simulated xrp',
  {
    ...everything,
    tagged: true,
    currencies: ['XRP', 'RLUSD'],
    written: { units: 25_000_001n, as: '25.000001' },
    destinations: {
      good: [
        read(account, '0'),
        read(account, '4294967295'),
        // The same account and tag 1 as an X-address of the test network (XLS-5).
        read(account, '1', 'TVE26TYGhfLC7tQDno7G8dGtxSkYQnSz1uDimDdPYXzSpyw'),
      ],
      bad: [
        refuse('', 'nothing'),
        refuse(account, 'the tag is missing'),
        refuse(account, 'the tag is too large', '4294967296'),
        refuse(account, 'the tag is not a number', 'one'),
        refuse('XVLhHMPHU98es4dbozjVtdWzVrDjtV8xvjGQTYPiAx6gwDC', 'of the live network', '1'),
        refuse('rGWrZyQqhTp9Xu7G5Pkayo7bXjH4k4QYpg', 'bad checksum', '1'),
        refuse(publicKeys.xrp, 'our own account', '1'),
        refuse(contractOf('xrp', 'RLUSD').split('.')[1] ?? '', 'an issuer of ours', '1'),
        refuse('rrrrrrrrrrrrrrrrrrrrrhoLvTp', 'the zero account', '1'),
        refuse(segwit, 'of another family', '1'),
      ],
    },
  },
  () => simulatedHarness('xrp', { address: account, tag: '1' }),
)
