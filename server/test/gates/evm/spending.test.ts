import { secp256k1 } from '@noble/curves/secp256k1.js'
import { hex } from '@scure/base'
import fc from 'fast-check'
import {
  parseTransaction,
  type Signature,
  serializeTransaction,
  type TransactionSerializableEIP1559 as Transaction,
} from 'viem'
import { privateKeyToAccount, signTransaction } from 'viem/accounts'
import { describe, expect, it } from 'vitest'
import { type AccountPlan, hotKey, type KeyPath } from '../../../src/domain/spends.ts'
import { evmAccountKey, evmKey } from '../../../src/gates/evm/account-key.ts'
import { canonicalAddress, evmAddress } from '../../../src/gates/evm/address.ts'
import { evmFamily } from '../../../src/gates/evm/family.ts'
import { readTransfer, signTransfer } from '../../../src/gates/evm/transaction.ts'
import { seed } from '../../simulator/gate/keys.ts'
import { currencies } from '../../support/shop/registry.ts'
import { vectors } from './transaction-vectors.ts'

const usdc = '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48'
const family = evmFamily({ chainId: 1, accountKey: evmAccountKey(seed), refused: [usdc] })
const keyOf = (path: KeyPath) => evmKey(seed, path)
const { spending } = family
if (spending.kind !== 'account' || spending.hotAddress === null)
  throw new Error('This network spends from accounts.')
const { hotAddress, gasOf } = spending
const destination = '0x71C7656EC7ab88b098defB751B7401B5f6d8976F'

describe('keys', () => {
  it('unlock the addresses that the account key derives', () => {
    const open = (path: KeyPath) => evmAddress(secp256k1.getPublicKey(keyOf(path)))
    for (const index of [0, 1, 2 ** 31 - 1])
      expect(open({ chain: 'deposit', index })).toBe(family.depositAddress(index)?.address)
    expect(open(hotKey)).toBe(hotAddress)
  })

  it("the hot wallet is at m/44'/60'/0'/1/0, which is no deposit address", () => {
    // The same path by another library.
    const account = privateKeyToAccount(`0x${hex.encode(keyOf(hotKey))}`)
    expect(account.address).toBe(hotAddress)
    expect(family.depositAddress(0)?.address).not.toBe(hotAddress)
  })

  it('a transfer of native currency needs exactly 21,000 gas, and one of a token a bounded amount', () => {
    const gas = currencies.flatMap(({ assets }) =>
      assets
        .filter(({ network }) => network.family === 'evm')
        .map((asset) => [asset.contractAddress === null, gasOf(asset)] as const),
    )
    expect(new Set(gas.map(([native, units]) => `${native} ${units}`))).toEqual(
      new Set(['true 21000', 'false 100000']),
    )
  })
})

describe('EIP-1559', () => {
  const privateKey = hex.decode('8f2a55949038a9610f50fb23b5883af3b4ecb3c3bb792cbcefbd1542c692be63')
  const to = canonicalAddress('0x000000000000000000000000000000000000aaaa') ?? ''

  it.each(vectors)('transaction $nonce is signed and read as published', ({ signed, ...numbers }) => {
    const transfer = { chainId: 7_822, to, contractAddress: null, ...numbers }
    expect(hex.encode(signTransfer(transfer, privateKey))).toBe(signed)
    const from = evmAddress(secp256k1.getPublicKey(privateKey))
    expect(readTransfer(hex.decode(signed))).toEqual({ transfer, from })
  })
})

