import { sha256 } from '@noble/hashes/sha2.js'
import { hex } from '@scure/base'
import { RawTx } from '@scure/btc-signer'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { outputsOf, plainTransaction } from '../../../src/gates/bitcoin/plain-transaction.ts'

/** BIP-143's example of native P2WPKH, unsigned and signed (in the form of BIP-144). */
const bip143 = {
  unsigned:
    '0100000002fff7f7881a8099afa6940d42d1e7f6362bec38171ea3edf433541db4e4ad969f0000000000eeffffffef51e1b804cc89d182d2' +
    '79655c3aa89e815b1b309fe287d9b2b55d57b90ec68a0100000000ffffffff02202cb206000000001976a9148280b37df378db99f66f85c9' +
    '5a783a76ac7a6d5988ac9093510d000000001976a9143bde42dbee7e4dbe6a21b2d50ce2f0167faa815988ac11000000',
  signed:
    '01000000000102fff7f7881a8099afa6940d42d1e7f6362bec38171ea3edf433541db4e4ad969f00000000494830450221008b9d1dc26ba6' +
    'a9cb62127b02742fa9d754cd3bebf337f7a55d114c8e5cdd30be022040529b194ba3f9281a99f2b1c0a19c0489bc22ede944ccf4ecbab4cc' +
    '618ef3ed01eeffffffef51e1b804cc89d182d279655c3aa89e815b1b309fe287d9b2b55d57b90ec68a0100000000ffffffff02202cb20600' +
    '0000001976a9148280b37df378db99f66f85c95a783a76ac7a6d5988ac9093510d000000001976a9143bde42dbee7e4dbe6a21b2d50ce2f0' +
    '167faa815988ac000247304402203609e17b84f6a7d30c80bfa610b5b4542f32a8a0d5447a12fb1366d7f01cc44a0220573a954c45183315' +
    '61406f90300e8f3358f51928d43c212a8caed02de67eebee0121025476c2e83188368da1ff3e292e7acafcdb3566bb0ad253f62fc70f07ae' +
    'ee635711000000',
}

/** The coinbase of Bitcoin's first block. */
const genesis = {
  hash: '4a5e1e4baab89f3a32518a88c31bc87f618f76673e2cc77ab2127b7afdeda33b',
  bytes:
    '01000000010000000000000000000000000000000000000000000000000000000000000000ffffffff4d04ffff001d0104455468652054696d' +
    '65732030332f4a616e2f32303039204368616e63656c6c6f72206f6e206272696e6b206f66207365636f6e64206261696c6f757420666f72' +
    '2062616e6b73ffffffff0100f2052a01000000434104678afdb0fe5548271967f1a67130b7105cd6a828e03909a67962e0ea1f61deb649f6' +
    'bc3f4cef38c4f35504e51ec112de5c384df7ba0b8d578a4c702b6bf11d5fac00000000',
}

/** Bitcoin's first payment, in block 170. */
const first = {
  hash: 'f4184fc596403b9d638783cf57adfe4c75c605f6356fbc91338530e9831e9e16',
  bytes:
    '0100000001c997a5e56e104102fa209c6a852dd90660a20b2d9c352423edce25857fcd3704000000004847304402204e45e16932b8af51496' +
    '1a1d3a1a25fdf3f4f7732e9d624c6c61548ab5fb8cd410220181522ec8eca07de4860a4acdd12909d831cc56cbbac4622082221a8768d1d09' +
    '01ffffffff0200ca9a3b00000000434104ae1a62fe09c5f51b13905f07f06b99a2f7159b2225f374cd378d71302fa28414e7aab37397f554a' +
    '7df5f142c21c1b7303b8a0626f1baded5c72a704f7e6cd84cac00286bee0000000043410411db93e1dcdb8a016b49840f8c53bc1eb68a382e' +
    '97b1482ecad7b148a6909a5cb2e0eaddfb84ccf9744464f82e160bfa9b8b64f9d4c03f999b8643f656b412a3ac00000000',
}

/** A transaction of Litecoin's main chain that pays out of its extension blocks, with their flag and an empty body. */
const pegOut = {
  hash: 'efe11e0d8d562e73b7795c2a3b7e44c6b6390f2c42c3ae90bb1005009c27a3f3',
  bytes:
    '02000000000801f190b67fc759641b8376f5ca550cac80ca3b2509c6a144e1425a437b18c161590000000000ffffffff020675a5b66a0000' +
    '0022582066723521c495f90a5fbe3686c617c294d69ac71ed9e57b65032f83e45871fd83b28c980000000000160014f4de962f4bb82d0057' +
    '974201202acd78d56db7f20000000000',
}

