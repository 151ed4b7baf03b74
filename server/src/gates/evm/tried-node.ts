import { createHash } from 'node:crypto'
import type { Block, BlockRef } from '../../domain/chain.ts'
import type { Environment } from '../../domain/environment.ts'
import { evmNetworks, type Network } from '../../domain/networks/network.ts'
import { shippedNetworks } from '../../domain/networks/shipped.ts'
import { type GateAsset, GateOutageError } from '../gate.ts'
import { type NodeRpc, RpcRefusal } from '../json-rpc.ts'
import { shownText } from '../shown-text.ts'
import { dayBack } from '../trial/day-back.ts'
import { Failed } from '../trial/findings.ts'
import type { TriedNode } from '../trial/tried-node.ts'
import { Untestable, UntrueAnswer } from '../trial/untrue.ts'
import { withoutWallet } from '../trial/without-wallet.ts'
import { isMissingState } from './missing-state.ts'
import { readBlock, readQuantity, readReceipt, transferTopic } from './node-answers.ts'
import { quantity } from './node-blocks.ts'
import type { GasBounds } from './node-fees.ts'
import { evmNodeGate } from './node-gate.ts'
import { proveBlock } from './prove-block.ts'

export type EvmTrialOptions = {
  readonly network: Network
  readonly environment: Environment
  readonly assets: readonly GateAsset[]
  readonly chainId: number
  readonly tag: 'latest' | 'safe' | 'finalized'
  readonly fees: GasBounds
  readonly rpc: NodeRpc
  readonly place: string
}

type Answer = Readonly<Record<string, unknown>>

const noBound = 2n ** 200n
const minuteMs = 60_000
// A hash that nothing has: those of blocks and transactions are as good as random.
const nobodys = `0x${createHash('sha256').update('sluice gate try').digest('hex')}`
const nowhere = `0x${'0'.repeat(40)}`
// Chains for tests may make blocks at any time.
const secondsBetween = { least: 0.25, most: 60 }
// A full node keeps the state of 128 blocks; blocks are followed as they come.
const stateDepths = [32n, 120n] as const

