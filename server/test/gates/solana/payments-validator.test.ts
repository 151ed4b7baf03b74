import { afterAll, beforeAll, expect, it } from 'vitest'
import type { PaymentOrder } from '../../../src/gates/gate.ts'
import { paymentReference } from '../../../src/gates/solana/payment-link.ts'
import { describeOnSolana, type SolanaNode, startSolanaNode } from '../../support/nodes/solana-node.ts'
import { watching } from '../watch.ts'
import type { Executor } from './executor.ts'
import { describePayments, invoiceId, madeBytes, signedByWallet } from './payments.ts'
import { receiver } from './plans.ts'
import { openGate, sol } from './spending.ts'
import { validatorExecutor } from './validator.ts'

describeOnSolana(() => {
  let node: SolanaNode
  let executor: Executor
  beforeAll(async () => {
    node = await startSolanaNode()
    executor = validatorExecutor(node)
  })
  afterAll(async () => {
    await node?.close()
  })

  describePayments(
    'a validator',
    () => executor,
    async (order, assets) => {
      const { gate, close } = openGate([node.url], { assets })
      try {
        return await gate.paymentTransaction(order)
      } finally {
        close()
      }
    },
  )

  it('are found by the invoice’s reference alone, and the gate sees the transfer at the deposit address', async () => {
    const [number, to] = [249, { address: receiver(199), tag: null }]
    const payer = receiver(number)
    await executor.fund(payer, 5_000_000_000n)
    const another = invoiceId.replace('019a', '019b')
    const order: PaymentOrder = { payer, to, asset: sol, units: 2_500_000_000n, invoiceId: another }
    const { gate, close } = openGate([node.url])
    try {
      const first = (await gate.tip()).height
      const signed = signedByWallet(madeBytes(await gate.paymentTransaction(order)), number)
      expect(await executor.send(signed)).toEqual({ kind: 'done' })
      const found = await node.ask('getSignaturesForAddress', paymentReference(another))
      expect(found).toMatchObject([{ err: null }])
      expect(await node.ask('getSignaturesForAddress', paymentReference(another.replace('b', 'c')))).toEqual(
        [],
      )
      const watched = watching([to])
      for (let height = first; ; height++) {
        await expect.poll(async () => (await gate.tip()).height >= height).toBe(true)
        const block = await gate.block(height, watched)
        const transfer = block?.transfers[0]
        if (transfer === undefined) continue
        expect(transfer).toMatchObject({
          txHash: found[0].signature,
          address: to.address,
          currency: 'SOL',
          units: order.units,
        })
        break
      }
    } finally {
      close()
    }
  })
})