/** The hash of a transaction, with or without witnesses, by another decoder. */
const idOf = (bytes: Uint8Array) => hashOfAnything(withoutWitnesses(bytes))
/** Compares their contents, as any kind of bytes. */
const hexOf = (bytes: Uint8Array | null) => (bytes === null ? null : hex.encode(Uint8Array.from(bytes)))

describe('published transactions', () => {
  it.each([
    ['the first coinbase', genesis, [5_000_000_000n]],
    ['the first payment', first, [1_000_000_000n, 4_000_000_000n]],
  ])('%s is its own plain form, and says what it pays', (_, { hash, bytes }, paid) => {
    const plain = plainTransaction(hex.decode(bytes), hash)
    expect(hexOf(plain)).toBe(bytes)
    const outputs = outputsOf(plain as Uint8Array, [...paid.keys(), paid.length, 2 ** 32 - 1])
    expect([...outputs.values()].map(({ units }) => units)).toEqual(paid)
  })

  it('BIP-143: witnesses are left out, and nothing else', () => {
    const signed = hex.decode(bip143.signed)
    const plain = plainTransaction(signed, idOf(signed)) as Uint8Array
    expect(hexOf(plain)).toBe(hexOf(withoutWitnesses(signed)))
    expect(hexOf(plainTransaction(plain, idOf(signed)))).toBe(hexOf(plain))
    const unsigned = hex.decode(bip143.unsigned)
    const scripts = (bytes: Uint8Array) =>
      [...outputsOf(bytes, [0, 1]).values()].map(({ script: paid }) => hexOf(paid))
    expect(scripts(plain)).toEqual(scripts(unsigned))
    expect([...outputsOf(plain, [0, 1]).values()].map(({ units }) => units)).toEqual([
      112_340_000n,
      223_450_000n,
    ])
    // The signature in the script of the other input is covered by the hash.
    expect(plainTransaction(unsigned, idOf(signed))).toBeNull()
  })

  it('Litecoin: a payment out of the extension blocks is read like any other', () => {
    const plain = plainTransaction(hex.decode(pegOut.bytes), pegOut.hash) as Uint8Array
    const output = outputsOf(plain, [1]).get(1)
    expect(output?.units).toBe(9_997_490n)
    expect(hex.encode(output?.script ?? new Uint8Array())).toBe(
      '0014f4de962f4bb82d0057974201202acd78d56db7f2',
    )
  })

  it('bytes of one transaction are no other transaction', () => {
    expect(plainTransaction(hex.decode(first.bytes), genesis.hash)).toBeNull()
    expect(plainTransaction(hex.decode(first.bytes), first.hash.toUpperCase())).toBeNull()
  })
})

const script = fc.uint8Array({ maxLength: 300 })
const transaction = fc.record({
  version: fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 }),
  inputs: fc.array(
    fc.record({
      txid: fc.uint8Array({ minLength: 32, maxLength: 32 }),
      index: fc.nat({ max: 2 ** 32 - 1 }),
      finalScriptSig: script,
      sequence: fc.nat({ max: 2 ** 32 - 1 }),
    }),
    { minLength: 1, maxLength: 5 },
  ),
  outputs: fc.array(fc.record({ amount: fc.bigInt(0n, 2n ** 64n - 1n), script }), { maxLength: 300 }),
  lockTime: fc.nat({ max: 2 ** 32 - 1 }),
})
const witnesses = fc.array(fc.array(fc.uint8Array({ maxLength: 80 }), { minLength: 1, maxLength: 3 }), {
  minLength: 5,
  maxLength: 5,
})

function withoutWitnesses(bytes: Uint8Array): Uint8Array {
  return RawTx.encode({ ...RawTx.decode(bytes), segwitFlag: false, witnesses: undefined })
}