describe('EIP-155', () => {
  const example = {
    transfer: {
      chainId: 1,
      nonce: 9n,
      to: `0x${'35'.repeat(20)}`,
      contractAddress: null,
      units: 10n ** 18n,
      gasLimit: 21_000n,
      gasPrice: 20_000_000_000n,
      gasTip: null,
    },
    signed:
      'f86c098504a817c800825208943535353535353535353535353535353535353535880de0b6b3a76400008025a028ef61340bd939bc2195fe' +
      '537567866003e1a15d3c71ff63e1590620aa636276a067cbe9d8997f761aecb703304b3800ccf555c9f3dc64214b297fb1966a3b6d83',
  }
  const privateKey = hex.decode('46'.repeat(32))

  it('the EIP’s own example is signed and read as published', () => {
    expect(hex.encode(signTransfer(example.transfer, privateKey))).toBe(example.signed)
    expect(readTransfer(hex.decode(example.signed))).toEqual({
      transfer: example.transfer,
      from: evmAddress(secp256k1.getPublicKey(privateKey)),
    })
  })

  it('a signature from before the EIP, valid on every chain, is refused', async () => {
    const old = await signTransaction({
      privateKey: `0x${hex.encode(privateKey)}`,
      transaction: { type: 'legacy', nonce: 9, to: destination, value: 1n, gas: 21_000n, gasPrice: 1n },
    })
    expect(readTransfer(hex.decode(old.slice(2)))).toEqual({ refused: expect.stringContaining('EIP-155') })
  })

  it("legacy transactions equal those of viem's own signer, for native currency and tokens", async () => {
    const older = evmFamily({ chainId: 61, accountKey: evmAccountKey(seed), transactions: 'legacy' })
    for (const contractAddress of [null, usdc] as const) {
      const { hash, bytes } = older.sign({ ...plan, contractAddress }, keyOf)
      expect(older.sign({ ...plan, contractAddress }, keyOf)).toEqual({ hash, bytes })
      const digits = plan.units.toString(16).padStart(64, '0')
      const call = `0xa9059cbb${destination.slice(2).toLowerCase().padStart(64, '0')}${digits}` as const
      const theirs = await signTransaction({
        privateKey: `0x${hex.encode(keyOf(hotKey))}`,
        transaction: {
          type: 'legacy',
          chainId: 61,
          nonce: 0,
          gas: plan.gasLimit,
          gasPrice: plan.gasPrice,
          ...(contractAddress === null ? { to: destination, value: plan.units } : { to: usdc, data: call }),
        },
      })
      expect(`0x${hex.encode(bytes)}`).toBe(theirs)
      expect(readTransfer(bytes)).toMatchObject({ from: hotAddress, transfer: { chainId: 61, gasTip: null } })
    }
  })
})

const plan: AccountPlan = {
  kind: 'account',
  from: { address: hotAddress, key: hotKey },
  nonce: 0n,
  to: { address: destination, tag: null },
  currency: 'ETH',
  contractAddress: null,
  units: 10n ** 18n,
  gasLimit: 21_000n,
  gasPrice: 30_000_000_000n,
  payoutId: 'payout',
}

