import { base64 } from '@scure/base'
import type { SolanaSpending } from '../../../src/gates/gate.ts'
import type { NodeRpc, RpcCall } from '../../../src/gates/json-rpc.ts'
import { systemProgram, tokenPrograms } from '../../../src/gates/solana/derived-address.ts'
import { nodePayment } from '../../../src/gates/solana/node-payments.ts'
import type { Executor } from './executor.ts'
import { startLiteSvm } from './litesvm.ts'
import { describePayments } from './payments.ts'
import { family, prices } from './spending.ts'

const executor = startLiteSvm()

describePayments(
  'litesvm',
  () => executor,
  (order, assets) =>
    nodePayment(rpcOf(executor), order, { spending: family.spending as SolanaSpending, assets, prices }),
)

/** What a node would answer about the state of an executor. */
function rpcOf(machine: Executor): NodeRpc {
  async function call(...[method, ...params]: RpcCall): Promise<unknown> {
    const inContext = (value: unknown) => ({ context: { slot: 1 }, value })
    switch (method) {
      case 'getMultipleAccounts':
        return inContext(await Promise.all((params[0] as string[]).map((address) => accountAt(address))))
      case 'getLatestBlockhash':
        return inContext({ blockhash: await machine.blockhash(), lastValidBlockHeight: 150 })
      case 'getMinimumBalanceForRentExemption':
        return (Number(params[0]) + 128) * 6_960
      case 'getRecentPrioritizationFees':
        return [{ slot: 1, prioritizationFee: 7_000 }]
      default:
        throw new Error(`The test does not expect ${method}.`)
    }
  }

  async function accountAt(address: string) {
    const found = await machine.account(address)
    if (found === null) return null
    return {
      lamports: Number(found.units),
      owner: found.data.length === 0 ? systemProgram : tokenPrograms.token,
      executable: false,
      data: [base64.encode(Uint8Array.from(found.data)), 'base64'],
    }
  }

  return {
    call,
    batch: (calls) => Promise.all(calls.map(async (each) => ({ result: await call(...each) }))),
    close: () => {},
  }
}
