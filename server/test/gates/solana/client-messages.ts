import {
  type Address,
  address,
  appendTransactionMessageInstructions,
  type Blockhash,
  compileTransaction,
  createAddressWithSeed,
  createKeyPairSignerFromPrivateKeyBytes,
  createNoopSigner,
  createTransactionMessage,
  getTransactionEncoder,
  type Instruction,
  type Nonce,
  partiallySignTransaction,
  setTransactionMessageFeePayer,
  setTransactionMessageLifetimeUsingBlockhash,
  setTransactionMessageLifetimeUsingDurableNonce,
} from '@solana/kit'
import {
  getSetComputeUnitLimitInstruction,
  getSetComputeUnitPriceInstruction,
} from '@solana-program/compute-budget'
import {
  getAllocateWithSeedInstruction,
  getInitializeNonceAccountInstruction,
  getTransferSolInstruction,
  SYSTEM_PROGRAM_ADDRESS,
} from '@solana-program/system'
import {
  findAssociatedTokenPda,
  getCloseAccountInstruction,
  getCreateAssociatedTokenIdempotentInstruction,
  getTransferCheckedInstruction,
} from '@solana-program/token'
import type { SolanaStep, SolanaTransaction } from '../../../src/domain/solana-transaction.ts'
import { tokenPrograms } from '../../../src/gates/solana/derived-address.ts'
import { deposits, hot, keyOf } from './plans.ts'

// The clients of the programs' authors write instructions with code that is not ours, and sign with WebCrypto.

/** A message of the library, with the instructions of a plan as the clients of the programs write them. */
export async function messageBy(plan: SolanaTransaction, instructions?: readonly Instruction[]) {
  const payer = address(plan.payer.address)
  const empty = setTransactionMessageFeePayer(payer, createTransactionMessage({ version: 'legacy' }))
  const { lifetime } = plan
  const framed =
    lifetime.kind === 'nonce'
      ? setTransactionMessageLifetimeUsingDurableNonce(
          {
            nonce: lifetime.value as Nonce,
            nonceAccountAddress: await nonceAt(payer, lifetime.index),
            nonceAuthorityAddress: payer,
          },
          empty,
        )
      : setTransactionMessageLifetimeUsingBlockhash(
          { blockhash: lifetime.value as Blockhash, lastValidBlockHeight: 1n },
          empty,
        )
  const compute = [
    getSetComputeUnitLimitInstruction({ units: Number(plan.computeLimit) }),
    getSetComputeUnitPriceInstruction({ microLamports: plan.computePrice }),
  ]
  const own = (await Promise.all(plan.steps.map((step) => instructionsBy(step, payer)))).flat()
  return appendTransactionMessageInstructions(instructions ?? [...compute, ...own], framed)
}

/** The address of a nonce account. */
export function nonceAt(baseAddress: Address, index: number) {
  return createAddressWithSeed({
    baseAddress,
    programAddress: SYSTEM_PROGRAM_ADDRESS,
    seed: `sluice nonce ${index}`,
  })
}

async function instructionsBy(step: SolanaStep, payer: Address): Promise<readonly Instruction[]> {
  const signer = (given: string) => createNoopSigner(address(given))
  switch (step.kind) {
    case 'transfer':
      return [
        getTransferSolInstruction({
          source: signer(step.from.address),
          destination: address(step.to),
          amount: step.units,
        }),
      ]
    case 'transfer_token': {
      const programAddress = tokenPrograms[step.token.program]
      const mint = address(step.token.mint)
      const [destination] = await findAssociatedTokenPda({
        owner: address(step.to),
        tokenProgram: programAddress,
        mint,
      })
      const { units: amount, token } = step
      const accounts = { source: address(step.account), mint, destination }
      return [
        getTransferCheckedInstruction(
          { ...accounts, authority: signer(step.from.address), amount, decimals: token.decimals },
          { programAddress },
        ),
      ]
    }
    case 'open': {
      const tokenProgram = tokenPrograms[step.program]
      const given = { owner: address(step.owner), mint: address(step.mint), tokenProgram }
      const [ata] = await findAssociatedTokenPda(given)
      return [getCreateAssociatedTokenIdempotentInstruction({ ...given, payer: signer(payer), ata })]
    }
    case 'close':
      return [
        getCloseAccountInstruction(
          { account: address(step.account), destination: payer, owner: signer(step.owner.address) },
          { programAddress: tokenPrograms[step.program] },
        ),
      ]
    case 'memo':
      return [
        {
          programAddress: address('MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr'),
          data: new TextEncoder().encode(step.text),
        },
      ]
    case 'create_nonce': {
      const newAccount = await nonceAt(payer, step.index)
      return [
        getAllocateWithSeedInstruction({
          newAccount,
          baseAccount: signer(payer),
          base: payer,
          seed: `sluice nonce ${step.index}`,
          space: 80n,
          programAddress: SYSTEM_PROGRAM_ADDRESS,
        }),
        getTransferSolInstruction({ source: signer(payer), destination: newAccount, amount: step.units }),
        getInitializeNonceAccountInstruction({ nonceAccount: newAccount, nonceAuthority: payer }),
      ]
    }
  }
}

/** The message with the signatures of all of our keys that it needs. */
export async function signedBy(message: Parameters<typeof compileTransaction>[0]): Promise<Uint8Array> {
  const all = await Promise.all(
    [hot, ...deposits].map(({ key }) => createKeyPairSignerFromPrivateKeyBytes(keyOf(key))),
  )
  const transaction = compileTransaction(message)
  const needed = all.filter(({ address }) => address in transaction.signatures).map(({ keyPair }) => keyPair)
  return Uint8Array.from(getTransactionEncoder().encode(await partiallySignTransaction(needed, transaction)))
}
