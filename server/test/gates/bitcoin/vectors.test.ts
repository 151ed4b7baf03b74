import { bech32m, hex } from '@scure/base'
import { describe, expect, it } from 'vitest'
import { type Chain, chains, familyOf, nameOf } from './addresses.ts'

const family = Object.fromEntries(chains.map((chain) => [nameOf(chain), familyOf(chain)]))

const parse = (name: string, address: string) =>
  family[name]?.parseDestination(address, null)?.address ?? null
const everywhere = (address: string) => chains.map(nameOf).filter((name) => parse(name, address) !== null)

describe('deposit addresses', () => {
  it('are those of BIP-84 for its mnemonic', () => {
    expect(family['bitcoin main']?.depositAddress(0)?.address).toBe(
      'bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu',
    )
    expect(family['bitcoin main']?.depositAddress(1)?.address).toBe(
      'bc1qnjg0jd8228aq7egyzacy8cys3knf9xvrerkf9g',
    )
  })

  it('are those that Litecoin wallets derive from the same mnemonic', () => {
    expect(family['litecoin main']?.depositAddress(0)?.address).toBe(
      'ltc1qjmxnz78nmc8nq77wuxh25n2es7rzm5c2rkk4wh',
    )
    expect(family['litecoin main']?.depositAddress(1)?.address).toBe(
      'ltc1qwlezpr3890hcp6vva9twqh27mr6edadreqvhnn',
    )
    expect(family['litecoin test']?.depositAddress(0)?.address).toBe(
      'tltc1q6rz28mcfaxtmd6v789l9rrlrusdprr9pesrjxk',
    )
  })

  it('differ between test chains only by their prefix, because they share coin type 1', () => {
    const start = (chain: Chain) => familyOf(chain).depositAddress(0)?.address.split('1q')[0]
    expect(chains.map(start)).toEqual(['bc', 'tb', 'bcrt', 'ltc', 'tltc', 'rltc'])
    expect(family['bitcoin test']?.depositAddress(0)?.address).toBe(
      'tb1q6rz28mcfaxtmd6v789l9rrlrusdprr9pqcpvkl',
    )
  })
})

