import { type Address, address } from '@solana/addresses'
import type { Instruction } from '@solana/instructions'
import {
  appendTransactionMessageInstructions,
  compileTransactionMessage,
  createTransactionMessage,
  getCompiledTransactionMessageEncoder,
  type Nonce,
  setTransactionMessageFeePayer,
  setTransactionMessageLifetimeUsingBlockhash,
  setTransactionMessageLifetimeUsingDurableNonce,
} from '@solana/transaction-messages'
import type { SolanaContent } from './actions.ts'
import { computeInstructions, instructionsOf } from './instructions.ts'

type Blockhash = Parameters<typeof setTransactionMessageLifetimeUsingBlockhash>[0]['blockhash']

/** A legacy message: the bytes that are signed, and who must sign, in order. */
export type SolanaMessage = { readonly bytes: Uint8Array; readonly signers: readonly Address[] }

/**
 * The message with this content, always the same bytes: the nonce is advanced first, as the network demands, then the
 * compute budget is set, then the actions follow in their order.
 */
export function messageOf({
  payer,
  lifetime,
  actions,
  computeLimit,
  computePrice,
}: SolanaContent): SolanaMessage {
  return compiledMessage(payer, lifetime, [
    ...computeInstructions(computeLimit, computePrice),
    ...actions.flatMap((action) => instructionsOf(action, payer)),
  ])
}

/** The message with these instructions, after the one that advances a nonce. */
export function compiledMessage(
  payer: string,
  lifetime: SolanaContent['lifetime'],
  instructions: readonly Instruction[],
): SolanaMessage {
  const empty = setTransactionMessageFeePayer(address(payer), createTransactionMessage({ version: 'legacy' }))
  const framed =
    lifetime.kind === 'nonce'
      ? setTransactionMessageLifetimeUsingDurableNonce(
          {
            nonce: lifetime.value as Nonce,
            nonceAccountAddress: address(lifetime.account),
            nonceAuthorityAddress: address(payer),
          },
          empty,
        )
      : setTransactionMessageLifetimeUsingBlockhash(
          // The height is for clients that wait; it is not part of the message.
          { blockhash: lifetime.value as Blockhash, lastValidBlockHeight: 0n },
          empty,
        )
  const compiled = compileTransactionMessage(appendTransactionMessageInstructions(instructions, framed))
  return {
    bytes: Uint8Array.from(getCompiledTransactionMessageEncoder().encode(compiled)),
    signers: compiled.staticAccounts.slice(0, compiled.header.numSignerAccounts),
  }
}
