import { randomBytes, randomInt } from 'node:crypto'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { hex } from '@scure/base'
import { HDKey } from '@scure/bip32'
import { describe, expect, it } from 'vitest'
import { bitcoin } from '../../../src/domain/networks/bitcoin.ts'
import { litecoin } from '../../../src/domain/networks/litecoin.ts'
import { bitcoinAccountKey } from '../../../src/gates/bitcoin/account-key.ts'
import {
  childPublicKey,
  maxChildIndex,
  productByOpenSsl,
  productByTable,
  publicKeysBelow,
  readAccountKey,
  writeAccountKey,
} from '../../../src/gates/extended-key.ts'
import { seed } from './addresses.ts'

// BIP-32, test vectors 1 to 4: the seed, then each chain's path and extended public key.
const bip32Vectors = [
  {
    seed: '000102030405060708090a0b0c0d0e0f',
    keys: [
      [
        'm',
        'xpub661MyMwAqRbcFtXgS5sYJABqqG9YLmC4Q1Rdap9gSE8NqtwybGhePY2gZ29ESFjqJoCu1Rupje8YtGqsefD265TMg7usUDFdp6W1EGMcet8',
      ],
      [
        "m/0'",
        'xpub68Gmy5EdvgibQVfPdqkBBCHxA5htiqg55crXYuXoQRKfDBFA1WEjWgP6LHhwBZeNK1VTsfTFUHCdrfp1bgwQ9xv5ski8PX9rL2dZXvgGDnw',
      ],
      [
        "m/0'/1",
        'xpub6ASuArnXKPbfEwhqN6e3mwBcDTgzisQN1wXN9BJcM47sSikHjJf3UFHKkNAWbWMiGj7Wf5uMash7SyYq527Hqck2AxYysAA7xmALppuCkwQ',
      ],
      [
        "m/0'/1/2'",
        'xpub6D4BDPcP2GT577Vvch3R8wDkScZWzQzMMUm3PWbmWvVJrZwQY4VUNgqFJPMM3No2dFDFGTsxxpG5uJh7n7epu4trkrX7x7DogT5Uv6fcLW5',
      ],
      [
        "m/0'/1/2'/2",
        'xpub6FHa3pjLCk84BayeJxFW2SP4XRrFd1JYnxeLeU8EqN3vDfZmbqBqaGJAyiLjTAwm6ZLRQUMv1ZACTj37sR62cfN7fe5JnJ7dh8zL4fiyLHV',
      ],
      [
        "m/0'/1/2'/2/1000000000",
        'xpub6H1LXWLaKsWFhvm6RVpEL9P4KfRZSW7abD2ttkWP3SSQvnyA8FSVqNTEcYFgJS2UaFcxupHiYkro49S8yGasTvXEYBVPamhGW6cFJodrTHy',
      ],
    ],
  },
  {
    seed: 'fffcf9f6f3f0edeae7e4e1dedbd8d5d2cfccc9c6c3c0bdbab7b4b1aeaba8a5a29f9c999693908d8a8784817e7b7875726f6c696663605d5a5754514e4b484542',
    keys: [
      [
        'm',
        'xpub661MyMwAqRbcFW31YEwpkMuc5THy2PSt5bDMsktWQcFF8syAmRUapSCGu8ED9W6oDMSgv6Zz8idoc4a6mr8BDzTJY47LJhkJ8UB7WEGuduB',
      ],
      [
        'm/0',
        'xpub69H7F5d8KSRgmmdJg2KhpAK8SR3DjMwAdkxj3ZuxV27CprR9LgpeyGmXUbC6wb7ERfvrnKZjXoUmmDznezpbZb7ap6r1D3tgFxHmwMkQTPH',
      ],
      [
        "m/0/2147483647'",
        'xpub6ASAVgeehLbnwdqV6UKMHVzgqAG8Gr6riv3Fxxpj8ksbH9ebxaEyBLZ85ySDhKiLDBrQSARLq1uNRts8RuJiHjaDMBU4Zn9h8LZNnBC5y4a',
      ],
      [
        "m/0/2147483647'/1",
        'xpub6DF8uhdarytz3FWdA8TvFSvvAh8dP3283MY7p2V4SeE2wyWmG5mg5EwVvmdMVCQcoNJxGoWaU9DCWh89LojfZ537wTfunKau47EL2dhHKon',
      ],
      [
        "m/0/2147483647'/1/2147483646'",
        'xpub6ERApfZwUNrhLCkDtcHTcxd75RbzS1ed54G1LkBUHQVHQKqhMkhgbmJbZRkrgZw4koxb5JaHWkY4ALHY2grBGRjaDMzQLcgJvLJuZZvRcEL',
      ],
      [
        "m/0/2147483647'/1/2147483646'/2",
        'xpub6FnCn6nSzZAw5Tw7cgR9bi15UV96gLZhjDstkXXxvCLsUXBGXPdSnLFbdpq8p9HmGsApME5hQTZ3emM2rnY5agb9rXpVGyy3bdW6EEgAtqt',
      ],
    ],
  },
  {
    // Keeps leading zeros.
    seed: '4b381541583be4423346c643850da4b320e46a87ae3d2a4e6da11eba819cd4acba45d239319ac14f863b8d5ab5a0d0c64d2e8a1e7d1457df2e5a3c51c73235be',
    keys: [
      [
        'm',
        'xpub661MyMwAqRbcEZVB4dScxMAdx6d4nFc9nvyvH3v4gJL378CSRZiYmhRoP7mBy6gSPSCYk6SzXPTf3ND1cZAceL7SfJ1Z3GC8vBgp2epUt13',
      ],
      [
        "m/0'",
        'xpub68NZiKmJWnxxS6aaHmn81bvJeTESw724CRDs6HbuccFQN9Ku14VQrADWgqbhhTHBaohPX4CjNLf9fq9MYo6oDaPPLPxSb7gwQN3ih19Zm4Y',
      ],
    ],
  },
  {
    // Keeps leading zeros too.
    seed: '3ddd5602285899a946114506157c7997e5444528f3003f6134712147db19b678',
    keys: [
      [
        'm',
        'xpub661MyMwAqRbcGczjuMoRm6dXaLDEhW1u34gKenbeYqAix21mdUKJyuyu5F1rzYGVxyL6tmgBUAEPrEz92mBXjByMRiJdba9wpnN37RLLAXa',
      ],
      [
        "m/0'",
        'xpub69AUMk3qDBi3uW1sXgjCmVjJ2G6WQoYSnNHyzkmdCHEhSZ4tBok37xfFEqHd2AddP56Tqp4o56AePAgCjYdvpW2PU2jbUPFKsav5ut6Ch1m',
      ],
      [
        "m/0'/1'",
        'xpub6BJA1jSqiukeaesWfxe6sNK9CCGaujFFSJLomWHprUL9DePQ4JDkM5d88n49sMGJxrhpjazuXYWdMf17C9T5XnxkopaeS7jGk1GyyVziaMt',
      ],
    ],
  },
] as const