describe('BIP-173 and BIP-350', () => {
  it('every published address with a meaning today is accepted, and written in lower case', () => {
    const valid = [
      ['bitcoin main', 'BC1QW508D6QEJXTDG4Y5R3ZARVARY0C5XW7KV8F3T4'],
      ['bitcoin test', 'tb1qrp33g0q5c5txsp9arysrx4k6zdkfs4nce4xj0gdcccefvpysxf3q0sl5k7'],
      ['bitcoin test', 'tb1qqqqqp399et2xygdj5xreqhjjvcmzhxw4aywxecjdzew6hylgvsesrxh6hy'],
      ['bitcoin test', 'tb1pqqqqp399et2xygdj5xreqhjjvcmzhxw4aywxecjdzew6hylgvsesf3hn0c'],
      ['bitcoin main', 'bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqzk5jj0'],
    ] as const
    for (const [name, address] of valid) {
      expect(parse(name, address)).toBe(address.toLowerCase())
      expect(everywhere(address)).toEqual([name])
    }
  })

  it.each([
    ['version 1 with 40 bytes', 'bc1pw508d6qejxtdg4y5r3zarvary0c5xw7kw508d6qejxtdg4y5r3zarvary0c5xw7kt5nd6y'],
    ['version 1 with 2 bytes, pay-to-anchor', 'bc1pfeessrawgf'],
    ['version 16', 'BC1SW50QGDZ25J'],
    ['version 2', 'bc1zw508d6qejxtdg4y5r3zarvaryvaxxpcs'],
  ])('valid, but refused because funds sent there may be lost: %s', (_why, address) => {
    expect(everywhere(address)).toEqual([])
  })

  it.each([
    // BIP-350
    ['human-readable part', 'tc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vq5zuyut'],
    ['bech32 instead of bech32m', 'bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqh2y7hd'],
    ['bech32 instead of bech32m', 'tb1z0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqglt7rf'],
    ['bech32 instead of bech32m', 'BC1S0XLXVLHEMJA6C4DQV22UAPCTQUPFHLXM9H8Z3K2E72Q4K9HCZ7VQ54WELL'],
    ['bech32m instead of bech32', 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kemeawh'],
    ['bech32m instead of bech32', 'tb1q0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vq24jc47'],
    ['character in checksum', 'bc1p38j9r5y49hruaue7wxjce0updqjuyyx0kh56v8s25huc6995vvpql3jow4'],
    ['witness version', 'BC130XLXVLHEMJA6C4DQV22UAPCTQUPFHLXM9H8Z3K2E72Q4K9HCZ7VQ7ZWS8R'],
    ['1 byte', 'bc1pw5dgrnzv'],
    ['41 bytes', 'bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7v8n0nx0muaewav253zgeav'],
    ['length for version 0', 'BC1QR508D6QEJXTDG4Y5R3ZARVARYV98GJ9P'],
    ['mixed case', 'tb1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vq47Zagq'],
    ['padding of a whole character', 'bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7v07qwwzcrf'],
    ['padding that is not zero', 'tb1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vpggkg4j'],
    ['empty data', 'bc1gmk9yu'],
    // BIP-173, with those that BIP-350 made invalid
    ['human-readable part', 'tc1qw508d6qejxtdg4y5r3zarvary0c5xw7kg3g4ty'],
    ['checksum', 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t5'],
    ['witness version', 'BC13W508D6QEJXTDG4Y5R3ZARVARY0C5XW7KN40WF2'],
    ['program length', 'bc1rw5uspcuh'],
    ['program length', 'bc10w508d6qejxtdg4y5r3zarvary0c5xw7kw508d6qejxtdg4y5r3zarvary0c5xw7kw5rljs90'],
    ['mixed case', 'tb1qrp33g0q5c5txsp9arysrx4k6zdkfs4nce4xj0gdcccefvpysxf3q0sL5k7'],
    ['padding of a whole character', 'bc1zw508d6qejxtdg4y5r3zarvaryvqyzf3du'],
    ['padding that is not zero', 'tb1qrp33g0q5c5txsp9arysrx4k6zdkfs4nce4xj0gdcccefvpysxf3pjxtptv'],
    ['superseded', 'bc1pw508d6qejxtdg4y5r3zarvary0c5xw7kw508d6qejxtdg4y5r3zarvary0c5xw7k7grplx'],
    ['superseded', 'BC1SW50QA3JX3S'],
    ['superseded', 'bc1zw508d6qejxtdg4y5r3zarvaryvg6kdaj'],
  ])('published as invalid, and refused: %s, %s', (_why, address) => {
    expect(everywhere(address)).toEqual([])
  })

  it('a taproot output that no key can spend is refused (BIP-341)', () => {
    // No point of the curve has x = 5; the second is the field's prime plus 1: too large, although 1 is a valid x.
    for (const x of ['5'.padStart(64, '0'), `${'f'.repeat(55)}efffffc30`]) {
      const words = [1, ...bech32m.toWords(hex.decode(x))]
      expect(parse('bitcoin main', bech32m.encode('bc', words))).toBeNull()
    }
  })
})

describe('base58 addresses', () => {
  it.each([
    ['P2PKH of the genesis block', '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa', ['bitcoin main']],
    ['P2PKH of a hash of zeros, the shortest', '1111111111111111111114oLvT2', ['bitcoin main']],
    ['P2SH', '3J98t1WpEZ73CNmQviecrnyiWrnqRhWNLy', ['bitcoin main']],
    ['Litecoin P2PKH', 'LTVdcw8fdTTK4TcebTZ4jiiCbvTXaRxZNh', ['litecoin main']],
    ['Litecoin P2SH', 'MUi6eFEWq7Sj3XaWUzJTDvSFTpaSdDR3fq', ['litecoin main']],
  ])('%s is accepted on its own chain only', (_what, address, taken) => {
    expect(everywhere(address)).toEqual(taken)
    expect(everywhere(address.slice(0, -1))).toEqual([])
    expect(everywhere(` ${address}`)).toEqual([])
    expect(everywhere(`${address}\n`)).toEqual([])
  })

  it("Litecoin's private MWEB addresses are refused", () => {
    const mweb =
      'ltcmweb1qq20e2arnhvxw97katjkmsd35agw3capxjkrkh7dk8d30rczm8ypxuq329nwh2twmchhqn3jqh7ua4ps539f6aazh79jy76urqht4qa59ts3at6gf'
    expect(everywhere(mweb)).toEqual([])
  })
})
