import { solanaDepositAddress } from '../../../src/gates/solana/deposit-key.ts'
import { seed } from '../../simulator/gate/keys.ts'
import { plugOf, startFaultProxy } from '../../support/nodes/fault-proxy.ts'
import { startSolanaNode } from '../../support/nodes/solana-node.ts'
import type { GateHarness, Purse } from '../harness.ts'
import { watching } from '../watch.ts'
import { hot, receiver } from './plans.ts'
import { creating, decided, openGate, paying, signed, sol } from './spending.ts'
import { validatorExecutor } from './validator.ts'

const enough = 10_000_000_000n
const price = 1_000n

/**
 * The gate on a real node, as far as it sends: the hot wallet has SOL, and each purse is a nonce account of its own. The node
 * makes blocks by itself, and never replaces one.
 */
export async function validatorHarness(): Promise<GateHarness> {
  const node = await startSolanaNode()
  const executor = validatorExecutor(node)
  const proxy = await startFaultProxy(node.url)
  const open = () => openGate([proxy.url])
  let opened = open()
  let purses = 0
  await executor.fund(hot.address, enough)

  /** Creates a nonce account by a plan of ours, and reads its value once a block was made since: no sooner can it be used. */
  async function valueOfNew(index: number): Promise<string> {
    const { gate } = opened
    const creation = signed(creating(index, await gate.nonceAccounts.creation()))
    const refusal = await gate.broadcast(creation)
    const fate = await decided(gate, creation)
    if (fate.kind !== 'mined' || !fate.succeeded)
      throw new Error(`Nonce account ${index} is not created: ${refusal}`)
    await executor.blockhash()
    const value = (await gate.nonceAccounts.values([index])).get(index)
    if (value === undefined) throw new Error(`There is no nonce account ${index}.`)
    return value
  }

  return {
    get gate() {
      return opened.gate
    },
    deposit: (index) => solanaDepositAddress(seed, index),
    stranger: { address: receiver(250), tag: null },
    watch: watching,
    pay: () => Promise.reject(new Error('There is no other payer here.')),
    async mine(count) {
      for (let left = count; left > 0; left--) await executor.blockhash()
    },
    reorganise: () => Promise.reject(new Error('The node replaces no blocks.')),
    replace: () => Promise.reject(new Error('A transaction cannot be replaced.')),
    async purse(): Promise<Purse> {
      const index = purses++
      const value = await valueOfNew(index)
      return {
        address: hot.address,
        sign({ to, units, feeTimes = 1n, nth = 0 }) {
          if (nth > 0) throw new Error('The next value of a nonce account is not known in advance.')
          const lifetime = { kind: 'nonce', index, value } as const
          const { plan, ...made } = signed(
            paying(lifetime, to.address, sol, units, { computePrice: price * feeTimes }),
          )
          return { signed: made, plan }
        },
      }
    },
    ...plugOf(proxy),
    async restart() {
      opened.close()
      opened = open()
    },
    async close() {
      opened.close()
      await proxy.close()
      await node.close()
    },
  }
}
