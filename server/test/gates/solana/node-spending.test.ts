import { afterAll, beforeAll, expect, it } from 'vitest'
import { solanaFee } from '../../../src/domain/solana-transaction.ts'
import type { SolanaPlan } from '../../../src/domain/spends.ts'
import { type GateAsset, noAddresses } from '../../../src/gates/gate.ts'
import { nonceAccountRent, payoutBudget, tokenAccountRent } from '../../../src/gates/solana/budgets.ts'
import { associatedTokenAccount, nonceAccount } from '../../../src/gates/solana/derived-address.ts'
import { signSolanaTransaction } from '../../../src/gates/solana/sign-transaction.ts'
import { describeOnSolana, type SolanaNode, startSolanaNode } from '../../support/nodes/solana-node.ts'
import { createMint, type Executor, lamportsAt, tokensIn } from './executor.ts'
import { deposits, hot, keyOf, planOf, receiver } from './plans.ts'
import {
  type Attempt,
  cancelling,
  creating,
  decided,
  openGate,
  paying,
  prices,
  signed,
  sol,
  sweeping,
  tokenAt,
} from './spending.ts'
import { validatorExecutor } from './validator.ts'

const enough = 10_000_000_000n
let receivers = 200

describeOnSolana(() => {
  let node: SolanaNode
  let executor: Executor
  let gate: ReturnType<typeof openGate>['gate']
  let close: () => void
  let usdc: GateAsset
  let give: (owner: string, units: bigint) => Promise<void>
  const warnings: string[] = []

  beforeAll(async () => {
    node = await startSolanaNode()
    executor = validatorExecutor(node)
    await executor.fund(hot.address, enough)
    const made = await createMint(executor, 'token', 6)
    usdc = tokenAt(made.token.mint)
    give = made.give
    ;({ gate, close } = openGate([node.url], { assets: [sol, usdc], warnings }))
  })
  afterAll(async () => {
    close?.()
    await node?.close()
  })

  const feeOf = ({ computeLimit, computePrice, sources = [] }: SolanaPlan) =>
    solanaFee(1 + sources.length, computeLimit, computePrice)

  /** The present lifetime of a nonce account, which is not the newest block's. */
  async function nonce(index = 0): Promise<SolanaPlan['lifetime']> {
    await executor.blockhash()
    const value = (await gate.nonceAccounts.values([index])).get(index)
    if (value === undefined) throw new Error(`There is no nonce account ${index}.`)
    return { kind: 'nonce', index, value }
  }

  /** Sends an attempt, and compares every lamport that it moved at the hot wallet with what its fate says. */
  async function carriedOut(attempt: Attempt, received = 0n) {
    const before = await lamportsAt(executor, hot.address)
    expect(await gate.fate([attempt])).toEqual({ kind: 'unknown' })
    expect(await gate.broadcast(attempt)).toBeNull()
    const fate = await decided(gate, attempt)
    if (fate.kind !== 'mined') throw new Error(`It is ${fate.kind}.`)
    expect(fate).toMatchObject({ hash: attempt.hash, succeeded: true })
    // A follower finds that block where the fate says it is.
    expect(await gate.block(fate.block.height, noAddresses)).toMatchObject(fate.block)
    const { slot } = await node.ask('getTransaction', attempt.hash, { encoding: 'json' })
    const { blockhash } = await node.ask('getBlock', slot, { transactionDetails: 'none' })
    expect(fate.block.hash).toBe(blockhash)
    expect(await gate.nativeBalance(hot.address)).toBe(before + received - fate.feeUnits)
    // Sent again, it is known, and nothing happens.
    expect(await gate.broadcast(attempt)).toBeNull()
    expect(await lamportsAt(executor, hot.address)).toBe(before + received - fate.feeUnits)
    return fate
  }

  it('creates nonce accounts by plan, and charges their rent', async () => {
    expect(await gate.nonceAccounts.values([0, 1, 2])).toEqual(new Map())
    for (const index of [0, 1]) {
      const creation = await gate.nonceAccounts.creation()
      expect(creation.rentUnits).toBe(nonceAccountRent)
      const attempt = signed(creating(index, creation))
      const fate = await carriedOut(attempt)
      expect(fate.feeUnits).toBe(feeOf(attempt.plan) + nonceAccountRent)
    }
    expect([...(await gate.nonceAccounts.values([0, 1, 2])).keys()]).toEqual([0, 1])
    expect(warnings).toEqual([])
  })

  it('rules out a creation of an account that another transaction has created', async () => {
    await executor.blockhash()
    const second = signed(creating(1, await gate.nonceAccounts.creation()))
    expect(await gate.broadcast(second)).toMatch(/exists already/)
    const fate = await gate.fate([second])
    expect(fate).toMatchObject({ kind: 'ruled_out', reason: expect.stringContaining('was created by') })
  })

  it('waits for a creation until its last block, and rules it out afterwards', async () => {
    const creation = await gate.nonceAccounts.creation()
    const early = signed(creating(5, { ...creation, lastValidHeight: 10n ** 9n }))
    expect(await gate.fate([early])).toEqual({ kind: 'unknown' })
    const lastValidHeight = BigInt(await node.ask('getBlockHeight')) - 3n
    const late = signed(creating(5, { ...creation, lastValidHeight }))
    const { blockhash } = await node.ask('getBlock', Number(lastValidHeight + 1n), {
      transactionDetails: 'none',
    })
    expect(await gate.fate([late])).toEqual({
      kind: 'ruled_out',
      block: { height: lastValidHeight + 1n, hash: blockhash },
      reason: `It could be executed until block ${lastValidHeight}, and was not.`,
    })
    // The attempt that lives longest counts.
    expect(await gate.fate([late, early])).toEqual({ kind: 'unknown' })
  })

  it('creates a nonce account where someone has sent SOL in advance', async () => {
    await executor.fund(nonceAccount(hot.address, 7), 1_000_000n)
    expect(await gate.nonceAccounts.values([7])).toEqual(new Map())
    expect(warnings).toEqual([])
    const attempt = signed(creating(7, await gate.nonceAccounts.creation()))
    expect((await carriedOut(attempt)).feeUnits).toBe(feeOf(attempt.plan) + nonceAccountRent)
    expect((await gate.nonceAccounts.values([7])).size).toBe(1)
  })

  it('pays SOL once', async () => {
    const to = receiver(receivers++)
    const attempt = signed(paying(await nonce(), to, sol, 5_000_000n))
    const fate = await carriedOut(attempt, -5_000_000n)
    expect(fate.feeUnits).toBe(feeOf(attempt.plan))
    expect(await lamportsAt(executor, to)).toBe(5_000_000n)
    expect(await gate.nonceAccounts.values([0])).not.toEqual(
      new Map([[0, (attempt.plan.lifetime as { value: string }).value]]),
    )
  })

  it('pays tokens, and charges the rent of an account that it opens only then', async () => {
    const to = receiver(receivers++)
    await give(hot.address, 1_000n)
    const first = await gate.simulateTransfer(hot.address, to, usdc, 300n)
    expect(first).toEqual({ gas: expect.any(BigInt), opensAccount: true })
    const opening = signed(paying(await nonce(), to, usdc, 300n, { rentUnits: tokenAccountRent }))
    expect((await carriedOut(opening)).feeUnits).toBe(feeOf(opening.plan) + tokenAccountRent)
    const { meta } = await node.ask('getTransaction', opening.hash, { encoding: 'json' })
    expect(first).toMatchObject({ gas: BigInt(meta.computeUnitsConsumed) })
    const second = await gate.simulateTransfer(hot.address, to, usdc, 200n)
    expect(second).toEqual({ gas: expect.any(BigInt) })
    // Someone else may have opened it since it was planned.
    const again = signed(paying(await nonce(), to, usdc, 200n, { rentUnits: tokenAccountRent }))
    expect((await carriedOut(again)).feeUnits).toBe(feeOf(again.plan))
    expect(await tokensIn(executor, associatedTokenAccount(to, 'token', usdc.contractAddress ?? ''))).toBe(
      500n,
    )
  })

  it('sweeps several owners at once, and counts the rent that comes back', async () => {
    const [first = hot, second = hot, third = hot] = deposits
    await give(first.address, 500n)
    await give(second.address, 700n)
    const simulated = await gate.simulateTransfer(first.address, hot.address, usdc, 500n)
    expect(simulated).toEqual({ gas: expect.any(BigInt) })
    const attempt = signed(sweeping(await nonce(), usdc, [500n, 700n]))
    const fate = await carriedOut(attempt)
    expect(fate.feeUnits).toBe(feeOf(attempt.plan) - 2n * tokenAccountRent)
    for (const [at, owner] of [first, second, third].entries())
      await executor.fund(owner.address, 9_000_000n + BigInt(at))
    const native = signed(sweeping(await nonce(), sol, [9_000_000n, 9_000_001n, 9_000_002n]))
    const swept = await carriedOut(native, 27_000_003n)
    expect(swept.feeUnits).toBe(feeOf(native.plan))
  })

  it('rules a payout out by the transaction that has used its nonce, and by no other', async () => {
    const lifetime = await nonce()
    const payout = signed(paying(lifetime, receiver(receivers++), sol, 5_000_000n))
    const cancel = signed(cancelling(lifetime))
    const fate = await carriedOut(cancel)
    expect(fate.feeUnits).toBe(feeOf(cancel.plan))
    const ruledOut = {
      kind: 'ruled_out',
      block: fate.block,
      reason: `Its nonce was used by ${cancel.hash} in block ${fate.block.height}.`,
    }
    expect(await gate.fate([payout])).toEqual(ruledOut)
    expect(await gate.fate([payout, cancel])).toEqual(fate)
    expect(await gate.broadcast(payout)).toMatch(/has been used/)
    // A later transaction that only names the account changes nothing, nor does one that holds another nonce.
    const naming = signed(paying(await nonce(1), nonceAccount(hot.address, 0), sol, 1_000_000n))
    expect(await gate.broadcast(naming)).toBeNull()
    await decided(gate, signed(naming.plan))
    expect(await gate.fate([payout])).toEqual(ruledOut)
  })

  it('does not take a nonce of another account with the same value for this one', async () => {
    // Accounts that are created or advanced in the same block hold the same value.
    const steps = [10, 11].map((index) => ({
      kind: 'create_nonce' as const,
      index,
      units: nonceAccountRent,
    }))
    const both = planOf(steps, { kind: 'blockhash', value: await executor.blockhash() })
    await executor.send(signSolanaTransaction(both, keyOf).bytes)
    const values = await gate.nonceAccounts.values([10, 11])
    const value = values.get(10) ?? ''
    expect(values.get(11)).toBe(value)
    await executor.blockhash()
    const to = receiver(receivers++)
    const payout = signed(paying({ kind: 'nonce', index: 10, value }, to, sol, 5_000_000n))
    const dearer = signed({ ...payout.plan, computePrice: 6n })
    await carriedOut(payout, -5_000_000n)
    const account = nonceAccount(hot.address, 10)
    const naming = signed(paying({ kind: 'nonce', index: 11, value }, account, sol, 1_000_000n))
    expect(await gate.broadcast(naming)).toBeNull()
    await decided(gate, naming)
    expect(await gate.fate([dearer])).toMatchObject({ reason: expect.stringContaining(payout.hash) })
  })

  it('sends what fails for good, which uses up its nonce, and nothing that is only short of funds', async () => {
    const to = receiver(receivers++)
    await give(hot.address, 10n)
    const closed = signed(paying(await nonce(), to, usdc, 1n))
    expect(await gate.broadcast(closed)).toBeNull()
    expect(await decided(gate, closed)).toMatchObject({
      kind: 'mined',
      succeeded: false,
      feeUnits: feeOf(closed.plan),
    })
    const short = signed(paying(await nonce(), to, sol, 2n * enough))
    expect(await gate.broadcast(short)).toMatch(/^The node refused it: the sender has too little SOL \(/)
    expect(await gate.fate([short])).toEqual({ kind: 'unknown' })
    const tokens = signed(paying(await nonce(), to, usdc, 10n ** 12n, { rentUnits: tokenAccountRent }))
    expect(await gate.broadcast(tokens)).toMatch(/^The node refused it: the sender has too few tokens \(/)
    expect(await gate.fate([tokens])).toEqual({ kind: 'unknown' })
  })

  it('says in words why a transfer would fail', async () => {
    const to = receiver(receivers++)
    const ask = (from: string, receiving: string, asset: GateAsset, units: bigint) =>
      gate.simulateTransfer(from, receiving, asset, units)
    expect(await ask(hot.address, to, sol, 1_000_000n)).toEqual({ gas: 600n })
    // The memo's own compute units are in what the simulation finds.
    const noted = await gate.simulateTransfer(hot.address, to, sol, 1_000_000n, 'x'.repeat(512))
    const gas = 'gas' in noted ? noted.gas : 0n
    expect(gas).toBeGreaterThan(1_000n)
    expect(gas).toBeLessThan(payoutBudget(null, 'x'.repeat(512)).computeLimit)
    expect(await ask(hot.address, to, sol, 1n)).toEqual({
      refused: 'the receiver’s account does not exist yet, and the amount is too small to open it',
    })
    expect(await ask(hot.address, to, sol, 2n * enough)).toEqual({ refused: 'the sender has too little SOL' })
    expect(await ask(hot.address, to, usdc, 10n ** 12n)).toEqual({ refused: 'the sender has too few tokens' })
    expect(await ask(hot.address, hot.address, sol, 1n)).toEqual({
      refused: `${hot.address} would pay itself`,
    })
    const account = associatedTokenAccount(hot.address, 'token', usdc.contractAddress ?? '')
    expect(await ask(hot.address, account, sol, 1_000_000n)).toEqual({
      refused: expect.stringContaining(`Use the address of its owner, ${hot.address}`),
    })
  })

  it('knows what is at a destination', async () => {
    const mint = usdc.contractAddress ?? ''
    expect(await gate.destinationFault(hot.address)).toBeNull()
    expect(await gate.destinationFault(receiver(receivers++))).toBeNull()
    expect(await gate.destinationFault(mint)).toMatch(/mint of a token/)
    expect(await gate.destinationFault('TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA')).toMatch(/is a program/)
    expect(await gate.destinationFault(nonceAccount(hot.address, 0))).toMatch(/keeps data in/)
    expect(await gate.destinationFault(associatedTokenAccount(hot.address, 'token', mint))).toContain(
      hot.address,
    )
  })

  it('asks for the lowest price where a node does not tell what others pay', async () => {
    expect(await gate.feeRate()).toBe(prices.floor)
  })
})
