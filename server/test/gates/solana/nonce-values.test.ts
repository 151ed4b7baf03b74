import { expect, it } from 'vitest'
import type { SolanaTransaction } from '../../../src/domain/solana-transaction.ts'
import { signSolanaTransaction } from '../../../src/gates/solana/sign-transaction.ts'
import { describeOnSolana, startSolanaNode } from '../../support/nodes/solana-node.ts'
import { lamportsAt } from './executor.ts'
import { hot, keyOf, planOf, receiver } from './plans.ts'
import { validatorExecutor } from './validator.ts'

describeOnSolana(() => {
  // Why the signer, which sees no chain, signs only one transaction for a value.
  it('with the hash of a block in place of its value, a nonce does not rule out a second transaction', async () => {
    const node = await startSolanaNode()
    try {
      const executor = validatorExecutor(node)
      const send = (plan: SolanaTransaction) => executor.send(signSolanaTransaction(plan, keyOf).bytes)
      await executor.fund(hot.address, 1_000_000_000n)
      const create = { kind: 'create_nonce', index: 0, units: 1_447_680n } as const
      const hash = await executor.blockhash()
      expect(await send(planOf([create], { kind: 'blockhash', value: hash }))).toEqual({ kind: 'done' })
      const to = receiver(55)
      const pay = { kind: 'transfer', from: hot, to, units: 5_000_000n, payoutId: null } as const
      const value = await executor.blockhash()
      const plan = planOf([pay], { kind: 'nonce', index: 0, value })
      expect(await send(plan)).toEqual({ kind: 'done' })
      await executor.blockhash()
      expect(await send({ ...plan, computePrice: plan.computePrice + 1n })).toEqual({ kind: 'done' })
      expect(await lamportsAt(executor, to)).toBe(2n * pay.units)
    } finally {
      await node.close()
    }
  })
})