/** A node of an EVM network, as `sluice gate try` asks it. */
export function evmTriedNode(options: EvmTrialOptions): TriedNode {
  const { network, chainId, tag, fees, rpc, place } = options
  const gate = evmNodeGate({
    ...options,
    keychain: 'trial',
    family: withoutWallet,
    endpoints: [{ place, rpc }],
    agreement: 1,
    showsPending: true,
    fees: { floor: 1n, ceiling: noBound },
  })
  const fieldsOf = async (...call: Parameters<NodeRpc['call']>) => ((await rpc.call(...call)) ?? {}) as Answer

  async function refuseKnowing(method: string, ...params: readonly unknown[]): Promise<void> {
    if ((await rpc.call(method, nobodys, ...params)) === null) return
    throw new UntrueAnswer({
      call: `${method} ${nobodys}`,
      said: 'that there is such a thing',
      truth: 'this hash was made up',
    })
  }

  async function hasState(height: bigint): Promise<boolean> {
    const { hash } = readBlock(await rpc.call('eth_getBlockByNumber', quantity(height), false), { height })
    try {
      await rpc.call('eth_call', { to: nowhere, data: '0x' }, { blockHash: hash })
      return true
    } catch (error) {
      if (isMissingState(error)) return false
      throw error
    }
  }

  return {
    gate,
    rpc,
    fees: { ceiling: fees.ceiling, unit: 'wei per unit of gas' },
    maxTipAgeMs: maxTipAgeOf(chainId, tag),

    async whichChain() {
      const said = readQuantity(await rpc.call('eth_chainId'))
      const { transactions } = await fieldsOf('eth_getBlockByNumber', 'latest', true)
      const signed = (Array.isArray(transactions) ? transactions : [])
        .map((each: Answer | null) => each?.chainId)
        .find((id): id is string => typeof id === 'string' && /^0x[0-9a-f]{1,16}$/.test(id))
      return {
        call: 'eth_chainId',
        said: `that the chain is ${said}`,
        truth:
          signed !== undefined && BigInt(signed) !== said
            ? `the transactions in its newest block are signed for chain ${BigInt(signed)}`
            : `it must be ${chainId}`,
      }
    },

    async software() {
      return shownText(await rpc.call('web3_clientVersion'))
    },

    async standing() {
      const syncing = await rpc.call('eth_syncing')
      const peers = await rpc.call('net_peerCount').then(
        (count) => `It has ${readQuantity(count)} peers.`,
        (error: unknown) => {
          if (error instanceof RpcRefusal || error instanceof GateOutageError)
            return 'It does not tell how many peers it has.'
          throw error
        },
      )
      if (syncing === false) return { says: peers, problem: null }
      return {
        says: peers,
        problem: { says: 'It says that it is still syncing.', todo: 'Wait until it has the whole chain.' },
      }
    },

    needs: ({ height, hash }) => [
      { call: ['eth_chainId'], need: 'to know which chain it is on' },
      { call: ['eth_syncing'], need: 'to see whether it has the whole chain' },
      { call: ['eth_getBlockByNumber', tag, false], need: 'to see which block is the newest' },
      { call: ['eth_getBlockByNumber', quantity(height), true], need: 'to find payments' },
      {
        call: ['eth_getBlockByNumber', 'pending', true],
        need: 'to show payments before they are mined',
        isOptional: true,
      },
      {
        call: ['eth_getLogs', { blockHash: hash, address: [nowhere], topics: [transferTopic] }],
        need: 'to find payments of tokens, by the hash of a block',
      },
      { call: ['eth_getTransactionReceipt', nobodys], need: 'to know whether a payment succeeded' },
      { call: ['eth_getTransactionByHash', nobodys], need: 'to know what became of a payout' },
      { call: ['eth_getRawTransactionByHash', nobodys], need: 'to name who used a nonce', isOptional: true },
      {
        call: ['eth_call', { to: nowhere, data: '0x' }, { blockHash: hash }],
        need: 'to check what arrived, after a block named by its hash',
      },
      {
        call: ['eth_call', { to: nowhere, data: '0x' }, 'latest', { [nowhere]: { code: '0x00' } }],
        need: 'to see what a payout of a token would bring its receiver, with other code in place of the sender',
        isOptional: true,
      },
      { call: ['eth_getBalance', nowhere, tag], need: 'to see what the hot wallet holds' },
      { call: ['eth_getTransactionCount', nowhere, tag], need: 'to know the next nonce' },
      { call: ['eth_getCode', nowhere, 'latest'], need: 'to see whether a contract is paid' },
      {
        call: ['eth_estimateGas', { from: nowhere, to: nowhere, value: '0x0' }],
        need: 'to know the gas of a payout',
      },
      { call: ['eth_gasPrice'], need: 'to know the fee of a payout' },
      { call: ['eth_maxPriorityFeePerGas'], need: 'to know the fee of a payout', isOptional: true },
      // A byte that is no transaction: nothing is sent.
      { call: ['eth_sendRawTransaction', '0x00'], need: 'to send payouts', mayRefuse: true },
    ],

    prove: (block) => proveBlock(rpc, block, network.family === 'evm' && network.hasEthereumHeader),

    async byHash(hash): Promise<Omit<Block, 'transfers'>> {
      try {
        const { height, parentHash, minedAt, ...found } = readBlock(
          await rpc.call('eth_getBlockByHash', hash, false),
        )
        return { hash: found.hash, height, parentHash, minedAt }
      } catch (error) {
        if (error instanceof RpcRefusal)
          throw new Untestable(`It refuses eth_getBlockByHash, which Sluice does not need: ${error.message}`)
        throw error
      }
    },

    async alone({ txHash, address, currency, units }, block) {
      const asset = options.assets.find((each) => each.currency === currency)
      if (asset?.contractAddress == null) {
        const call = `eth_getTransactionByHash ${txHash}`
        const answer = (await rpc.call('eth_getTransactionByHash', txHash)) as Answer | null
        if (answer === null) return { call, units: null }
        refuseElsewhere(call, answer.blockHash, block)
        const isPaid = typeof answer.to === 'string' && answer.to.toLowerCase() === address.toLowerCase()
        return { call, units: isPaid ? readQuantity(answer.value) : 0n }
      }
      const call = `eth_getTransactionReceipt ${txHash}`
      const answer = (await rpc.call('eth_getTransactionReceipt', txHash)) as Answer | null
      const receipt = readReceipt(answer, txHash)
      if (answer === null || receipt === null) return { call, units: null }
      refuseElsewhere(call, receipt.block.hash, block)
      const paid = (answer.logs as readonly Answer[])
        .filter((log) => isTransferTo(log, asset.contractAddress as string, address))
        .map(({ data }) => readQuantity(data))
      // Of tokens with a fee less arrives than the log says.
      return { call, units: paid.some((each) => each >= units) ? units : (paid[0] ?? 0n) }
    },

    async unknown() {
      await refuseKnowing('eth_getTransactionByHash')
      await refuseKnowing('eth_getTransactionReceipt')
      return 'a made-up transaction'
    },

    reach: (headers) => dayBack(headers, { ...secondsBetween, assumed: secondsBetween.most }),

    async readFar(height, tip) {
      const call = ['eth_getBlockByNumber', quantity(height), true] as const
      const answer = await rpc.call(...call)
      if (answer === null) return null
      const { hash, transactions } = readBlock(answer, { height })
      await rpc.call('eth_getLogs', { blockHash: hash, address: [nowhere], topics: [transferTopic] })
      const txHash = transactions[0]?.hash
      if (txHash !== undefined && (await rpc.call('eth_getTransactionReceipt', txHash)) === null)
        throw new Failed(
          `It has block ${height}, but not the receipt of its transaction ${shownText(txHash)}.`,
          'Configure it to download and keep receipts, or name a server that does.',
        )
      return stateInWords(height, tip, hasState)
    },

    claimsToKeep: async () => null,
  }
}

