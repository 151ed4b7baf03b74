import { afterAll, beforeAll, expect, it } from 'vitest'
import { solanaFee } from '../../../src/domain/solana-transaction.ts'
import type { SolanaPlan } from '../../../src/domain/spends.ts'
import { accountRentOf, payoutBudget, sweepBudget } from '../../../src/gates/solana/budgets.ts'
import { associatedTokenAccount } from '../../../src/gates/solana/derived-address.ts'
import { describeOnSolana, type SolanaNode, startSolanaNode } from '../../support/nodes/solana-node.ts'
import { createMint, type Executor, tokensIn } from './executor.ts'
import { deposits, hot, receiver } from './plans.ts'
import { creating, decided, openGate, paying, signed, sol, sweeping, tokenAt } from './spending.ts'
import { validatorExecutor } from './validator.ts'

const enough = 10_000_000_000n
const newer = 'token-2022'
// What opening an account of 170 bytes takes: the mint asks for nothing but an owner that never changes.
const rentTaken = 2_074_080n
let receivers = 230

describeOnSolana(() => {
  let node: SolanaNode
  let executor: Executor
  let gate: ReturnType<typeof openGate>['gate']
  let close: () => void
  beforeAll(async () => {
    node = await startSolanaNode()
    executor = validatorExecutor(node)
    await executor.fund(hot.address, enough)
    ;({ gate, close } = openGate([node.url]))
    await executor.send(signed(creating(0, await gate.nonceAccounts.creation())).bytes)
  })
  afterAll(async () => {
    close?.()
    await node?.close()
  })

  async function nonce(): Promise<SolanaPlan['lifetime']> {
    await executor.blockhash()
    const value = (await gate.nonceAccounts.values([0])).get(0)
    if (value === undefined) throw new Error('There is no nonce account.')
    return { kind: 'nonce', index: 0, value }
  }
  const feeOf = ({ computeLimit, computePrice, sources = [] }: SolanaPlan) =>
    solanaFee(1 + sources.length, computeLimit, computePrice)

  it('a payout of a token of Token-2022 arrives whole, within its budget', async () => {
    const made = await createMint(executor, newer, 6)
    const token = tokenAt(made.token.mint, newer)
    await made.give(hot.address, 1_000n)
    const to = receiver(receivers++)
    const simulated = await gate.simulateTransfer(hot.address, to, token, 300n)
    expect(simulated).toEqual({ gas: expect.any(BigInt), opensAccount: true })
    const gas = 'gas' in simulated ? simulated.gas : 0n
    const { computeLimit } = payoutBudget(newer, null)
    expect(gas).toBeLessThan(computeLimit)
    const plan = paying(await nonce(), to, token, 300n, { rentUnits: accountRentOf(newer) })
    const attempt = signed({ ...plan, computeLimit })
    expect(await gate.broadcast(attempt)).toBeNull()
    const fate = await decided(gate, attempt)
    expect(fate).toMatchObject({ succeeded: true, feeUnits: feeOf(attempt.plan) + rentTaken })
    expect(await tokensIn(executor, associatedTokenAccount(to, newer, made.token.mint))).toBe(300n)
  })

  it('deposits in it are swept, and their accounts closed, within the budget', async () => {
    const made = await createMint(executor, newer, 6)
    const token = tokenAt(made.token.mint, newer)
    await made.give(deposits[0]?.address ?? '', 40n)
    await made.give(deposits[1]?.address ?? '', 2n)
    const { computeLimit, rentUnits } = sweepBudget(newer, 2)
    const plan = sweeping(await nonce(), token, [40n, 2n])
    const attempt = signed({ ...plan, computeLimit, rentUnits })
    expect(await gate.broadcast(attempt)).toBeNull()
    expect(await decided(gate, attempt)).toMatchObject({
      succeeded: true,
      feeUnits: feeOf(attempt.plan) - rentTaken,
    })
    expect(await tokensIn(executor, associatedTokenAccount(hot.address, newer, made.token.mint))).toBe(42n)
  })

  it('a token that keeps a share of every transfer is not paid out, and the reason says so', async () => {
    const made = await createMint(executor, newer, 6, 100)
    const token = tokenAt(made.token.mint, newer)
    await made.give(hot.address, 1_000_000n)
    expect(await gate.simulateTransfer(hot.address, receiver(receivers++), token, 500_000n)).toEqual({
      refused: 'the token takes a fee or changes amounts: of 0.5 sent, 0.495 would arrive',
    })
  })

  it('a token of one program is not paid by the other', async () => {
    const made = await createMint(executor, newer, 6)
    await made.give(hot.address, 1_000n)
    const wrong = tokenAt(made.token.mint)
    expect(await gate.simulateTransfer(hot.address, receiver(receivers++), wrong, 1n)).toEqual({
      refused: expect.stringMatching(/\w/),
    })
    expect(await gate.simulateTransfer(hot.address, receiver(receivers++), sol, 1_000_000n)).toHaveProperty(
      'gas',
    )
  })
})
