import { secp256k1 } from '@noble/curves/secp256k1.js'
import { hex } from '@scure/base'
import fc from 'fast-check'
import {
  encodeFunctionData,
  erc20Abi,
  type Hex,
  parseAbi,
  parseTransaction,
  recoverTransactionAddress,
  type TransactionSerialized,
  toRlp,
} from 'viem'
import { signTransaction } from 'viem/accounts'
import { describe, expect, it } from 'vitest'
import { canonicalAddress, evmAddress } from '../../../src/gates/evm/address.ts'
import { hexOf } from '../../../src/gates/evm/hex.ts'
import { decodeRlp, encodeRlp, type RlpItem } from '../../../src/gates/evm/rlp.ts'
import { type EvmTransfer, readTransfer, signTransfer } from '../../../src/gates/evm/transaction.ts'

// viem reads and writes transactions with code that is not ours, and we ship it in no binary.

const numRuns = 100
const maxWord = 2n ** 256n - 1n

const words = (max: bigint, min = 0n) => fc.bigInt({ min, max })
const addresses = fc
  .uint8Array({ minLength: 20, maxLength: 20 })
  .map((bytes) => canonicalAddress(`0x${hex.encode(bytes)}`) ?? '')
const keys = fc.uint8Array({ minLength: 32, maxLength: 32 }).filter((key) => {
  return secp256k1.utils.isValidSecretKey(key)
})
const frames = fc
  .record({
    chainId: fc.integer({ min: 1, max: 2 ** 48 }),
    nonce: words(2n ** 53n - 1n),
    gasLimit: words(2n ** 64n - 1n, 1n),
    base: words(2n ** 127n),
    tip: words(2n ** 127n),
    isLegacy: fc.boolean(),
  })
  .map(({ base, tip, isLegacy, ...rest }) => ({
    ...rest,
    gasPrice: base + tip,
    gasTip: isLegacy ? null : tip,
  }))
const contents = fc.oneof(
  fc.record({ to: addresses, contractAddress: fc.constant(null), units: words(maxWord) }),
  fc.record({ to: addresses, contractAddress: addresses, units: words(maxWord) }),
)
const transfers = fc
  .tuple(frames, contents)
  .map(([frame, content]): EvmTransfer => ({ ...frame, ...content }))

/** The input with which viem writes the same transaction. */
function asked({ to, contractAddress, units, ...frame }: EvmTransfer) {
  const { gasPrice, gasTip, gasLimit, chainId, nonce } = frame
  const common = { chainId, nonce: Number(nonce), gas: gasLimit }
  const price =
    gasTip === null
      ? ({ type: 'legacy', gasPrice } as const)
      : ({ type: 'eip1559', maxFeePerGas: gasPrice, maxPriorityFeePerGas: gasTip } as const)
  if (contractAddress === null) return { ...common, ...price, to: to as Hex, value: units }
  const data = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [to as Hex, units] })
  return { ...common, ...price, to: contractAddress as Hex, data }
}

const plainTransfer = {
  chainId: 1,
  nonce: 0n,
  to: `0x${'11'.repeat(20)}`,
  contractAddress: null,
  units: 1n,
  gasLimit: 21_000n,
  gasPrice: 1n,
  gasTip: 1n,
}
const plainKey = new Uint8Array(32).fill(7)