// BIP-32, test vector 5.
const bip32Invalid = [
  [
    'public version, private key',
    'xpub661MyMwAqRbcEYS8w7XLSVeEsBXy79zSzH1J8vCdxAZningWLdN3zgtU6LBpB85b3D2yc8sfvZU521AAwdZafEz7mnzBBsz4wKY5fTtTQBm',
  ],
  [
    'private version, public key',
    'xprv9s21ZrQH143K24Mfq5zL5MhWK9hUhhGbd45hLXo2Pq2oqzMMo63oStZzFGTQQD3dC4H2D5GBj7vWvSQaaBv5cxi9gafk7NF3pnBju6dwKvH',
  ],
  [
    'public key with prefix 04',
    'xpub661MyMwAqRbcEYS8w7XLSVeEsBXy79zSzH1J8vCdxAZningWLdN3zgtU6Txnt3siSujt9RCVYsx4qHZGc62TG4McvMGcAUjeuwZdduYEvFn',
  ],
  [
    'private key with prefix 04',
    'xprv9s21ZrQH143K24Mfq5zL5MhWK9hUhhGbd45hLXo2Pq2oqzMMo63oStZzFGpWnsj83BHtEy5Zt8CcDr1UiRXuWCmTQLxEK9vbz5gPstX92JQ',
  ],
  [
    'public key with prefix 01',
    'xpub661MyMwAqRbcEYS8w7XLSVeEsBXy79zSzH1J8vCdxAZningWLdN3zgtU6N8ZMMXctdiCjxTNq964yKkwrkBJJwpzZS4HS2fxvyYUA4q2Xe4',
  ],
  [
    'private key with prefix 01',
    'xprv9s21ZrQH143K24Mfq5zL5MhWK9hUhhGbd45hLXo2Pq2oqzMMo63oStZzFAzHGBP2UuGCqWLTAPLcMtD9y5gkZ6Eq3Rjuahrv17fEQ3Qen6J',
  ],
  [
    'depth 0 with a parent, private',
    'xprv9s2SPatNQ9Vc6GTbVMFPFo7jsaZySyzk7L8n2uqKXJen3KUmvQNTuLh3fhZMBoG3G4ZW1N2kZuHEPY53qmbZzCHshoQnNf4GvELZfqTUrcv',
  ],
  [
    'depth 0 with a parent, public',
    'xpub661no6RGEX3uJkY4bNnPcw4URcQTrSibUZ4NqJEw5eBkv7ovTwgiT91XX27VbEXGENhYRCf7hyEbWrR3FewATdCEebj6znwMfQkhRYHRLpJ',
  ],
  [
    'depth 0 with an index, private',
    'xprv9s21ZrQH4r4TsiLvyLXqM9P7k1K3EYhA1kkD6xuquB5i39AU8KF42acDyL3qsDbU9NmZn6MsGSUYZEsuoePmjzsB3eFKSUEh3Gu1N3cqVUN',
  ],
  [
    'depth 0 with an index, public',
    'xpub661MyMwAuDcm6CRQ5N4qiHKrJ39Xe1R1NyfouMKTTWcguwVcfrZJaNvhpebzGerh7gucBvzEQWRugZDuDXjNDRmXzSZe4c7mnTK97pTvGS8',
  ],
  [
    'unknown version, public',
    'DMwo58pR1QLEFihHiXPVykYB6fJmsTeHvyTp7hRThAtCX8CvYzgPcn8XnmdfHGMQzT7ayAmfo4z3gY5KfbrZWZ6St24UVf2Qgo6oujFktLHdHY4',
  ],
  [
    'unknown version, private',
    'DMwo58pR1QLEFihHiXPVykYB6fJmsTeHvyTp7hRThAtCX8CvYzgPcn8XnmdfHPmHJiEDXkTiJTVV9rHEBUem2mwVbbNfvT2MTcAqj3nesx8uBf9',
  ],
  [
    'private key 0',
    'xprv9s21ZrQH143K24Mfq5zL5MhWK9hUhhGbd45hLXo2Pq2oqzMMo63oStZzF93Y5wvzdUayhgkkFoicQZcP3y52uPPxFnfoLZB21Teqt1VvEHx',
  ],
  [
    'private key n',
    'xprv9s21ZrQH143K24Mfq5zL5MhWK9hUhhGbd45hLXo2Pq2oqzMMo63oStZzFAzHGBP2UuGCqWLTAPLcMtD5SDKr24z3aiUvKr9bJpdrcLg1y3G',
  ],
  [
    'public key that is not a point of the curve',
    'xpub661MyMwAqRbcEYS8w7XLSVeEsBXy79zSzH1J8vCdxAZningWLdN3zgtU6Q5JXayek4PRsn35jii4veMimro1xefsM58PgBMrvdYre8QyULY',
  ],
  [
    'checksum',
    'xprv9s21ZrQH143K3QTDL4LXw2F7HEK3wJUD2nW2nRk4stbPy6cq3jPPqjiChkVvvNKmPGJxWUtg6LnF5kejMRNNU3TGtRBeJgk33yuGBxrMPHL',
  ],
] as const