/** How far back the state of blocks is kept, which tells what arrived of a token. */
async function stateInWords(
  far: bigint,
  tip: BlockRef,
  hasState: (height: bigint) => Promise<boolean>,
): Promise<string> {
  let kept = 0n
  for (const depth of [...stateDepths, tip.height - far]) {
    if (depth <= kept || depth > tip.height - far) continue
    if (!(await hasState(tip.height - depth))) break
    kept = depth
  }
  if (kept === tip.height - far) return ' So does the state of all blocks since then.'
  if (kept < stateDepths[0])
    throw new Failed(
      `It does not have the state of the block ${stateDepths[0]} blocks back, so payments of tokens cannot be checked.`,
      'Let it keep the state of at least 128 blocks, or name a server that does.',
    )
  return (
    ` The state is kept for ${kept} blocks, but not for so long: to catch up after a longer stop, payments of tokens need an ` +
    'archive node.'
  )
}

function refuseElsewhere(call: string, blockHash: unknown, block: Block): void {
  if (blockHash !== block.hash)
    throw new UntrueAnswer({
      call,
      said: `that it is in block ${shownText(blockHash)}`,
      truth: `block ${block.height}, which holds it, is ${block.hash}`,
    })
}

function isTransferTo({ address, topics }: Answer, contract: string, to: string): boolean {
  return (
    shownText(address).toLowerCase() === contract.toLowerCase() &&
    Array.isArray(topics) &&
    topics[0] === transferTopic &&
    shownText(topics[2]).toLowerCase().endsWith(to.slice('0x'.length).toLowerCase())
  )
}

/** Final blocks are older. Chains that we do not know are made for tests, and have blocks on demand. */
function maxTipAgeOf(chainId: number, tag: EvmTrialOptions['tag']): number | null {
  const known = evmNetworks(shippedNetworks)
  const isLive = known.some(({ live }) => live.chainId === chainId)
  if (!isLive && !known.some(({ test }) => test.chainId === chainId)) return null
  if (tag !== 'latest') return 120 * minuteMs
  return isLive ? 5 * minuteMs : 60 * minuteMs
}
