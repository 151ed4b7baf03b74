import { createHash } from 'node:crypto'
import { hex } from '@scure/base'
import type { Block } from '../../domain/chain.ts'
import type { Environment } from '../../domain/environment.ts'
import type { Lie } from '../../domain/gate-trial.ts'
import type { Network } from '../../domain/networks/network.ts'
import type { GateAsset } from '../gate.ts'
import { type NodeRpc, RpcRefusal } from '../json-rpc.ts'
import { shownText } from '../shown-text.ts'
import { samplePayees } from '../trial/sample-payees.ts'
import type { TriedNode } from '../trial/tried-node.ts'
import { UntrueAnswer } from '../trial/untrue.ts'
import { withoutWallet } from '../trial/without-wallet.ts'
import { count } from './exact-json.ts'
import { addressOf } from './network.ts'
import { readBlock, readHash } from './node-answers.ts'
import { type NodeChain, nodeChainFrom } from './node-chains.ts'
import { type FeePolicy, nodeGate } from './node-gate.ts'
import { outputsOf, plainTransaction } from './plain-transaction.ts'
import { proveBlock } from './prove-block.ts'

export type BitcoinTrialOptions = {
  readonly network: Network
  readonly environment: Environment
  readonly assets: readonly GateAsset[]
  readonly chain: NodeChain
  readonly fees: FeePolicy
  readonly rpc: NodeRpc
}

const noBound = 10n ** 12n
const hexPattern = /^([0-9a-f]{2})+$/
const maxShown = 200
// Bitcoin Core's `rpc/protocol.h`.
const noSuchThing = -5
// A hash that nothing has: those of blocks and transactions are as good as random.
const nobodys = createHash('sha256').update('sluice gate try').digest('hex')
const hourMs = 60 * 60 * 1000
// A block takes ten minutes on average: two hours pass without one about once in three years.
const maxTipAgeMs = 2 * hourMs
// Test networks have few miners.
const maxTestTipAgeMs = 24 * hourMs
const maxMissingBlocks = 3