describe('BIP-32', () => {
  it('the published keys follow from the published seeds', () => {
    for (const vector of bip32Vectors)
      for (const [path, key] of vector.keys)
        expect(writeAccountKey(hex.decode(vector.seed), path, 'xpub')).toBe(key)
  })

  it('the public key alone derives the same child where a step is not hardened', () => {
    const steps = bip32Vectors.flatMap(({ keys }) =>
      keys.slice(1).map(([path, key], at) => ({ path, key, parent: keys[at]?.[1] ?? '' })),
    )
    const open = steps.filter(({ path }) => !path.endsWith("'"))
    expect(open).toHaveLength(6)
    for (const { path, key, parent } of open) {
      const index = Number(path.split('/').at(-1))
      const derived = childPublicKey(HDKey.fromExtendedKey(parent), index)
      expect(derived).toEqual(HDKey.fromExtendedKey(key).publicKey)
    }
  })

  it('the public key alone derives what the holder of the seed derives', () => {
    for (let round = 0; round < 8; round++) {
      const account = HDKey.fromMasterSeed(randomBytes(32)).derive("m/84'/0'/0'/0")
      const chain = HDKey.fromExtendedKey(account.publicExtendedKey)
      for (const index of [0, 1, randomInt(maxChildIndex), maxChildIndex])
        expect(childPublicKey(chain, index)).toEqual(account.deriveChild(index).publicKey)
    }
  })

  it('both ways to multiply agree, so that it does not matter how many keys were derived before', () => {
    const { ORDER } = secp256k1.Point.Fn
    const edges = [1n, 2n, ORDER - 1n].map((edge) => Buffer.from(edge.toString(16).padStart(64, '0'), 'hex'))
    // The first byte keeps it below the order.
    const random = Array.from({ length: 20 }, () => Buffer.concat([Buffer.of(0x7f), randomBytes(31)]))
    for (const factor of [...edges, ...random])
      expect(productByOpenSsl(factor)?.toHex()).toBe(productByTable(factor).toHex())
  })

  it.each(bip32Invalid)('a key published as invalid is rejected: %s', (_, key) => {
    expect(() => HDKey.fromExtendedKey(key)).toThrow()
    expect(() => readAccountKey(key, ['xpub', 'zpub'])).toThrow()
  })

  it('a key that is kept below an account is given again, and pushes no other out', () => {
    const account = HDKey.fromExtendedKey(bip32Vectors[0].keys[0][1])
    const keyOf = publicKeysBelow(account, 3)
    const deposit = (index: number) => keyOf({ chain: 'deposit', index })
    const first = deposit(0)
    const second = deposit(1)
    deposit(2)
    expect(deposit(0)).toBe(first)
    expect(deposit(1)).toBe(second)
    expect(deposit(3)).toEqual(childPublicKey(account.deriveChild(0), 3))
    expect(deposit(1)).toEqual(second)
  })

  it('no child is derived from an index that a public key cannot reach', () => {
    const key = HDKey.fromExtendedKey(bip32Vectors[0].keys[0][1])
    expect(childPublicKey(key, maxChildIndex)).toHaveLength(33)
    for (const index of [-1, 0.5, Number.NaN, maxChildIndex + 1, 2 ** 32])
      expect(() => childPublicKey(key, index)).toThrow(RangeError)
  })
})

