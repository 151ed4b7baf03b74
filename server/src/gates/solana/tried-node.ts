import { createHash } from 'node:crypto'
import { base58 } from '@scure/base'
import type { Environment } from '../../domain/environment.ts'
import { gateId, type Network } from '../../domain/networks/network.ts'
import type { GateAsset } from '../gate.ts'
import { type NodeRpc, RpcRefusal } from '../json-rpc.ts'
import { shownText } from '../shown-text.ts'
import { dayBack } from '../trial/day-back.ts'
import { Failed } from '../trial/findings.ts'
import { samplePayees } from '../trial/sample-payees.ts'
import type { TriedNode } from '../trial/tried-node.ts'
import { Untestable, UntrueAnswer } from '../trial/untrue.ts'
import { askAccounts } from './node-accounts.ts'
import { readCount, readKey, readTransaction } from './node-answers.ts'
import { askHeader, type Commitment } from './node-blocks.ts'
import { executedCall } from './node-executed.ts'
import { type ComputePrices, nodeFeeRate } from './node-fees.ts'
import { solanaReading } from './node-reading.ts'
import { slotIndex } from './node-slots.ts'
import { askStatuses } from './node-statuses.ts'
import { onlyCountable, selectGainers, transfersIn } from './node-transfers.ts'
import { proveBlock } from './prove-block.ts'

export type SolanaTrialOptions = {
  readonly network: Network
  readonly environment: Environment
  readonly assets: readonly GateAsset[]
  readonly genesis: string | null
  readonly wrongGenesis: readonly string[]
  readonly commitment: Commitment
  readonly prices: ComputePrices
  readonly rpc: NodeRpc
  readonly place: string
}

const noBound = 2n ** 200n
// Names that nothing has: those of transactions and accounts are as good as random.
const nobodysSignature = base58.encode(createHash('sha512').update('sluice gate try').digest())
const nobodysAddress = base58.encode(createHash('sha256').update('sluice gate try').digest())
// A final block is about 13 seconds old.
const maxTipAgeMs = 2 * 60_000
// How far the newest block that is followed may be behind the newest of all: a final one is 32 slots behind.
const maxBehind = 150
// Slots take 0.4 seconds. Chains for tests may have shorter ones.
const secondsBetween = { least: 0.3, most: 1 }
const tokenAccountBytes = 165
const methodNotFound = -32_601