describe('a transaction', () => {
  it('of any type is signed to exactly the bytes that viem signs', async () => {
    await fc.assert(
      fc.asyncProperty(transfers, keys, async (transfer, key) => {
        const theirs = await signTransaction({ privateKey: hexOf(key), transaction: asked(transfer) })
        expect(hexOf(signTransfer(transfer, key))).toBe(theirs)
      }),
      { numRuns },
    )
  })

  it('signed by viem is read with the same fields and sender', async () => {
    await fc.assert(
      fc.asyncProperty(transfers, keys, async (transfer, key) => {
        const theirs = await signTransaction({ privateKey: hexOf(key), transaction: asked(transfer) })
        const from = evmAddress(secp256k1.getPublicKey(key))
        expect(readTransfer(hex.decode(theirs.slice(2)))).toEqual({ transfer, from })
      }),
      { numRuns },
    )
  })

  it('that was damaged is refused, or read as viem reads it and with another sender', async () => {
    const damages = fc.oneof(
      fc.record({ kind: fc.constant('byte'), at: fc.nat(), by: fc.integer({ min: 1, max: 255 }) }),
      fc.record({ kind: fc.constant('cut'), at: fc.nat(), by: fc.constant(0) }),
      fc.record({ kind: fc.constant('longer'), at: fc.nat(255), by: fc.constant(0) }),
    )
    await fc.assert(
      fc.asyncProperty(transfers, keys, damages, async (transfer, key, { kind, at, by }) => {
        const bytes = signTransfer(transfer, key)
        const place = at % bytes.length
        const damaged =
          kind === 'byte'
            ? bytes.with(place, (bytes[place] ?? 0) ^ by)
            : kind === 'cut'
              ? bytes.subarray(0, place)
              : Uint8Array.of(...bytes, at)
        const read = readTransfer(damaged)
        if (kind !== 'byte') expect(read).toHaveProperty('refused')
        if ('refused' in read) return
        expect(read.from).not.toBe(evmAddress(secp256k1.getPublicKey(key)))
        const serialized = hexOf(damaged) as TransactionSerialized
        expect(await recoverTransactionAddress({ serializedTransaction: serialized })).toBe(read.from)
        const { to = null, value = 0n } = parseTransaction(serialized)
        const again = asked(read.transfer)
        expect([to, value]).toEqual([again.to.toLowerCase(), 'value' in again ? again.value : 0n])
      }),
      { numRuns: 3 * numRuns },
    )
  })

  it('that grants an allowance or calls anything else is not read as ours, even with a valid signature', async () => {
    const [owner, spender] = [`0x${'22'.repeat(20)}`, `0x${'33'.repeat(20)}`] as const
    const calls = [
      encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [spender, 5n] }),
      encodeFunctionData({ abi: erc20Abi, functionName: 'transferFrom', args: [owner, spender, 5n] }),
      encodeFunctionData({
        abi: parseAbi(['function disperseEther(address[] recipients, uint256[] values) payable']),
        args: [[spender], [5n]],
      }),
    ]
    for (const data of calls) {
      const transaction = { ...asked(plainTransfer), to: spender, data }
      const bytes = await signTransaction({ privateKey: hexOf(plainKey), transaction })
      expect(readTransfer(hex.decode(bytes.slice(2)))).toHaveProperty('refused')
    }
  })

  it.each([
    ['to an invalid address', { to: `0x${'11'.repeat(19)}` }],
    ['to an address with a wrong checksum', { to: '0xF39fd6e51aad88F6F4ce6aB8827279cffFb92266' }],
    ['of an invalid contract', { contractAddress: '0x' }],
    ['on chain 0', { chainId: 0 }],
    ['on a chain whose id is not an exact integer', { chainId: 2 ** 53 }],
    ['with a tip above its price', { gasTip: 2n }],
  ])('%s is not signed', (_, changes) => {
    expect(readTransfer(signTransfer(plainTransfer, plainKey))).toHaveProperty('from')
    expect(() => signTransfer({ ...plainTransfer, ...changes }, plainKey)).toThrow()
  })
})

describe('RLP', () => {
  const strings = fc.oneof(fc.uint8Array({ maxLength: 3 }), fc.uint8Array({ minLength: 50, maxLength: 70 }))
  const items = fc.array(fc.oneof<fc.Arbitrary<RlpItem>[]>(strings, fc.constant([])), { maxLength: 12 })

  it('is written as viem writes it, and read back', () => {
    fc.assert(
      fc.property(items, (list) => {
        const bytes = encodeRlp(list)
        expect(hexOf(bytes)).toBe(toRlp(list.map((item) => (item instanceof Uint8Array ? hexOf(item) : []))))
        expect(decodeRlp(bytes)).toEqual(list)
      }),
      { numRuns },
    )
    // Lengths on both sides of each change of notation.
    for (const length of [0, 1, 55, 56, 255, 256, 65_535, 65_536]) {
      const list = [new Uint8Array(length).fill(0xff)]
      expect(hexOf(encodeRlp(list))).toBe(toRlp(list.map(hexOf)))
      expect(decodeRlp(encodeRlp(list))).toEqual(list)
    }
  })

  it('is read only if writing it again yields the same bytes', () => {
    const near = fc.tuple(items, fc.nat(), fc.nat(255)).map(([list, at, byte]) => {
      const bytes = encodeRlp(list)
      return bytes.with(at % bytes.length, byte)
    })
    fc.assert(
      fc.property(fc.oneof(near, fc.uint8Array({ maxLength: 40 })), (bytes) => {
        const read = decodeRlp(bytes)
        if (read !== null) expect(hexOf(encodeRlp(read))).toBe(hexOf(bytes))
      }),
      { numRuns: 10 * numRuns },
    )
  })

  it.each([
    ['nothing at all', ''],
    ['a string instead of a list', '83010203'],
    ['a single byte written as a string', 'c28105'],
    ['a short string in the long form', 'c3b80105'],
    ['a length with a leading zero', `f83bb90038${'ff'.repeat(56)}`],
    ['a string that is cut off', 'c28301'],
    ['a length that is cut off', 'c1b8'],
    ['a length beyond the input', 'c9bfffffffffffffffff'],
    ['bytes after the list', 'c00a'],
    ['a list with content', 'c2c105'],
  ])('%s is refused', (_, bytes) => expect(decodeRlp(hex.decode(bytes))).toBeNull())
})
