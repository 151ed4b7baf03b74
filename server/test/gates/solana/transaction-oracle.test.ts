import { ed25519 } from '@noble/curves/ed25519.js'
import { base64 } from '@scure/base'
import {
  address,
  decompileTransactionMessage,
  getCompiledTransactionMessageDecoder,
  type Instruction,
} from '@solana/kit'
import { findAssociatedTokenPda } from '@solana-program/token'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  associatedTokenAccount,
  nonceAccount,
  tokenPrograms,
} from '../../../src/gates/solana/derived-address.ts'
import { instructionsOf } from '../../../src/gates/solana/instructions.ts'
import { readSolanaTransaction } from '../../../src/gates/solana/read-transaction.ts'
import {
  maxTransactionBytes,
  signSolanaTransaction,
  solanaSizeOf,
} from '../../../src/gates/solana/sign-transaction.ts'
import { messageBy, nonceAt, signedBy } from './client-messages.ts'
import { keyOf, plans, receiver } from './plans.ts'

describe('other libraries', () => {
  it('write and sign the same bytes for the same plan', async () => {
    let compared = 0
    await fc.assert(
      fc.asyncProperty(plans, async (plan) => {
        fc.pre(solanaSizeOf(plan) <= maxTransactionBytes)
        compared++
        const { bytes } = signSolanaTransaction(plan, keyOf)
        expect(bytes).toEqual(await signedBy(await messageBy(plan)))
      }),
      { numRuns: 20 },
    )
    expect(compared).toBe(20)
  })

  it('derive the same addresses', async () => {
    for (const number of [1, 2, 3, 4, 5, 6, 7, 8])
      for (const program of ['token', 'token-2022'] as const) {
        const [owner, mint] = [address(receiver(number)), address(receiver(number + 1))]
        const [expected] = await findAssociatedTokenPda({ owner, mint, tokenProgram: tokenPrograms[program] })
        expect(associatedTokenAccount(owner, program, mint)).toBe(expected)
        expect(nonceAccount(owner, number)).toBe(await nonceAt(owner, number))
      }
  })

  // https://github.com/solana-foundation/solana-web3.js, test/transaction.test.ts: "parse wire format and serialize".
  it('a published transaction is made of the bytes that we make', () => {
    const vector =
      'AVuErQHaXv0SG0/PchunfxHKt8wMRfMZzqV0tkC5qO6owYxWU2v871AoWywGoFQr4z+q/7mE8lIufNl/kxj+nQ0BAAEDE5j2LG0aRXxRumpLXz29L2n8qTIWIY3ImX5Ba9F9k8r9Q5/Mtmcn8onFxt47xKj+XdXXd3C8j/FcPu7csUrz/AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAxJrndgN4IFTxep3s6kO0ROug7bEsbx0xxuDkqEvwUusBAgIAAQwCAAAAMQAAAAAAAAA='
    const bytes = base64.decode(vector)
    const key = new Uint8Array(32).fill(8)
    const from = receiver(8)
    const message = bytes.subarray(65)
    const compiled = getCompiledTransactionMessageDecoder().decode(message)
    const { instructions, lifetimeConstraint } = decompileTransactionMessage(compiled)
    const to = 'J3dxNj7nDRRqRRXuEMynDG57DkZK4jYRuv3Garmb1i99'
    expect(lifetimeConstraint).toMatchObject({ blockhash: 'EETubP5AKHgjPAhzPAFcb8BAY1hMH639CWCFTqi3hq1k' })
    expect(plain(instructions)).toEqual(
      plain(instructionsOf({ kind: 'transfer', from, to, units: 49n }, from)),
    )
    expect(ed25519.sign(message, key)).toEqual(bytes.subarray(1, 65))
    expect(readSolanaTransaction(bytes)).toEqual({
      refused: 'The transaction does not set its compute limit and price first.',
    })
  })
})

function plain(instructions: readonly Instruction[]) {
  return instructions.map(({ programAddress, accounts, data }) => ({
    programAddress,
    accounts,
    data: [...(data ?? [])],
  }))
}
