import { ed25519 } from '@noble/curves/ed25519.js'
import { base58 } from '@scure/base'
import fc from 'fast-check'
import type {
  SolanaLifetime,
  SolanaSigner,
  SolanaStep,
  SolanaTransaction,
  TokenProgram,
} from '../../../src/domain/solana-transaction.ts'
import { hotKey, type KeyPath } from '../../../src/domain/spends.ts'
import { associatedTokenAccount } from '../../../src/gates/solana/derived-address.ts'
import { isProgram } from '../../../src/gates/solana/programs.ts'
import { ed25519PublicKey } from '../../../src/gates/solana/slip10.ts'
import { solanaKey } from '../../../src/gates/solana/spend-key.ts'
import { seed } from '../../simulator/gate/keys.ts'

export const keyOf = (path: KeyPath): Uint8Array => solanaKey(seed, path)
const signerAt = (key: KeyPath): SolanaSigner => ({
  address: base58.encode(ed25519PublicKey(keyOf(key))),
  key,
})

/** The hot wallet, and the owners of deposit addresses. */
export const hot = signerAt(hotKey)
export const deposits = Array.from({ length: 6 }, (_, index) => signerAt({ chain: 'deposit', index }))

/** A receiver's address, a different one for each number. */
export function receiver(number: number): string {
  return base58.encode(ed25519.getPublicKey(new Uint8Array(32).fill(number)))
}

/** A plan of the hot wallet with these steps. */
export function planOf(steps: readonly SolanaStep[], lifetime?: SolanaLifetime): SolanaTransaction {
  return {
    payer: hot,
    lifetime: lifetime ?? { kind: 'nonce', index: 0, value: base58.encode(new Uint8Array(32).fill(7)) },
    steps,
    computeLimit: 200_000n,
    computePrice: 1n,
  }
}

const addresses = fc
  .uint8Array({ minLength: 32, maxLength: 32 })
  .map((bytes) => base58.encode(bytes))
  .filter((address) => !isProgram(address))
const units = fc.bigInt({ min: 1n, max: 2n ** 64n - 1n })
const signers = fc.constantFrom(hot, ...deposits)
const programs = fc.constantFrom<TokenProgram>('token', 'token-2022')
const payoutIds = fc.option(fc.uuid())

const steps: fc.Arbitrary<SolanaStep> = fc.oneof(
  fc.record({
    kind: fc.constant('transfer' as const),
    from: signers,
    to: addresses,
    units,
    payoutId: payoutIds,
  }),
  fc
    .record({
      kind: fc.constant('transfer_token' as const),
      token: fc.record({ program: programs, mint: addresses, decimals: fc.nat(255) }),
      account: fc.option(addresses),
      from: signers,
      to: addresses,
      units,
      payoutId: payoutIds,
    })
    .map((step) => {
      const { program, mint } = step.token
      return { ...step, account: step.account ?? associatedTokenAccount(step.from.address, program, mint) }
    }),
  fc.record({
    kind: fc.constant('open' as const),
    program: programs,
    mint: addresses,
    owner: addresses,
    rentUnits: units,
  }),
  fc.record({ kind: fc.constant('close' as const), program: programs, account: addresses, owner: signers }),
)
const memos = fc
  .string({ unit: 'grapheme', minLength: 1, maxLength: 20 })
  .map((text) => ({ kind: 'memo' as const, text }))
const creations = fc.record({ kind: fc.constant('create_nonce' as const), index: fc.nat(9_999), units })

const hashes = addresses
const contents: fc.Arbitrary<Pick<SolanaTransaction, 'lifetime' | 'steps'>> = fc.oneof(
  {
    weight: 9,
    arbitrary: fc.record({
      lifetime: fc.record({ kind: fc.constant('nonce' as const), index: fc.nat(9_999), value: hashes }),
      steps: fc
        .tuple(fc.array(steps, { maxLength: 5 }), fc.array(memos, { maxLength: 1 }))
        .map(([some, memo]): SolanaStep[] => [...some, ...memo]),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      lifetime: fc.record({ kind: fc.constant('blockhash' as const), value: hashes }),
      steps: fc.array(creations, { minLength: 1, maxLength: 3 }),
    }),
  },
)

/** Plans of every kind, not all of which fit into a transaction. */
export const plans: fc.Arbitrary<SolanaTransaction> = fc
  .tuple(contents, fc.bigInt({ min: 1n, max: 1_400_000n }), fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }))
  .map(([content, computeLimit, computePrice]) => ({
    payer: hot,
    computeLimit,
    computePrice,
    ...content,
  }))
