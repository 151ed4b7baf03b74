import { afterAll, expect, it } from 'vitest'
import { describeOnSolana, type SolanaNode, startSolanaNode } from '../../support/nodes/solana-node.ts'
import { describeExecution } from './execution.ts'
import { validatorExecutor } from './validator.ts'

const blockOptions = {
  encoding: 'base64',
  maxSupportedTransactionVersion: 0,
  transactionDetails: 'full',
  rewards: false,
}
type Shown = { readonly meta: { readonly fee: number } }
describeOnSolana(() => {
  let node: SolanaNode | undefined
  afterAll(() => node?.close())

  // This validator keeps what the first steps of a failed transaction took from its payer, instead of giving it back.
  describeExecution('a validator', { undoesFailed: false }, async () => {
    node = await startSolanaNode()
    return validatorExecutor(node)
  })

  it('shows every block, with our transactions and their fees', async () => {
    const ask = node?.ask ?? (() => Promise.reject(new Error('The node was not started.')))
    // The block of the last slot is not complete at once.
    await expect
      .poll(async () => {
        const slots: number[] = await ask('getBlocks', 0, await ask('getSlot'))
        const [first = 0] = slots
        expect(slots).toEqual(slots.map((_, at) => first + at))
        const blocks = await Promise.all(slots.map((slot) => ask('getBlock', slot, blockOptions)))
        return blocks.flatMap(({ transactions }) => transactions.map(({ meta }: Shown) => meta.fee))
      })
      .toEqual(expect.arrayContaining([5_001, 20_001]))
  })
})