describe('any transaction', () => {
  it('gives the outputs that another decoder reads, with witnesses and without', () => {
    fc.assert(
      fc.property(transaction, witnesses, (made, signed) => {
        const plain = RawTx.encode({ ...made, segwitFlag: false, witnesses: undefined })
        const whole = RawTx.encode({
          ...made,
          segwitFlag: true,
          witnesses: signed.slice(0, made.inputs.length),
        })
        const hash = idOf(plain)
        for (const bytes of [plain, whole]) expect(hexOf(plainTransaction(bytes, hash))).toBe(hexOf(plain))
        const indexes = made.outputs.map((_, index) => index)
        expect([...outputsOf(plain, [...indexes, indexes.length])]).toEqual(
          made.outputs.map(({ amount, script: paid }, index) => [index, { units: amount, script: paid }]),
        )
      }),
      { numRuns: 100 },
    )
  })

  it('is nothing once a byte is changed, left out or added', () => {
    fc.assert(
      fc.property(transaction, fc.nat(), fc.integer({ min: 1, max: 255 }), (made, at, by) => {
        const plain = RawTx.encode({ ...made, segwitFlag: false, witnesses: undefined })
        const hash = idOf(plain)
        const place = at % plain.length
        const changed = plain.map((byte, each) => (each === place ? byte ^ by : byte))
        const shorter = [...plain.slice(0, place), ...plain.slice(place + 1)]
        const longer = [...plain.slice(0, place), by, ...plain.slice(place)]
        for (const bytes of [changed, Uint8Array.from(shorter), Uint8Array.from(longer)])
          expect(plainTransaction(bytes, hash)).toBeNull()
      }),
      { numRuns: 200 },
    )
  })

  it('is read wherever it begins in a larger buffer', () => {
    const bytes = hex.decode(first.bytes)
    const buffer = Buffer.concat([Buffer.alloc(7, 0xff), bytes, Buffer.alloc(5, 0xff)])
    const within = buffer.subarray(7, 7 + bytes.length)
    const plain = plainTransaction(within, first.hash) as Uint8Array
    expect(outputsOf(plain, [1]).get(1)?.units).toBe(4_000_000_000n)
  })
})

describe('anything else', () => {
  it('is nothing, and never throws', () => {
    const noise = fc.oneof(
      fc.uint8Array({ maxLength: 200 }),
      // Begins like a transaction.
      fc
        .tuple(fc.constantFrom('01000000', '020000000001', '020000000008'), fc.uint8Array({ maxLength: 200 }))
        .map(([start, rest]) => Uint8Array.from([...hex.decode(start), ...rest])),
    )
    fc.assert(
      fc.property(noise, (bytes) => {
        expect(plainTransaction(bytes, first.hash)).toBeNull()
        expect(outputsOf(bytes, [0])).toBeInstanceOf(Map)
      }),
      { numRuns: 2_000 },
    )
  })

  const input = `${'00'.repeat(36)}00ffffffff`
  it.each([
    ['no inputs', '01000000000000000000'],
    ['no inputs, with a flag', '010000000001000000000000'],
    ['more inputs than bytes', `01000000fdffff${input}`],
    ['2^32 inputs', `01000000feffffffff${input}`],
    ['2^64 inputs', `01000000ffffffffffffffffff${input}`],
    ['a script without end', `0100000001${'00'.repeat(36)}feffffff7f${'00'.repeat(50)}`],
    ['a count that is cut off', '01000000fe00'],
    ['2^32 outputs', `0100000001${input}feffffffff${'00'.repeat(50)}`],
    ['a count that could be shorter (one byte)', `01000000fd0100${input}0000000000`],
    ['a count that could be shorter (three bytes)', `01000000fe01000000${input}0000000000`],
  ])('%s', (_, text) => {
    const bytes = hex.decode(text)
    expect(plainTransaction(bytes, hashOfAnything(bytes))).toBeNull()
  })

  it('is bounded: a megabyte that claims as much as it can is read in a moment', () => {
    const claims = [
      // As many empty inputs as fit, and as many empty outputs.
      [`01000000fe${le(24_390)}`, 41],
      [`0100000001${input}fe${le(111_100)}`, 9],
    ] as const
    for (const [start, each] of claims) {
      const bytes = new Uint8Array(1_000_000)
      bytes.set(hex.decode(start))
      const fromMs = performance.now()
      expect(plainTransaction(bytes, first.hash)).toBeNull()
      expect(outputsOf(bytes, [0, 1, 2]).size, `${each} bytes each`).toBeLessThanOrEqual(3)
      expect(performance.now() - fromMs).toBeLessThan(2_000)
    }
    expect(plainTransaction(new Uint8Array(4_000_001), first.hash)).toBeNull()
  })

  it('is a plain form of more than a megabyte, which no block can hold', () => {
    const made = (size: number) =>
      RawTx.encode({
        version: 2,
        segwitFlag: false,
        witnesses: undefined,
        inputs: [{ txid: new Uint8Array(32), index: 0, finalScriptSig: new Uint8Array(size), sequence: 0 }],
        outputs: [{ amount: 7n, script: new Uint8Array() }],
        lockTime: 0,
      })
    const rest = made(100_000).length - 100_000
    for (const [size, isRead] of [
      [1_000_000 - rest, true],
      [1_000_001 - rest, false],
    ] as const) {
      const bytes = made(size)
      expect(plainTransaction(bytes, hashOfAnything(bytes)) !== null).toBe(isRead)
    }
  })
})

function hashOfAnything(bytes: Uint8Array): string {
  return hex.encode(sha256(sha256(bytes)).toReversed())
}

function le(count: number): string {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(count)
  return bytes.toString('hex')
}