describe('the account key', () => {
  // The account key of BIP-84's vector.
  const zpub =
    'zpub6rFR7y4Q2AijBEqTUquhVz398htDFrtymD9xYYfG1m4wAcvPhXNfE3EfH1r1ADqtfSdVCToUG868RvUUkgDKf31mGDtKsAYz2oz2AGutZYs'

  it("is BIP-84's for its mnemonic", () => {
    expect(bitcoinAccountKey(seed, bitcoin, 'main')).toBe(zpub)
  })

  it('shows its purpose by its first letters', () => {
    expect(bitcoinAccountKey(seed, bitcoin, 'test')).toMatch(/^vpub/)
    expect(bitcoinAccountKey(seed, bitcoin, 'regtest')).toBe(bitcoinAccountKey(seed, bitcoin, 'test'))
    expect(bitcoinAccountKey(seed, litecoin, 'main')).toMatch(/^Ltub/)
    expect(bitcoinAccountKey(seed, litecoin, 'test')).toMatch(/^ttub/)
  })

  it('is read in each accepted serialisation, as the same key', () => {
    const accepted = ['xpub', 'zpub', 'tpub', 'vpub', 'Ltub', 'ttub'] as const
    const { publicKey } = readAccountKey(zpub, ['zpub'])
    for (const version of accepted) {
      const text = writeAccountKey(seed, "m/84'/0'/0'", version)
      expect(text.startsWith(version)).toBe(true)
      expect(readAccountKey(text, accepted).publicKey).toEqual(publicKey)
      expect(() =>
        readAccountKey(
          text,
          accepted.filter((other) => other !== version),
        ),
      ).toThrow('must be one of')
    }
  })

  it('is refused if it is private, whatever its version, and never repeated in the error', () => {
    // BIP-84's account 0 and BIP-32's master key of vector 1.
    const secrets = [
      'zprvAdG4iTXWBoARxkkzNpNh8r6Qag3irQB8PzEMkAFeTRXxHpbF9z4QgEvBRmfvqWvGp42t42nvgGpNgYSJA9iefm1yYNZKEm7z6qUWCroSQnE',
      'xprv9s21ZrQH143K3QTDL4LXw2F7HEK3wJUD2nW2nRk4stbPy6cq3jPPqjiChkVvvNKmPGJxWUtg6LnF5kejMRNNU3TGtRBeJgk33yuGBxrMPHi',
    ]
    for (const secret of secrets) {
      expect(() => readAccountKey(secret, ['zpub'])).toThrow(/extended PRIVATE key/)
      expect(() => readAccountKey(secret, ['zpub'])).not.toThrow(secret)
    }
  })

  it("is refused at another depth, or if it is not account 0'", () => {
    const at = (path: string) => () => readAccountKey(writeAccountKey(seed, path, 'xpub'), ['xpub'])
    expect(at('m')).toThrow('depth 0')
    expect(at("m/84'/0'")).toThrow('depth 2')
    expect(at("m/84'/0'/0'/0")).toThrow('depth 4')
    expect(at("m/84'/0'/1'")).toThrow("account 0'")
    expect(at("m/84'/0'/0")).toThrow("account 0'")
    expect(at("m/84'/0'/0'")).not.toThrow()
  })

  it('is refused if it announces other addresses: BIP-49 keys of Bitcoin and Litecoin', () => {
    const bip49 = [
      'ypub6Ww3ibxVfGzLrAH1PNcjyAWenMTbbAosGNB6VvmSEgytSER9azLDWCxoJwW7Ke7icmizBMXrzBx9979FfaHxHcrArf3zbeJJJUZPf663zsP',
      'Mtub2rz9F1pkisRsSZX8sa4Ajon9GhPP6JymLgpuHqbYdU5JKFLBF7Qy8b1tZ3dccj2fefrAxfrPdVkpCxuWn3g72UctH2bvJRkp6iFmp8aLeRZ',
    ]
    for (const key of bip49)
      expect(() => readAccountKey(key, ['zpub', 'xpub', 'Ltub'])).toThrow('must be one of')
  })

  it('is refused with a wrong or missing character, and if it is something else altogether', () => {
    const broken = [
      zpub.replace('6rFR', '6rFS'),
      zpub.slice(0, -1),
      ` ${zpub}`,
      '',
      'zpub',
      '1'.repeat(111),
      'z'.repeat(1e6),
    ]
    for (const text of broken) expect(() => readAccountKey(text, ['zpub'])).toThrow('not an extended key')
  })
})