/** A node of Solana, as `sluice gate try` asks it. */
export function solanaTriedNode(options: SolanaTrialOptions): TriedNode {
  const { network, environment, assets, genesis, commitment, prices, rpc, place } = options
  const { chain, nodes, ...reading } = solanaReading({
    ...options,
    id: gateId(network.id, environment),
    endpoints: [{ place, rpc }],
    agreement: 1,
    showsUnfinal: false,
    narrow: onlyCountable,
  })
  const index = slotIndex(rpc, commitment)
  const clusters = network.family === 'solana' ? Object.entries(network.clusters) : []
  const clusterOf = (found: string) => clusters.find(([, each]) => each.genesis === found)?.[0] ?? null

  const gate: TriedNode['gate'] = {
    ...reading,
    get chain() {
      return chain()
    },
    async feeRate() {
      try {
        await rpc.call('getRecentPrioritizationFees', [])
      } catch (error) {
        if (!(error instanceof RpcRefusal)) throw error
        throw new Untestable(
          `It does not tell what others pay, so Sluice would pay its lowest price, ${prices.floor}.`,
        )
      }
      return nodes.ask((each) => nodeFeeRate(each, [], { floor: 0n, ceiling: noBound }))
    },
  }

  /** The slot of a block that the gate has read. */
  async function slotOf(height: bigint): Promise<number> {
    if ((index.top?.height ?? -1n) < height) await index.newest()
    const slot = await index.slotAt(height)
    if (typeof slot === 'number') return slot
    throw new Untestable(`It does not list the slot of block ${height}.`)
  }

  /** Null where the node does not offer to say so; Sluice does without. */
  async function health(): Promise<unknown> {
    try {
      return await rpc.call('getHealth')
    } catch (error) {
      if (error instanceof RpcRefusal && error.code === methodNotFound) return null
      throw error
    }
  }

  function refuseKnowing(call: string, answer: unknown): void {
    if (answer === null) return
    throw new UntrueAnswer({ call, said: 'that there is such a thing', truth: 'this name was made up' })
  }

  return {
    gate,
    rpc,
    fees: { ceiling: prices.ceiling, unit: 'millionths of a lamport per compute unit' },
    // A chain of one's own stops when its owner wants.
    maxTipAgeMs: genesis === null ? null : maxTipAgeMs,

    async whichChain() {
      const found = readKey(await rpc.call('getGenesisHash'), 'it does not say which chain it is on')
      const cluster = clusterOf(found)
      return {
        call: 'getGenesisHash',
        said: `that its chain begins with ${found}${cluster === null ? '' : `, which is ${cluster}`}`,
        truth:
          genesis === null
            ? 'it must be a chain of its own'
            : `${clusterOf(genesis) ?? 'the right chain'} begins with ${genesis}`,
      }
    },

    async software() {
      const found = (await rpc.call('getVersion')) as Record<string, unknown> | null
      return `solana-core ${shownText(found?.['solana-core'])}`
    },

    async standing() {
      const says =
        (await health()) === null
          ? 'It does not tell whether it keeps up with the others.'
          : 'It says that it keeps up with the others.'
      const [seen, newest] = [
        readCount(await rpc.call('getSlot', { commitment: 'processed' }), 'it has no slot'),
        await index.newest(),
      ]
      const behind = seen - newest.slot
      if (behind <= maxBehind) return { says, problem: null }
      return {
        says,
        problem: {
          says: `Its newest ${commitment} block is ${behind} slots behind the newest that it has seen.`,
          todo: 'Wait, and compare its slot with a public explorer: either it is behind, or the network has stopped voting.',
        },
      }
    },

    async needs({ height }) {
      const slot = await slotOf(height)
      const block = {
        commitment,
        transactionDetails: 'accounts',
        rewards: false,
        maxSupportedTransactionVersion: 0,
      }
      return [
        { call: ['getGenesisHash'], need: 'to know which chain it is on' },
        { call: ['getHealth'], need: 'to see whether it keeps up with the others', isOptional: true },
        { call: ['getSlot', { commitment }], need: 'to see which block is the newest' },
        { call: ['getBlocks', slot, slot, { commitment }], need: 'to find blocks by height' },
        { call: ['getBlock', slot, block], need: 'to find payments' },
        { call: ['getBalance', nobodysAddress, { commitment }], need: 'to see what the hot wallet holds' },
        {
          call: ['getMultipleAccounts', [nobodysAddress], { commitment, encoding: 'base64' }],
          need: 'to see what is at a destination, and the nonces of the hot wallet',
        },
        { call: ['getLatestBlockhash', { commitment: 'confirmed' }], need: 'to create nonce accounts' },
        {
          call: ['getMinimumBalanceForRentExemption', tokenAccountBytes],
          need: 'to know what a new account costs',
        },
        {
          call: ['getRecentPrioritizationFees', []],
          need: 'to know the fee of a payout',
          isOptional: true,
        },
        // A byte that is no transaction: nothing is simulated, and nothing is sent.
        {
          call: ['simulateTransaction', 'AA==', { encoding: 'base64' }],
          need: 'to see whether a payout would succeed',
          mayRefuse: true,
        },
        {
          call: ['sendTransaction', 'AA==', { encoding: 'base64' }],
          need: 'to send payouts',
          mayRefuse: true,
        },
        {
          call: ['getSignatureStatuses', [nobodysSignature], { searchTransactionHistory: true }],
          need: 'to know what became of a payout',
        },
        { call: executedCall(nobodysSignature, commitment), need: 'to know what a payout did' },
        {
          call: ['getSignaturesForAddress', nobodysAddress, { commitment, limit: 1 }],
          need: 'to name what used a nonce',
        },
      ]
    },

    prove: async (block) => proveBlock(rpc, block, await slotOf(block.height), commitment),

    byHash: async () => {
      throw new Untestable('Nodes of Solana find blocks by their slot alone, not by their hash.')
    },

    async alone({ txHash, address, currency }, block) {
      const call = `getTransaction ${txHash}`
      const answer = (await rpc.call(...executedCall(txHash, commitment))) as Record<string, unknown> | null
      if (answer === null) return { call, units: null }
      const slot = await slotOf(block.height)
      if (answer.slot !== slot)
        throw new UntrueAnswer({
          call,
          said: `that it is in slot ${shownText(answer.slot)}`,
          truth: `block ${block.height}, which holds it, is in slot ${slot}`,
        })
      const { signatures } = (answer.transaction ?? {}) as { signatures?: unknown }
      const [shown] = Array.isArray(signatures) ? signatures : []
      if (shown !== txHash)
        throw new UntrueAnswer({
          call,
          said: `that it is ${shownText(shown)}`,
          truth: 'it was asked for another one',
        })
      // The same reader as for blocks, so that a difference is one of the answers.
      const read = readTransaction(answer)
      if (read === null) return { call, units: 0n }
      const { hash, height, parentHash, minedAt } = block
      const header = { hash, height, parentHash, minedAt, slot, parentSlot: slot - 1 }
      const found = selectGainers(assets)({ ...header, transactions: [read] })
      const among = async () => new Set([address])
      const [transfers = []] = await transfersIn(assets, [found], { among, amongLower: among })
      return { call, units: transfers.find((each) => each.currency === currency)?.units ?? 0n }
    },

    async unknown() {
      refuseKnowing(
        `getTransaction ${nobodysSignature}`,
        await rpc.call(...executedCall(nobodysSignature, commitment)),
      )
      const { statuses } = await askStatuses(rpc, [nobodysSignature])
      refuseKnowing(`getSignatureStatuses ${nobodysSignature}`, statuses[0] ?? null)
      const { accounts } = await askAccounts(rpc, [nobodysAddress], commitment)
      refuseKnowing(`getMultipleAccounts ${nobodysAddress}`, accounts[0] ?? null)
      return 'a made-up transaction and a made-up account'
    },

    reach: (headers) => dayBack(headers, { ...secondsBetween, assumed: secondsBetween.most }),

    async readFar(height) {
      const block = await gate.block(height, samplePayees(1))
      if (block === null) return null
      const [transfer] = block.transfers
      if (transfer === undefined) return ''
      if ((await rpc.call(...executedCall(transfer.txHash, commitment))) === null)
        throw new Failed(
          `It has block ${height}, but does not show its transaction ${transfer.txHash} alone.`,
          'Add a node that keeps transactions for longer: Sluice asks what became of a payout by its name.',
        )
      return ' It shows a transaction in it alone, too.'
    },

    async claimsToKeep(height): Promise<{ call: string; said: string } | null> {
      const call = 'getFirstAvailableBlock'
      const slot = readCount(await rpc.call(call), 'it has no slot')
      const first = await askHeader(rpc, slot, commitment)
      if (first === 'absent' || first === 'pruned' || first.height > height) return null
      return { call, said: `that it keeps blocks from slot ${slot} on, where block ${first.height} is` }
    },
  }
}
