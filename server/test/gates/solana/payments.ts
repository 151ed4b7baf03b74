import { ed25519 } from '@noble/curves/ed25519.js'
import {
  type AccountMeta,
  AccountRole,
  type Address,
  address,
  appendTransactionMessageInstructions,
  type Blockhash,
  compileTransaction,
  createNoopSigner,
  createTransactionMessage,
  getCompiledTransactionMessageDecoder,
  getTransactionDecoder,
  getTransactionEncoder,
  type Instruction,
  type SignatureBytes,
  setTransactionMessageFeePayer,
  setTransactionMessageLifetimeUsingBlockhash,
} from '@solana/kit'
import {
  getSetComputeUnitLimitInstruction,
  getSetComputeUnitPriceInstruction,
} from '@solana-program/compute-budget'
import { getTransferSolInstruction } from '@solana-program/system'
import {
  findAssociatedTokenPda,
  getCreateAssociatedTokenIdempotentInstruction,
  getTransferCheckedInstruction,
  TOKEN_PROGRAM_ADDRESS,
} from '@solana-program/token'
import { describe, expect, it } from 'vitest'
import type { GateAsset, PaymentOrder, PaymentTransaction } from '../../../src/gates/gate.ts'
import { paymentReference } from '../../../src/gates/solana/payment-link.ts'
import { createMint, type Executor, lamportsAt, tokensIn } from './executor.ts'
import { receiver } from './plans.ts'
import { sol, tokenAt } from './spending.ts'

export const invoiceId = '019a8667-3bd4-7c21-9a6e-5d0c7f0f1b52'
const walletRent = 890_880n
const tokenRent = 2_039_280n

/** The hash of the block that a transaction depends on, and how it limits and prices its computing. */
export function termsOf(bytes: Uint8Array) {
  const message = getCompiledTransactionMessageDecoder().decode(
    getTransactionDecoder().decode(bytes).messageBytes,
  )
  if (message.version !== 'legacy') throw new Error('It is not a legacy transaction.')
  const [limit, price] = message.instructions.map(
    ({ data }) => new DataView(Uint8Array.from(data ?? []).buffer),
  )
  return {
    blockhash: message.lifetimeToken,
    computeLimit: limit?.getUint32(1, true) ?? 0,
    computePrice: price?.getBigUint64(1, true) ?? 0n,
  }
}

/** The same payment as the clients of the programs' authors write it, unsigned. */
export async function paymentBy(
  { payer: from, to, asset, units }: PaymentOrder,
  { blockhash, computeLimit, computePrice }: ReturnType<typeof termsOf>,
): Promise<Uint8Array> {
  const payer = address(from)
  const signer = createNoopSigner(payer)
  const reference: AccountMeta = { address: address(paymentReference(invoiceId)), role: AccountRole.READONLY }
  const named = (instruction: Instruction): Instruction => ({
    ...instruction,
    accounts: [...(instruction.accounts ?? []), reference],
  })
  const compute = [
    getSetComputeUnitLimitInstruction({ units: computeLimit }),
    getSetComputeUnitPriceInstruction({ microLamports: computePrice }),
  ]
  const own =
    asset.contractAddress === null
      ? [
          named(
            getTransferSolInstruction({ source: signer, destination: address(to.address), amount: units }),
          ),
        ]
      : await tokenInstructions(address(asset.contractAddress))
  const empty = setTransactionMessageFeePayer(payer, createTransactionMessage({ version: 'legacy' }))
  const framed = setTransactionMessageLifetimeUsingBlockhash(
    { blockhash: blockhash as Blockhash, lastValidBlockHeight: 1n },
    empty,
  )
  const message = appendTransactionMessageInstructions([...compute, ...own], framed)
  return Uint8Array.from(getTransactionEncoder().encode(compileTransaction(message)))

  async function tokenInstructions(mint: Address): Promise<readonly Instruction[]> {
    const account = (owner: Address) =>
      findAssociatedTokenPda({ owner, mint, tokenProgram: TOKEN_PROGRAM_ADDRESS })
    const owner = address(to.address)
    const [[source], [destination]] = await Promise.all([account(payer), account(owner)])
    const { decimals } = asset
    return [
      getCreateAssociatedTokenIdempotentInstruction({ payer: signer, ata: destination, owner, mint }),
      named(
        getTransferCheckedInstruction({
          source,
          mint,
          destination,
          authority: signer,
          amount: units,
          decimals,
        }),
      ),
    ]
  }
}

/** Signs as a wallet does, and refuses what a wallet has to refuse: any signer but the payer. */
export function signedByWallet(bytes: Uint8Array, payerNumber: number): Uint8Array {
  const { messageBytes, signatures } = getTransactionDecoder().decode(bytes)
  const payer = address(receiver(payerNumber))
  expect(signatures).toEqual({ [payer]: null })
  const signature = ed25519.sign(Uint8Array.from(messageBytes), new Uint8Array(32).fill(payerNumber))
  const signed = { messageBytes, signatures: { [payer]: signature as SignatureBytes } }
  return Uint8Array.from(getTransactionEncoder().encode(signed))
}

