import { ed25519 } from '@noble/curves/ed25519.js'
import {
  AccountRole,
  type Address,
  address,
  createNoopSigner,
  getTransactionDecoder,
  type Instruction,
} from '@solana/kit'
import { getSetComputeUnitPriceInstruction } from '@solana-program/compute-budget'
import { getInitializeNonceAccountInstruction, SYSTEM_PROGRAM_ADDRESS } from '@solana-program/system'
import {
  getCloseAccountInstruction,
  getCreateAssociatedTokenIdempotentInstruction,
} from '@solana-program/token'
import { describe, expect, it } from 'vitest'
import { contentOf } from '../../../src/gates/solana/actions.ts'
import { tokenPrograms } from '../../../src/gates/solana/derived-address.ts'
import { messageOf } from '../../../src/gates/solana/message.ts'
import { readSolanaTransaction } from '../../../src/gates/solana/read-transaction.ts'
import { messageBy, signedBy } from './client-messages.ts'
import { deposits, hot, keyOf, planOf, receiver } from './plans.ts'

describe('what a plan cannot say is refused, however well it is signed', () => {
  const base = planOf([{ kind: 'transfer', from: hot, to: receiver(1), units: 5n, payoutId: null }])
  const [first = hot] = deposits
  const signer = (given: string) => createNoopSigner(address(given))
  const mint = address(receiver(9))
  const own = async (plan = base) => (await messageBy(plan)).instructions.slice(1)
  const without = (instruction: Instruction, from: number) => ({
    ...instruction,
    accounts: instruction.accounts?.slice(from) ?? [],
  })

  const cases: [
    string,
    (given: readonly Instruction[]) => readonly Instruction[] | Promise<readonly Instruction[]>,
  ][] = [
    [
      'an unknown program',
      (given) => [...given, { programAddress: mint, accounts: [], data: new Uint8Array(4) }],
    ],
    [
      'an unknown instruction',
      (given) => [
        ...given,
        { programAddress: SYSTEM_PROGRAM_ADDRESS, accounts: [], data: Uint8Array.of(8, 0, 0, 0) },
      ],
    ],
    [
      'an approval of a delegate',
      (given) => [
        ...given,
        {
          programAddress: tokenPrograms.token,
          accounts: [mint, address(receiver(2)), hot.address].map((each) => ({
            address: each as Address,
            role: AccountRole.WRITABLE,
          })),
          data: Uint8Array.of(4, 1, 0, 0, 0, 0, 0, 0, 0),
        },
      ],
    ],
    [
      'one more signer',
      (given) => [
        ...given.slice(0, 2),
        {
          ...(given[2] as Instruction),
          accounts: [
            ...(given[2]?.accounts ?? []),
            { address: address(first.address), role: AccountRole.READONLY_SIGNER },
          ],
        },
      ],
    ],
    [
      'one more account',
      (given) => [
        ...given.slice(0, 2),
        {
          ...(given[2] as Instruction),
          accounts: [...(given[2]?.accounts ?? []), { address: mint, role: AccountRole.READONLY }],
        },
      ],
    ],
    [
      'an account that may be written without need',
      (given) => [
        ...given,
        {
          programAddress: address('MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr'),
          accounts: [{ address: mint, role: AccountRole.WRITABLE }],
          data: Uint8Array.of(65),
        },
      ],
    ],
    [
      'longer data',
      (given) => [
        ...given.slice(0, 2),
        { ...(given[2] as Instruction), data: Uint8Array.from([...(given[2]?.data ?? []), 0]) },
      ],
    ],
    ['a transfer without a receiver', (given) => [...given.slice(0, 2), without(given[2] as Instruction, 1)]],
    ['no compute budget', (given) => given.slice(2)],
    ['the compute budget in another order', (given) => [given[1], given[0], given[2]] as Instruction[]],
    [
      'a second compute price',
      (given) => [...given, getSetComputeUnitPriceInstruction({ microLamports: 10n ** 12n })],
    ],
    [
      'a nonce account of another authority',
      (given) => [
        ...given,
        getInitializeNonceAccountInstruction({ nonceAccount: mint, nonceAuthority: address(first.address) }),
      ],
    ],
    [
      'a closed account whose rent goes elsewhere',
      (given) => [
        ...given,
        getCloseAccountInstruction({
          account: mint,
          destination: address(receiver(3)),
          owner: signer(hot.address),
        }),
      ],
    ],
    [
      'an opened account that is not the associated one',
      (given) => [
        ...given,
        getCreateAssociatedTokenIdempotentInstruction({
          payer: signer(hot.address),
          ata: address(receiver(4)),
          owner: address(receiver(5)),
          mint,
        }),
      ],
    ],
    [
      'a memo that a key signs',
      (given) => [
        ...given,
        {
          programAddress: address('MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr'),
          accounts: [{ address: address(hot.address), role: AccountRole.READONLY_SIGNER }],
          data: Uint8Array.of(65),
        },
      ],
    ],
    [
      'a memo that is not UTF-8',
      (given) => [
        ...given,
        { programAddress: address('MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr'), data: Uint8Array.of(255) },
      ],
    ],
  ]

  it.each(cases)('%s', async (_, change) => {
    expect(readSolanaTransaction(await signedBy(await messageBy(base, await own())))).toHaveProperty('hash')
    const bytes = await signedBy(await messageBy(base, await change(await own())))
    expect(readSolanaTransaction(bytes)).toHaveProperty('refused')
  })

  it('a version, even without tables of addresses', async () => {
    const message = { ...(await messageBy(base)), version: 0 as const }
    const bytes = await signedBy(message as never)
    expect(getTransactionDecoder().decode(bytes).messageBytes[0]).toBe(128)
    expect(readSolanaTransaction(bytes)).toEqual({
      refused: 'The transaction has a version, and may take addresses from tables.',
    })
  })

  it('the same accounts in another order', () => {
    const content = contentOf(base)
    const message = messageOf(content)
    // The receiver and the nonce account are the second and the third of the list, and are named by their places.
    const changed = Uint8Array.from(message.bytes)
    const [from, to] = [4 + 32, 4 + 64]
    changed.set(message.bytes.subarray(to, to + 32), from)
    changed.set(message.bytes.subarray(from, from + 32), to)
    const end = 4 + 32 * (message.bytes[3] ?? 0) + 32
    for (let at = end + 1; at < changed.length; at++)
      if (isAccountIndex(message.bytes, at)) changed[at] = 3 - (changed[at] ?? 0)
    const signature = ed25519.sign(changed, keyOf(hot.key))
    expect(readSolanaTransaction(Uint8Array.from([1, ...signature, ...changed]))).toEqual({
      refused: 'The transaction says more than we understand, or is not in canonical form.',
    })
  })
})

/** Whether the byte at this place names one of the accounts 1 and 2. */
function isAccountIndex(message: Uint8Array, at: number): boolean {
  let place = 4 + 32 * (message[3] ?? 0) + 32 + 1
  while (place < message.length) {
    const accounts = message[place + 1] ?? 0
    const start = place + 2
    if (at >= start && at < start + accounts) return message[at] === 1 || message[at] === 2
    place = start + accounts + 1 + (message[start + accounts] ?? 0)
  }
  return false
}
