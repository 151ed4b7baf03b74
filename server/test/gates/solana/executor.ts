import {
  AccountRole,
  address,
  appendTransactionMessageInstructions,
  type Blockhash,
  createKeyPairSignerFromPrivateKeyBytes,
  createTransactionMessage,
  getAddressEncoder,
  getSignatureFromTransaction,
  getTransactionEncoder,
  type Instruction,
  type KeyPairSigner,
  setTransactionMessageFeePayerSigner,
  setTransactionMessageLifetimeUsingBlockhash,
  signTransactionMessageWithSigners,
} from '@solana/kit'
import { getCreateAccountInstruction } from '@solana-program/system'
import {
  findAssociatedTokenPda,
  getCreateAssociatedTokenIdempotentInstruction,
  getInitializeMint2Instruction,
  getMintToInstruction,
  getTokenDecoder,
} from '@solana-program/token'
import type { SolanaToken, TokenProgram } from '../../../src/domain/solana-transaction.ts'
import { tokenPrograms } from '../../../src/gates/solana/derived-address.ts'

/** What has become of signed bytes: `failed` was executed without effect but for its fee and nonce, `refused` was not. */
export type Outcome =
  | { readonly kind: 'done' }
  | { readonly kind: 'failed' | 'refused'; readonly reason: string }

/** Something that executes transactions of Solana. */
export type Executor = {
  /** Makes lamports from nothing. */
  fund(address: string, units: bigint): Promise<void>
  /** The hash of a block that is made from now on: a nonce is not advanced twice between two blocks. */
  blockhash(): Promise<string>
  /** Executes signed bytes, and waits until it is known what became of them. */
  send(bytes: Uint8Array): Promise<Outcome>
  account(address: string): Promise<{ readonly units: bigint; readonly data: Uint8Array } | null>
}

const mintBytes = 82n
const mintRent = 1_461_600n
let mints = 100

function signerOf(number: number): Promise<KeyPairSigner> {
  return createKeyPairSignerFromPrivateKeyBytes(new Uint8Array(32).fill(number))
}

// The base of a mint with extensions, what kind it is, and the two fees with who may set and collect them.
const feeMintBytes = 165n + 1n + 4n + 108n
const feeMintRent = 2_825_760n

/** Makes a mint of Token-2022 keep a share of every transfer, in hundredths of a percent. */
function feeInstruction(mint: string, authority: string, bps: number): Instruction {
  const key = [1, ...getAddressEncoder().encode(address(authority))]
  const most = new Uint8Array(8).fill(255)
  return {
    programAddress: tokenPrograms['token-2022'],
    accounts: [{ address: address(mint), role: AccountRole.WRITABLE }],
    data: Uint8Array.from([26, 0, ...key, ...key, bps & 255, bps >> 8, ...most]),
  }
}

/** Creates a mint, and its authority with lamports. Returns how its tokens are given out. */
export async function createMint(executor: Executor, program: TokenProgram, decimals: number, feeBps = 0) {
  const [authority, mint] = await Promise.all([signerOf(mints++), signerOf(mints++)])
  const programAddress = tokenPrograms[program]
  await executor.fund(authority.address, 1_000_000_000n)
  await execute(executor, authority, [
    getCreateAccountInstruction({
      payer: authority,
      newAccount: mint,
      lamports: feeBps > 0 ? feeMintRent : mintRent,
      space: feeBps > 0 ? feeMintBytes : mintBytes,
      programAddress,
    }),
    ...(feeBps > 0 ? [feeInstruction(mint.address, authority.address, feeBps)] : []),
    getInitializeMint2Instruction(
      { mint: mint.address, decimals, mintAuthority: authority.address },
      { programAddress },
    ),
  ])
  const token: SolanaToken = { program, mint: mint.address, decimals }
  return {
    token,
    /** Gives tokens to an owner, at the associated token account. */
    async give(owner: string, units: bigint): Promise<void> {
      const given = { owner: address(owner), mint: mint.address, tokenProgram: programAddress }
      const [ata] = await findAssociatedTokenPda(given)
      await execute(executor, authority, [
        getCreateAssociatedTokenIdempotentInstruction({ ...given, payer: authority, ata }),
        getMintToInstruction(
          { mint: mint.address, token: ata, mintAuthority: authority, amount: units },
          { programAddress },
        ),
      ])
    },
  }
}

async function execute(executor: Executor, payer: KeyPairSigner, instructions: readonly Instruction[]) {
  const { outcome } = await sendFrom(executor, payer, instructions)
  if (outcome.kind !== 'done') throw new Error(`The transaction was ${outcome.kind}: ${outcome.reason}`)
}

/** Sends instructions in one transaction that the payer signs. */
export async function sendFrom(
  executor: Executor,
  payer: KeyPairSigner,
  instructions: readonly Instruction[],
): Promise<{ readonly hash: string; readonly outcome: Outcome }> {
  const blockhash = (await executor.blockhash()) as Blockhash
  const empty = setTransactionMessageFeePayerSigner(payer, createTransactionMessage({ version: 'legacy' }))
  const framed = setTransactionMessageLifetimeUsingBlockhash({ blockhash, lastValidBlockHeight: 0n }, empty)
  const signed = await signTransactionMessageWithSigners(
    appendTransactionMessageInstructions(instructions, framed),
  )
  const outcome = await executor.send(Uint8Array.from(getTransactionEncoder().encode(signed)))
  return { hash: getSignatureFromTransaction(signed), outcome }
}

/** The lamports at an address. */
export async function lamportsAt(executor: Executor, account: string): Promise<bigint> {
  return (await executor.account(account))?.units ?? 0n
}

/** The tokens in a token account; null if there is none. */
export async function tokensIn(executor: Executor, account: string): Promise<bigint | null> {
  const found = await executor.account(account)
  return found === null ? null : getTokenDecoder().decode(found.data).amount
}
