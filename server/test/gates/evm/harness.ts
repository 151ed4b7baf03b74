import type { AssetRegistry } from '../../../src/domain/assets.ts'
import { type EvmNodeGateOptions, evmNodeGate } from '../../../src/gates/evm/node-gate.ts'
import { evmRpc } from '../../../src/gates/evm/rpc.ts'
import { assetsOf, familyOf } from '../../../src/gates/families.ts'
import type { NodeGate } from '../../../src/gates/gate.ts'
import type { NodeRpcOptions } from '../../../src/gates/json-rpc.ts'
import { publicKeys } from '../../simulator/gate/keys.ts'
import { makePurse } from '../../simulator/gate/purse.ts'
import { type Anvil, startAnvilOn } from '../../support/nodes/anvil.ts'
import { type FaultProxy, plugOf, startFaultProxy } from '../../support/nodes/fault-proxy.ts'
import { currencies, networkOf } from '../../support/shop/registry.ts'
import type { GateHarness, Paid } from '../harness.ts'
import { watching } from '../watch.ts'
import { makePayers, type Payers } from './payers.ts'

const defaultChainId = 31_337

type Opening = Partial<
  Pick<EvmNodeGateOptions, 'agreement' | 'tag' | 'showsPending' | 'fees' | 'chainId' | 'network'>
> & {
  /** For a network that the service does not ship with. */
  readonly registry?: AssetRegistry
  readonly rpc?: Omit<NodeRpcOptions, 'url'>
}

/**
 * The gate of Ethereum on chain 31337 at these nodes unless options say otherwise, with USDT at the given contract, and a
 * function that closes its connections.
 */
export function openEvmGate(
  urls: readonly string[],
  tokens: readonly string[],
  {
    rpc: bounds = {},
    network = networkOf('ethereum'),
    chainId = defaultChainId,
    registry = currencies,
    ...options
  }: Opening = {},
): { gate: NodeGate; close(): void } {
  const listed = tokens.map((contract, at) => ({
    code: at === 0 ? 'USDT' : 'USDC',
    contract,
    decimals: 6,
  }))
  const chain = {
    kind: 'evm' as const,
    chainId,
    tokens: listed,
    transactions: 'eip1559' as const,
    hasDataFee: false,
  }
  const endpoints = urls.map((url) => ({ place: new URL(url).host, rpc: evmRpc({ url, ...bounds }) }))
  const gate = evmNodeGate({
    network,
    environment: 'test',
    keychain: 'evm-test',
    chainId,
    endpoints,
    agreement: 1,
    tag: 'latest',
    showsPending: true,
    fees: { floor: 1n, ceiling: 10n ** 12n },
    hasDataFee: false,
    ...options,
    assets: assetsOf(network, 'test', registry, chain),
    family: familyOf(network, 'test', publicKeys, registry, chain),
  })
  return {
    gate,
    close() {
      for (const { rpc } of endpoints) rpc.close()
    },
  }
}

export type AnvilHarness = GateHarness & {
  readonly node: Anvil
  readonly payers: Payers
  readonly proxy: FaultProxy
}

/** The gate on a real anvil. Only the connection to it can be cut, because its chain would end with the process. */
export async function anvilHarness(
  stranger: string,
  {
    payers: payerCount = 120,
    tokens = 1,
    on = {},
  }: {
    payers?: number
    tokens?: number
    on?: Pick<Opening, 'network' | 'chainId' | 'registry'>
  } = {},
): Promise<AnvilHarness> {
  const node = await startAnvilOn(on.chainId ?? defaultChainId, '--base-fee', '0')
  const payers = await makePayers(node, payerCount, tokens)
  const proxy = await startFaultProxy(node.url)
  const open = () => openEvmGate([proxy.url], payers.tokens, on)
  let opened = open()
  let purses = 0
  let coinbases = 0

  const lineOf = ([line, ...more]: readonly Paid[]) => {
    const asset = opened.gate.assets.find(({ currency }) => currency === line?.currency)
    if (line === undefined || asset === undefined || more.length > 0)
      throw new Error('A payer pays a single line, in a currency that the gate has.')
    return { to: line.to.address, contractAddress: asset.contractAddress, units: line.units }
  }

  async function rawIn(height: number): Promise<{ hash: string; raw: string }[]> {
    const { transactions } = await node.ask('eth_getBlockByNumber', `0x${height.toString(16)}`, false)
    return Promise.all(
      transactions.map(async (hash: string) => ({
        hash,
        raw: await node.ask('eth_getRawTransactionByHash', hash),
      })),
    )
  }

  return {
    node,
    payers,
    proxy,
    get gate() {
      return opened.gate
    },
    deposit: (index) => depositOf(opened.gate, index),
    stranger: { address: stranger, tag: null },
    watch: watching,
    pay: (paid) => payers.pay(lineOf(paid)),
    replace: (txHash, paid) => payers.replace(txHash, lineOf(paid)),
    mine: (count) => node.mine(count),
    async reorganise(depth, { drop = [], others = 'same_height' } = {}) {
      const top = Number(await node.ask('eth_blockNumber'))
      const old = await Promise.all(Array.from({ length: depth }, (_, at) => rawIn(top - depth + 1 + at)))
      await node.ask('anvil_rollback', depth)
      // Another miner each time: otherwise the same transactions could yield the same blocks again.
      await node.ask('anvil_setCoinbase', `0x${(++coinbases).toString(16).padStart(40, 'c')}`)
      const kept = old.map((each) => each.filter(({ hash }) => !drop.includes(hash)).map(({ raw }) => raw))
      const branch = {
        same_height: [...kept, []],
        next_height: [[], ...kept],
        mempool: Array.from({ length: depth + 1 }, () => []),
      }[others]
      for (const transactions of branch) {
        for (const raw of transactions) await node.ask('eth_sendRawTransaction', raw)
        await node.mine(1)
      }
      if (others === 'mempool') for (const raw of kept.flat()) await node.ask('eth_sendRawTransaction', raw)
    },
    async purse() {
      // Far from the addresses that tests pay to.
      const purse = makePurse(opened.gate, 1_000 + purses++, 0n)
      await payers.pay({ to: purse.address, contractAddress: null, units: 10n ** 18n })
      await node.mine(1)
      return purse
    },
    ...plugOf(proxy),
    async restart() {
      opened.close()
      opened = open()
    },
    async close() {
      opened.close()
      await proxy.close()
      await node.giveBack()
    },
  }
}

function depositOf(gate: NodeGate, index: number) {
  const address = gate.depositAddress(index)
  if (address === null) throw new Error('Ethereum’s addresses derive from a public key.')
  return address
}