/** The bytes of a transaction that was made; fails if it was refused. */
export function madeBytes(made: PaymentTransaction): Uint8Array {
  if (!('bytes' in made)) throw new Error(`It was refused: ${made.refused}.`)
  return made.bytes
}

let payers = 210
let receivers = 150

/** Executes payments, and compares every lamport and token that they move. */
export function describePayments(
  name: string,
  open: () => Executor,
  pay: (order: PaymentOrder, assets: readonly GateAsset[]) => Promise<PaymentTransaction>,
): void {
  describe(`a payer’s transactions on ${name}`, () => {
    /** A payer with lamports. */
    async function newPayer(units: bigint): Promise<{ number: number; payer: string }> {
      const number = payers++
      await open().fund(receiver(number), units)
      return { number, payer: receiver(number) }
    }
    const newDeposit = () => ({ address: receiver(receivers++), tag: null })

    /** Has a payment made, compares it with the other clients', and executes it. Returns what it cost beside the amount. */
    async function paid(number: number, order: PaymentOrder, assets: readonly GateAsset[] = [sol]) {
      const before = await lamportsAt(open(), order.payer)
      const bytes = madeBytes(await pay(order, assets))
      expect(bytes).toEqual(await paymentBy(order, termsOf(bytes)))
      expect(await open().send(signedByWallet(bytes, number))).toEqual({ kind: 'done' })
      const { computeLimit, computePrice } = termsOf(bytes)
      const fee = 5_000n + (BigInt(computeLimit) * computePrice + 999_999n) / 1_000_000n
      return { spent: before - (await lamportsAt(open(), order.payer)), fee }
    }

    it('pay exactly the missing SOL, and everything down to the last lamport if that is what it takes', async () => {
      const { number, payer } = await newPayer(2_000_000_000n)
      const to = newDeposit()
      const units = 1_234_567_891n
      const { spent, fee } = await paid(number, { payer, to, asset: sol, units, invoiceId })
      expect([spent, await lamportsAt(open(), to.address)]).toEqual([units + fee, units])
      // The rest, without a lamport left over, to an address that exists by now.
      const rest = 2_000_000_000n - units - 2n * fee
      await paid(number, { payer, to, asset: sol, units: rest, invoiceId })
      expect([await lamportsAt(open(), payer), await lamportsAt(open(), to.address)]).toEqual([
        0n,
        units + rest,
      ])
    })

    it('are refused where the network would refuse them, with what it takes, and go through with exactly that', async () => {
      const { number, payer } = await newPayer(3_000_000n)
      const to = newDeposit()
      const order: PaymentOrder = { payer, to, asset: sol, units: 3_000_000n, invoiceId }
      expect(await pay({ ...order, units: walletRent - 1n }, [sol])).toEqual({ refused: 'too_small' })
      const short = await pay(order, [sol])
      if (!('neededUnits' in short)) throw new Error('It was not refused for lack of funds.')
      expect(short).toMatchObject({ refused: 'short', asset: sol, heldUnits: 3_000_000n })
      await open().fund(payer, short.neededUnits - 3_000_000n - 1n)
      expect(await pay(order, [sol])).toMatchObject({ refused: 'short', neededUnits: short.neededUnits })
      await open().fund(payer, 1n)
      await paid(number, order)
      expect(await lamportsAt(open(), payer)).toBe(walletRent)
    })

    it('pay exactly the missing tokens, open the account for them once, and need no more SOL than that', async () => {
      const { token, give } = await createMint(open(), 'token', 6)
      const usdc = tokenAt(token.mint)
      const { number, payer } = await newPayer(tokenRent)
      const to = newDeposit()
      await give(payer, 100_000_000n)
      const order: PaymentOrder = { payer, to, asset: usdc, units: 60_000_000n, invoiceId }
      const short = await pay(order, [sol, usdc])
      if (!('neededUnits' in short)) throw new Error('It was not refused for lack of SOL.')
      expect(short).toMatchObject({ refused: 'short', asset: sol, heldUnits: tokenRent })
      await open().fund(payer, short.neededUnits - tokenRent)
      const { spent, fee } = await paid(number, order, [sol, usdc])
      expect(spent).toBe(tokenRent + fee)
      const [account] = await findAssociatedTokenPda({
        owner: address(to.address),
        mint: address(token.mint),
        tokenProgram: TOKEN_PROGRAM_ADDRESS,
      })
      expect(await tokensIn(open(), account)).toBe(60_000_000n)

      expect(await pay(order, [sol, usdc])).toEqual({
        refused: 'short',
        asset: usdc,
        neededUnits: 60_000_000n,
        heldUnits: 40_000_000n,
      })
      await open().fund(payer, 10_000_000n)
      const again = await paid(number, { ...order, units: 40_000_000n }, [sol, usdc])
      expect([again.spent, await tokensIn(open(), account)]).toEqual([again.fee, 100_000_000n])
    })
  })
}