/** A node of a Bitcoin-like network, as `sluice gate try` asks it. */
export function bitcoinTriedNode(options: BitcoinTrialOptions): TriedNode {
  const { chain, rpc, fees } = options
  const gate = nodeGate({
    ...options,
    keychain: 'trial',
    family: withoutWallet,
    fees: { ...fees, floor: 1n, ceiling: noBound },
  })
  const infoOf = async (call: string) => ((await rpc.call(call)) ?? {}) as Record<string, unknown>

  /** Asks for something that does not exist. */
  async function refuseKnowing(method: string, ...params: readonly unknown[]): Promise<void> {
    if ((await orNothing(rpc.call(method, nobodys, ...params))) === null) return
    throw new UntrueAnswer({
      call: `${method} ${nobodys}`,
      said: 'that there is such a thing',
      truth: 'this hash was made up',
    })
  }

  return {
    gate,
    rpc,
    reach: () => ({ blocks: 1_008n, inWords: 'the last 1008 blocks' }),
    readFar: async (height) => ((await gate.block(height, samplePayees(1))) === null ? null : ''),
    fees: { ceiling: fees.ceiling, unit: 'units per virtual byte' },
    maxTipAgeMs: maxTipAgeOf(chain.name),

    async whichChain(): Promise<Lie> {
      const genesis = readHash(await rpc.call('getblockhash', 0))
      if (genesis === chain.genesis)
        return {
          call: 'getblockchaininfo',
          said: `that its chain is ${shownText((await infoOf('getblockchaininfo')).chain).slice(0, 20)}`,
          truth: `its block 0 is that of ${chain.coin} ${chain.name}`,
        }
      const found = nodeChainFrom(genesis)
      return {
        call: 'getblockhash 0',
        said: `that block 0 is ${genesis}${found === null ? '' : `, which is ${found.coin} ${found.name}`}`,
        truth: `block 0 of ${chain.coin} ${chain.name} is ${chain.genesis}`,
      }
    },

    async software() {
      return shownText((await infoOf('getnetworkinfo')).subversion)
    },

    async standing() {
      const { initialblockdownload, blocks, headers, warnings } = await infoOf('getblockchaininfo')
      const missing = (count(headers) ?? 0) - (count(blocks) ?? 0)
      const peers = await rpc.call('getconnectioncount').then(count, (error: unknown) => {
        if (error instanceof RpcRefusal) return null
        throw error
      })
      const alerts = [warnings].flat().filter((each) => typeof each === 'string' && each !== '')
      const says = [
        peers === null ? 'It does not tell how many peers it has.' : `It has ${peers} peers.`,
        ...(alerts.length > 0 ? [`It warns: ${alerts.join(' ').slice(0, 200)}`] : []),
      ].join(' ')
      const isOwn = chain.name === 'regtest'
      if (!isOwn && initialblockdownload === true)
        return {
          says,
          problem: { says: 'It is still downloading the chain.', todo: 'Wait until it has the whole chain.' },
        }
      if (missing > maxMissingBlocks)
        return {
          says,
          problem: {
            says: `It lacks ${missing} blocks that it knows of.`,
            todo: 'Wait until it has them, and see why it is behind.',
          },
        }
      if (!isOwn && peers === 0)
        return {
          says,
          problem: {
            says: 'Without peers it learns of no block.',
            todo: 'Let it connect to the network (see: getpeerinfo).',
          },
        }
      return { says, problem: null }
    },

    needs: (tip) => [
      { call: ['getblockchaininfo'], need: 'to see which block is the newest' },
      { call: ['getbestblockhash'], need: 'to see whether the chain moved meanwhile' },
      { call: ['getblockhash', 0], need: 'to find blocks by height' },
      { call: ['getblockheader', tip.hash], need: 'to see how blocks follow each other' },
      { call: ['getblock', tip.hash, 2], need: 'to find payments' },
      { call: ['getrawmempool'], need: 'to show payments before they are mined' },
      { call: ['getmempoolinfo'], need: 'to know the lowest fee that is taken' },
      { call: ['getmempoolentry', nobodys], need: 'to know what became of a payout', mayRefuse: true },
      {
        call: ['getrawtransaction', nobodys, false, tip.hash],
        need: 'to prove coins to the signer',
        mayRefuse: true,
      },
      { call: ['gettxout', nobodys, 0], need: 'to know what became of a payout' },
      { call: ['estimatesmartfee', fees.targetBlocks], need: 'to know the fee of a payout' },
      // A byte that is no transaction: nothing is sent.
      { call: ['sendrawtransaction', '00'], need: 'to send payouts', mayRefuse: true },
    ],

    prove: (block) => proveBlock(rpc, block),

    async byHash(hash): Promise<Omit<Block, 'transfers'>> {
      const answer = (await rpc.call('getblockheader', hash)) as { height?: unknown } | null
      const height = BigInt(count(answer?.height) ?? -1)
      const { parentHash, minedAt } = readBlock(answer, { hash, height })
      return { hash, height, parentHash, minedAt }
    },

    async alone({ txHash, outputIndex, address }, { hash }) {
      const call = `getrawtransaction ${txHash}`
      const text = await orNothing(rpc.call('getrawtransaction', txHash, false, hash))
      if (text === null) return { call, units: null }
      const bytes = typeof text === 'string' && hexPattern.test(text) ? hex.decode(text) : new Uint8Array()
      const plain = plainTransaction(bytes, txHash)
      if (plain === null)
        throw new UntrueAnswer({
          call,
          said: shownText(text).slice(0, maxShown),
          truth: 'these bytes do not have this hash',
        })
      const output = outputsOf(plain, [outputIndex]).get(outputIndex)
      const paid = output === undefined ? null : addressOf(chain.rules, output.script)
      // A script that we would not pay has no address of ours.
      if (paid !== null && paid !== address)
        throw new UntrueAnswer({
          call: 'getblock',
          said: `that ${txHash}:${outputIndex} pays ${address}`,
          truth: `its bytes pay ${paid}`,
        })
      return { call, units: output?.units ?? 0n }
    },

    async unknown(tip) {
      await refuseKnowing('getblockheader')
      await refuseKnowing('getrawtransaction', true, tip.hash)
      await refuseKnowing('gettxout', 0)
      return 'a made-up block, transaction and output'
    },

    async claimsToKeep(height) {
      const { pruned, pruneheight } = await infoOf('getblockchaininfo')
      const call = 'getblockchaininfo'
      if (pruned === false) return { call, said: 'that it keeps all blocks (pruned: false)' }
      const lowest = count(pruneheight)
      return lowest === null || BigInt(lowest) > height
        ? null
        : { call, said: `that it keeps blocks from ${lowest} on` }
    },
  }
}

/** On regtest blocks are made on demand. */
function maxTipAgeOf(chain: string): number | null {
  if (chain === 'main') return maxTipAgeMs
  return chain === 'regtest' ? null : maxTestTipAgeMs
}

/** Null when the node says that there is no such thing. */
async function orNothing(answer: Promise<unknown>): Promise<unknown> {
  try {
    return await answer
  } catch (error) {
    if (error instanceof RpcRefusal && error.code === noSuchThing) return null
    throw error
  }
}
