import { nodeChainOf } from '../../../src/gates/bitcoin/node-chains.ts'
import { nodeGate } from '../../../src/gates/bitcoin/node-gate.ts'
import { nodeRpc } from '../../../src/gates/bitcoin/rpc.ts'
import type { NodeGate } from '../../../src/gates/gate.ts'
import type { NodeRpcOptions } from '../../../src/gates/json-rpc.ts'
import { testAssets } from '../../../src/simulator/gate/test-assets.ts'
import { makePurse, pursesCoins } from '../../simulator/gate/purse.ts'
import {
  type Coin,
  type CoinNode,
  coinNetworks,
  startCoinNode,
  stopsSoon,
} from '../../support/nodes/coin-node.ts'
import { currencies } from '../../support/shop/registry.ts'
import type { GateHarness, Paid } from '../harness.ts'
import { watching } from '../watch.ts'
import { familyOf } from './addresses.ts'
import { makePayer } from './payer.ts'

/** The address of BIP-173's example key on regtest, which is not ours. */
export const strangers: Readonly<Record<Coin, string>> = {
  bitcoin: 'bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080',
  litecoin: 'rltc1qw508d6qejxtdg4y5r3zarvary0c5xw7k693xs3',
}

/** The gate of a coin's chain on a node, and a function that closes its connections. */
export function openNodeGate(
  coin: Coin,
  options: NodeRpcOptions,
  name = 'regtest',
  ceiling = 1_000n,
): { gate: NodeGate; close(): void } {
  const network = coinNetworks[coin]
  const chain = nodeChainOf(network, name)
  if (chain === null) throw new Error(`There is no chain ${name} of ${coin}.`)
  const rpc = nodeRpc(options)
  const gate = nodeGate({
    network,
    environment: name === 'main' ? 'live' : 'test',
    keychain: 'any',
    chain,
    rpc,
    assets: testAssets(currencies, network),
    family: familyOf({ coin, chain: chain.written }),
    fees: { targetBlocks: 3, floor: 2n, ceiling },
  })
  return { gate, close: () => rpc.close() }
}

/** The gate on a real node. */
export async function nodeHarness(coin: Coin): Promise<GateHarness & { readonly node: CoinNode }> {
  const node = await startCoinNode(coin, '-disablewallet', stopsSoon)
  const payer = await makePayer(node)
  let opened = openNodeGate(coin, { url: node.url })
  let purses = 0
  const outputs = (paid: readonly Paid[]) => paid.map(({ to, units }) => ({ address: to.address, units }))

  /** The transactions of a block without its coinbase, as hex. */
  async function transactionsIn(height: number): Promise<{ txid: string; hex: string }[]> {
    return (await node.ask('getblock', await node.ask('getblockhash', height), 2)).tx.slice(1)
  }

  return {
    node,
    get gate() {
      return opened.gate
    },
    deposit: (index) => depositOf(opened.gate, index),
    stranger: { address: strangers[coin], tag: null },
    watch: watching,
    pay: (paid) => payer.pay(outputs(paid)),
    replace: (txHash, paid) => payer.replace(txHash, outputs(paid)),
    async mine(count) {
      await node.mine(count)
    },
    async reorganise(depth, { drop = [], others = 'same_height' } = {}) {
      const top: number = await node.ask('getblockcount')
      const old = await Promise.all(
        Array.from({ length: depth }, (_, at) => transactionsIn(top - depth + 1 + at)),
      )
      await node.ask('invalidateblock', await node.ask('getblockhash', top - depth + 1))
      const kept = old.map((each) => each.filter(({ txid }) => !drop.includes(txid)).map(({ hex }) => hex))
      const branch = {
        same_height: [...kept, []],
        next_height: [[], ...kept],
        mempool: Array.from({ length: depth + 1 }, () => []),
      }[others]
      for (const transactions of branch) await node.mineExactly(transactions)
      // A node returns transactions to its mempool from the last ten blocks only.
      if (others === 'mempool')
        for (const raw of kept.flat()) await node.ask('sendrawtransaction', raw).catch(() => {})
      if (drop.length > 0) {
        await node.stop()
        await node.start('-persistmempool=0')
      }
    },
    async purse() {
      // Far from the addresses that tests pay to.
      const purse = makePurse(opened.gate, 1_000 + purses++, 0n)
      for (let coin = 0; coin < pursesCoins; coin++) purse.coins.push(await payer.pay(outputs([purse.coin])))
      await node.mine(1)
      return purse
    },
    stop: () => node.stop(),
    start: () => node.start(),
    async restart() {
      opened.close()
      opened = openNodeGate(coin, { url: node.url })
    },
    async close() {
      opened.close()
      await node.close()
    },
  }
}

function depositOf(gate: NodeGate, index: number) {
  const address = gate.depositAddress(index)
  if (address === null) throw new Error('These addresses derive from a public key.')
  return address
}
