import { type Anvil, askNode, startAnvil } from './anvil.ts'
import { startFaultProxy } from './fault-proxy.ts'

// biome-ignore lint/suspicious/noExplicitAny: whatever a node may be asked and answer
type Json = any

/** Where every chain of the OP stack keeps what Ethereum's room costs. */
const prices = '0x4200000000000000000000000000000000000015'
/** Where what was taken for it goes. */
const vault = '0x420000000000000000000000000000000000001A'

// The prices of `contracts/data-price.sol`, as Base had them in 2026, by the number of the word that holds them.
const word = (value: bigint) => `0x${value.toString(16).padStart(64, '0')}`
const kept: readonly (readonly [place: string, value: bigint])[] = [
  ['0x1', 10_000_000_000n],
  ['0x3', (2_269n << 96n) | (1_055_762n << 64n)],
  ['0x7', 1_000_000_000n],
]

/** What every transaction pays for that room which can be made as short as 100 bytes: all that move one amount. */
export const shortDataFee = 141_880_200_000n

// What a trial's sender is given: more than any room costs, too little to be mistaken for coins.
const trialCoins = 10n ** 15n

export type OpNode = Anvil & {
  /** What was taken for Ethereum's room so far. */
  takenForData(): Promise<bigint>
}

/**
 * Anvil as a chain of the OP stack: it takes, besides gas, what Ethereum's room costs. Nodes of such chains do two things
 * that anvil leaves out, so they are done here: a receipt names that fee, and what is only tried does not pay it.
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
  }
}

async function answer(anvil: Anvil, { id, method, params }: Json): Promise<Json> {
  const isTrial = ['eth_call', 'eth_estimateGas'].includes(method) && params[0].from !== undefined
  const response = await fetch(anvil.url, {
    method: 'POST',
    // As before every node: one that is kept may be closed as it is used.
    headers: { 'content-type': 'application/json', connection: 'close' },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id,
      method,
      params: isTrial ? await withCoins(anvil, params) : params,
    }),
  })
  const answered: Json = await response.json()
  if (method === 'eth_getTransactionReceipt' && answered.result != null)
    answered.result.l1Fee = `0x${shortDataFee.toString(16)}`
  return answered
}

async function withCoins(anvil: Anvil, [call, block = 'latest']: Json): Promise<Json> {
  const held = BigInt(await anvil.ask('eth_getBalance', call.from, 'latest'))
  return [call, block, { [call.from]: { balance: `0x${(held + trialCoins).toString(16)}` } }]
}