describe('signing', () => {
  it("equals viem's own signer, for native currency and tokens, and always yields the same bytes", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.record({
          nonce: fc.bigInt({ min: 0n, max: 2n ** 53n - 1n }),
          units: fc.bigInt({ min: 1n, max: 2n ** 256n - 1n }),
          gasLimit: fc.bigInt({ min: 1n, max: 2n ** 64n - 1n }),
          gasPrice: fc.bigInt({ min: 0n, max: 2n ** 128n }),
          contractAddress: fc.constantFrom(null, usdc),
        }),
        async (changes) => {
          const { hash, bytes } = family.sign({ ...plan, ...changes }, keyOf)
          expect(family.sign({ ...plan, ...changes }, keyOf)).toEqual({ hash, bytes })
          const digits = changes.units.toString(16).padStart(64, '0')
          const call = `0xa9059cbb${destination.slice(2).toLowerCase().padStart(64, '0')}${digits}` as const
          const theirs = await signTransaction({
            privateKey: `0x${hex.encode(keyOf(hotKey))}`,
            transaction: {
              type: 'eip1559',
              chainId: 1,
              nonce: Number(changes.nonce),
              gas: changes.gasLimit,
              maxFeePerGas: changes.gasPrice,
              maxPriorityFeePerGas: changes.gasPrice,
              ...(changes.contractAddress === null
                ? { to: destination, value: changes.units }
                : { to: usdc, data: call }),
            },
          })
          expect(`0x${hex.encode(bytes)}`).toBe(theirs)
        },
      ),
      { numRuns: 30 },
    )
  })

  it('makes the whole price the tip, so that a transfer costs exactly what was planned', () => {
    const { bytes } = family.sign(plan, keyOf)
    expect(parseTransaction(`0x${hex.encode(bytes)}`)).toMatchObject({
      chainId: 1,
      maxFeePerGas: plan.gasPrice,
      maxPriorityFeePerGas: plan.gasPrice,
    })
  })

  it.each([
    [
      'a sender that is not ours',
      { from: { address: destination, key: hotKey } },
      'is not our own address 0',
    ],
    [
      'another path',
      { from: { address: hotAddress, key: { chain: 'deposit', index: 0 } } },
      'is not our deposit',
    ],
    ['a tag', { to: { address: destination, tag: '7' } }, 'not a valid destination'],
    ['a token contract as destination', { to: { address: usdc, tag: null } }, 'not a valid destination'],
    [
      'another notation of the address',
      { to: { address: destination.toLowerCase(), tag: null } },
      'not a valid destination',
    ],
    ['nothing', { units: 0n }, 'amount'],
    ['more than fits 256 bits', { units: 2n ** 256n }, 'amount'],
    ['no gas', { gasLimit: 0n }, 'gas limit'],
    ['a negative price', { gasPrice: -1n }, 'gas price'],
    ['a negative nonce', { nonce: -1n }, 'The nonce must'],
    ['a nonce beyond exact integers', { nonce: 2n ** 53n }, 'The nonce must'],
    ['coins', { kind: 'coins' }, 'from an account'],
  ])('a plan with %s is refused', (_, changes, message) =>
    expect(() => family.sign({ ...plan, ...changes } as AccountPlan, keyOf)).toThrow(message),
  )

  it('a plan with the key of another path is refused', () => {
    const wrong = [{ chain: 'deposit', index: 0 } as const, { chain: 'own', index: 1 } as const]
    for (const path of wrong)
      expect(() => family.sign(plan, () => keyOf(path))).toThrow('does not belong to it')
  })
})

describe('reading', () => {
  const { bytes } = family.sign(plan, keyOf)
  const parsed = parseTransaction(`0x02${hex.encode(bytes.slice(1))}`)
  const { r = '0x', s = '0x', yParity = 0 } = parsed
  const unsigned = { ...parsed, r: undefined, s: undefined, v: undefined, yParity: undefined }
  const written = (changes: object, signature: Signature = { r, s, yParity }) =>
    hex.decode(serializeTransaction({ ...unsigned, ...changes } as Transaction, signature).slice(2))

  it('a signature with a high S, which anyone can derive from a low one, is refused (EIP-2)', () => {
    expect(readTransfer(written({}))).toHaveProperty('from', hotAddress)
    const high = secp256k1.Point.Fn.ORDER - BigInt(s)
    const twisted = written({}, { r, s: `0x${high.toString(16)}`, yParity: 1 - yParity })
    expect(readTransfer(twisted)).toEqual({ refused: 'The signature is invalid.' })
  })

  it.each([
    ['an access list', { accessList: [{ address: usdc, storageKeys: [] }] }],
    ['a call of another function', { data: '0x095ea7b3' }],
    ['a call with trailing bytes', { data: `0xa9059cbb${'00'.repeat(65)}` }],
    ['native currency sent along with a call', { data: `0xa9059cbb${'00'.repeat(64)}` }],
    ['a contract creation', { to: undefined }],
  ])('%s is refused', (_, changes) => expect(readTransfer(written(changes))).toHaveProperty('refused'))

  it.each([['r', 'zero'] as const, ['s', 'zero'] as const, ['r', 'too large'] as const])(
    'a signature whose %s is %s is refused',
    (part, size) => {
      const wrong = size === 'zero' ? '0x' : `0x${secp256k1.Point.Fn.ORDER.toString(16)}`
      expect(readTransfer(written({}, { r, s, yParity, [part]: wrong }))).toHaveProperty('refused')
    },
  )
})
