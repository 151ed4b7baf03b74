import { beforeAll, describe, expect, it } from 'vitest'
import {
  type SolanaStep,
  type SolanaTransaction,
  solanaFeeOf,
  type TokenProgram,
} from '../../../src/domain/solana-transaction.ts'
import { associatedTokenAccount, nonceAccount } from '../../../src/gates/solana/derived-address.ts'
import { readNonceAccount } from '../../../src/gates/solana/nonce-account.ts'
import { signSolanaTransaction } from '../../../src/gates/solana/sign-transaction.ts'
import { createMint, type Executor, lamportsAt, tokensIn } from './executor.ts'
import { deposits, hot, keyOf, planOf, receiver } from './plans.ts'

const nonceRent = 1_447_680n
/** The rent of token accounts: those of Token-2022 also say that their owner never changes. */
const accountRent: Readonly<Record<TokenProgram, bigint>> = { token: 2_039_280n, 'token-2022': 2_074_080n }
const programs = ['token', 'token-2022'] as const
const enough = 10_000_000_000n
let receivers = 30

/**
 * Executes our transactions, and compares every lamport and token that they move. `undoesFailed`: whether a transaction that
 * fails leaves nothing of its first steps, as on the network.
 */
export function describeExecution(
  name: string,
  { undoesFailed }: { readonly undoesFailed: boolean },
  start: () => Promise<Executor>,
): void {
  describe(`transactions on ${name}`, () => {
    let executor: Executor

    const sent = (plan: SolanaTransaction) => executor.send(signSolanaTransaction(plan, keyOf).bytes)
    const nonceOf = async (index: number): Promise<string> => {
      const account = await executor.account(nonceAccount(hot.address, index))
      return readNonceAccount(account?.data ?? new Uint8Array())?.value ?? ''
    }
    /** A plan with the present value of a nonce account, which is not the newest block's. */
    const planned = async (...steps: readonly SolanaStep[]): Promise<SolanaTransaction> => {
      await executor.blockhash()
      return planOf(steps, { kind: 'nonce', index: 0, value: await nonceOf(0) })
    }
    const paying = (to: string, units: bigint, from = hot): SolanaStep => ({
      kind: 'transfer',
      from,
      to,
      units,
      payoutId: null,
    })

    beforeAll(async () => {
      executor = await start()
      await executor.fund(hot.address, enough)
    })

    it('create nonce accounts, each once', async () => {
      const create = async () =>
        planOf(
          [0, 1].map((index) => ({ kind: 'create_nonce', index, units: nonceRent })),
          { kind: 'blockhash', value: await executor.blockhash() },
        )
      const plan = await create()
      const before = await lamportsAt(executor, hot.address)
      expect(await sent(plan)).toEqual({ kind: 'done' })
      expect(await lamportsAt(executor, hot.address)).toBe(before - 2n * nonceRent - solanaFeeOf(plan))
      const account = await executor.account(nonceAccount(hot.address, 1))
      expect(readNonceAccount(account?.data ?? new Uint8Array())).toMatchObject({ authority: hot.address })
      expect(await sent(await create())).toMatchObject({ kind: 'failed' })
      expect(await lamportsAt(executor, nonceAccount(hot.address, 1))).toBe(nonceRent)
    })

    it('create nonce accounts also where someone has sent SOL in advance', async () => {
      const account = nonceAccount(hot.address, 2)
      await executor.fund(account, 1_000_000n)
      const plan = planOf([{ kind: 'create_nonce', index: 2, units: nonceRent }], {
        kind: 'blockhash',
        value: await executor.blockhash(),
      })
      expect(await sent(plan)).toEqual({ kind: 'done' })
      const found = await executor.account(account)
      expect(found?.units).toBe(1_000_000n + nonceRent)
      expect(readNonceAccount(found?.data ?? new Uint8Array())).toMatchObject({ authority: hot.address })
    })

    it('pay once, however often their bytes are sent', async () => {
      const to = receiver(receivers++)
      const plan = await planned(paying(to, 5_000_000n), { kind: 'memo', text: 'für 42' })
      const before = await lamportsAt(executor, hot.address)
      expect(await sent(plan)).toEqual({ kind: 'done' })
      await executor.blockhash()
      expect(await sent(plan)).toMatchObject({ kind: 'refused' })
      expect(await lamportsAt(executor, to)).toBe(5_000_000n)
      expect(await lamportsAt(executor, hot.address)).toBe(before - 5_000_000n - solanaFeeOf(plan))
      expect(await nonceOf(0)).not.toBe(plan.lifetime.value)
    })

    it('wait for as long as their nonce is not advanced, and are dead from then on', async () => {
      const to = receiver(receivers++)
      const plan = await planned(paying(to, 5_000_000n))
      const cancelling = { ...plan, steps: [] }
      const before = await lamportsAt(executor, hot.address)
      expect(await sent(cancelling)).toEqual({ kind: 'done' })
      await executor.blockhash()
      expect(await sent(plan)).toMatchObject({ kind: 'refused' })
      expect(await lamportsAt(executor, to)).toBe(0n)
      expect(await lamportsAt(executor, hot.address)).toBe(before - solanaFeeOf(cancelling))
    })

    it('that fail use up their nonce and pay their fee, and move nothing', async () => {
      const to = receiver(receivers++)
      const plan = await planned(paying(to, enough))
      const before = await lamportsAt(executor, hot.address)
      expect(await sent(plan)).toMatchObject({ kind: 'failed' })
      await executor.blockhash()
      expect(await sent(plan)).toMatchObject({ kind: 'refused' })
      expect(await lamportsAt(executor, to)).toBe(0n)
      expect(await lamportsAt(executor, hot.address)).toBe(before - solanaFeeOf(plan))
      expect(await nonceOf(0)).not.toBe(plan.lifetime.value)
    })

    if (undoesFailed)
      it('that fail at a later step undo the ones before', async () => {
        const to = receiver(receivers++)
        const plan = await planned(paying(to, 5_000_000n), paying(to, enough))
        const before = await lamportsAt(executor, hot.address)
        expect(await sent(plan)).toMatchObject({ kind: 'failed' })
        expect(await lamportsAt(executor, to)).toBe(0n)
        expect(await lamportsAt(executor, hot.address)).toBe(before - solanaFeeOf(plan))
      })

    it('of another nonce account do not matter', async () => {
      const to = receiver(receivers++)
      const plan = await planned(paying(to, 5_000_000n))
      const other: SolanaTransaction = {
        ...plan,
        lifetime: { kind: 'nonce', index: 1, value: await nonceOf(1) },
        steps: [],
      }
      expect(await sent(other)).toEqual({ kind: 'done' })
      expect(await sent(plan)).toEqual({ kind: 'done' })
      expect(await lamportsAt(executor, to)).toBe(5_000_000n)
    })

    it.each(programs)(
      'pay tokens of %s, and open the account of a receiver who has none',
      async (program) => {
        const { token, give } = await createMint(executor, program, 6)
        const { mint } = token
        const account = associatedTokenAccount(hot.address, program, mint)
        await give(hot.address, 1_000n)
        const to = receiver(receivers++)
        const paid = associatedTokenAccount(to, program, mint)
        const pay: SolanaStep = {
          kind: 'transfer_token',
          token,
          account,
          from: hot,
          to,
          units: 300n,
          payoutId: null,
        }
        expect(await sent(await planned(pay))).toMatchObject({ kind: 'failed' })
        const rentUnits = accountRent[program]
        const plan = await planned({ kind: 'open', program, mint, owner: to, rentUnits }, pay)
        const before = await lamportsAt(executor, hot.address)
        expect(await sent(plan)).toEqual({ kind: 'done' })
        expect(await tokensIn(executor, paid)).toBe(300n)
        expect(await lamportsAt(executor, hot.address)).toBe(before - solanaFeeOf(plan) - rentUnits)
        // Opening it again costs nothing.
        const again = await planned(...plan.steps)
        expect(await sent(again)).toEqual({ kind: 'done' })
        expect(await tokensIn(executor, paid)).toBe(600n)
        expect(await tokensIn(executor, account)).toBe(400n)
        expect(await lamportsAt(executor, hot.address)).toBe(
          before - solanaFeeOf(plan) - solanaFeeOf(again) - rentUnits,
        )
        const wrong = await planned({ ...pay, token: { ...token, decimals: 9 } })
        expect(await sent(wrong)).toMatchObject({ kind: 'failed' })
      },
    )

    it.each(programs)(
      'sweep tokens of %s and SOL of several owners, who need no SOL for it',
      async (program) => {
        const { token, give } = await createMint(executor, program, 6)
        const { mint } = token
        const [first = hot, second = hot, third = hot] = deposits
        await give(hot.address, 1n)
        await give(first.address, 500n)
        await give(second.address, 700n)
        await executor.fund(third.address, 9_000_000n)
        const emptied = (owner: typeof hot, units: bigint): SolanaStep[] => {
          const account = associatedTokenAccount(owner.address, program, mint)
          return [
            {
              kind: 'transfer_token',
              token,
              account,
              from: owner,
              to: hot.address,
              units,
              payoutId: null,
            },
            { kind: 'close', program, account, owner },
          ]
        }
        const plan = await planned(
          ...emptied(first, 500n),
          ...emptied(second, 700n),
          paying(hot.address, 9_000_000n, third),
        )
        const before = await lamportsAt(executor, hot.address)
        expect(await sent(plan)).toEqual({ kind: 'done' })
        expect(await tokensIn(executor, associatedTokenAccount(hot.address, program, mint))).toBe(1_201n)
        for (const owner of [first, second]) {
          const account = associatedTokenAccount(owner.address, program, mint)
          expect(await tokensIn(executor, account)).toBeNull()
          expect(await lamportsAt(executor, owner.address)).toBe(0n)
        }
        expect(await lamportsAt(executor, third.address)).toBe(0n)
        expect(solanaFeeOf(plan)).toBe(20_001n)
        expect(await lamportsAt(executor, hot.address)).toBe(
          before + 2n * accountRent[program] + 9_000_000n - solanaFeeOf(plan),
        )
      },
    )

    it('that keep tokens in an account they close fail as a whole', async () => {
      const { token, give } = await createMint(executor, 'token', 0)
      const [first = hot] = deposits
      await give(first.address, 2n)
      const account = associatedTokenAccount(first.address, 'token', token.mint)
      const plan = await planned({ kind: 'close', program: 'token', account, owner: first })
      expect(await sent(plan)).toMatchObject({ kind: 'failed' })
      expect(await tokensIn(executor, account)).toBe(2n)
    })
  })
}
