import { type Anvil, askNode, startAnvil } from './anvil.ts'
import { startFaultProxy } from './fault-proxy.ts'

// biome-ignore lint/suspicious/noExplicitAny: any request to a node and any answer
type Json = any

/** The contract in which every chain of the OP stack keeps the prices of data on Ethereum (L1). */
const prices = '0x4200000000000000000000000000000000000015'
/** The vault that collects the data fees. */
const vault = '0x420000000000000000000000000000000000001A'

// The prices of `contracts/data-price.sol`, as Base had them in 2026, by storage slot.
const word = (value: bigint) => `0x${value.toString(16).padStart(64, '0')}`
const kept: readonly (readonly [place: string, value: bigint])[] = [
  ['0x1', 10_000_000_000n],
  ['0x3', (2_269n << 96n) | (1_055_762n << 64n)],
  ['0x7', 1_000_000_000n],
]

/** The data fee of every transaction that compresses to 100 bytes or less: all those that move one amount. */
export const shortDataFee = 141_880_200_000n

// The balance added to the sender of a simulation: more than any data fee, but too little to be mistaken for funds.
const simulationFunds = 10n ** 15n

export type OpNode = Anvil & {
  /** The data fees collected so far. */
  takenForData(): Promise<bigint>
}

/**
 * Anvil as a chain of the OP stack: besides gas it charges a fee for data on Ethereum (L1). The nodes of such chains do two
 * things that anvil leaves out, so they are done here: a receipt names that fee, and a simulated call does not pay it.
 */
export async function startOpNode(): Promise<OpNode> {
  const anvil = await startAnvil('--network', 'optimism')
  for (const [place, value] of kept) await anvil.ask('anvil_setStorageAt', prices, place, word(value))
  const proxy = await startFaultProxy(anvil.url)
  proxy.fault = async ({ body }) => {
    const answers = await Promise.all([body].flat().map((call) => answer(anvil, call)))
    return JSON.stringify(Array.isArray(body) ? answers : answers[0])
  }
  return {
    ...anvil,
    url: proxy.url,
    ask: askNode(proxy.url),
    takenForData: async () => BigInt(await anvil.ask('eth_getBalance', vault, 'latest')),
    async close() {
      await proxy.close()
      await anvil.close()
    },
    async giveBack() {
      await proxy.close()
      await anvil.giveBack()
    },
  }
}

async function answer(anvil: Anvil, { id, method, params }: Json): Promise<Json> {
  const isSimulation = ['eth_call', 'eth_estimateGas'].includes(method) && params[0].from !== undefined
  const response = await fetch(anvil.url, {
    method: 'POST',
    // As with every node: a kept connection may be closed just as it is used.
    headers: { 'content-type': 'application/json', connection: 'close' },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id,
      method,
      params: isSimulation ? await withFunds(anvil, params) : params,
    }),
  })
  const answered: Json = await response.json()
  if (method === 'eth_getTransactionReceipt' && answered.result != null)
    answered.result.l1Fee = `0x${shortDataFee.toString(16)}`
  return answered
}

async function withFunds(anvil: Anvil, [call, block = 'latest']: Json): Promise<Json> {
  const held = BigInt(await anvil.ask('eth_getBalance', call.from, 'latest'))
  return [call, block, { [call.from]: { balance: `0x${(held + simulationFunds).toString(16)}` } }]
}
