import { randomBytes } from 'node:crypto'
import type { GateId } from '../../src/domain/networks/network.ts'
import { nodeRpc } from '../../src/gates/bitcoin/rpc.ts'
import type { GateConfig } from '../../src/settings/gate-config.ts'
import { type Db, sql } from '../../src/store/sql.ts'
import { askNode } from '../support/nodes/anvil.ts'
import type { Miner } from './miner.ts'

/** What a miner needs from a real node. */
type MiningNode = {
  tipHash(): Promise<string>
  /** Whether a transaction waits for its block. */
  isAwaited(): Promise<boolean>
  mine: (blocks: number, isEmpty: boolean) => Promise<void>
}

export type Under = {
  readonly hash: string
  readonly height: bigint
  readonly moving: boolean
  readonly isEnded: boolean
}

/** A real node that mines when it is told to. */
export function nodeMiner(config: Exclude<GateConfig, { kind: 'solana' | 'xrp' }>, db: Db): Miner {
  const node = config.kind === 'evm' ? accountsNode(config.rpcUrls()[0] ?? '') : coinsNode(config.rpcUrl())
  const gateId: GateId = config.id
  return {
    gateIds: [gateId],

    async state() {
      const [tipHash, isAwaited] = [await node.tipHash(), await node.isAwaited()]
      const under = await underWay(db, gateId)
      const isFollowed = under?.hash === tipHash
      const moving = isAwaited || under?.moving === true
      return {
        isEnded: isFollowed && !moving && under?.isEnded === true,
        awaited: isFollowed && moving ? [gateId] : [],
      }
    },

    mine: (_id, blocks, isEmpty) => node.mine(blocks, isEmpty),
  }
}

/** How far the service has followed a chain, and what it waits for there. */
export async function underWay(db: Db, gateId: GateId): Promise<Under | null> {
  return sql<Under>`
    select hash, height, exists (select from spends join spend_transactions on spend_id = spends.id
        where gate_id = chain.gate_id and status = 'open' and sent_at is not null)
      or exists (select from payments where gate_id = chain.gate_id and matures_at > chain.height) as moving,
      not exists (select from payouts where status in ('approved', 'processing'))
      and not exists (select from spends where status = 'open') and not exists (select from jobs) as "isEnded"
    from followed_chains as chain where gate_id = ${gateId}`.maybeOne(db)
}

function accountsNode(url: string): MiningNode {
  const ask = askNode(url)
  return {
    tipHash: async () => (await ask('eth_getBlockByNumber', 'latest', false)).hash,
    isAwaited: async () => BigInt((await ask('txpool_status')).pending) > 0n,
    // Anvil cannot mine an empty block while a transaction is pending; the transaction simply stays pending.
    async mine(blocks, isEmpty) {
      if (!isEmpty) await ask('anvil_mine', `0x${blocks.toString(16)}`)
    },
  }
}

function coinsNode(url: string): MiningNode {
  const rpc = nodeRpc({ url })
  return {
    tipHash: async () => (await rpc.call('getbestblockhash')) as string,
    isAwaited: async () => ((await rpc.call('getmempoolinfo')) as { size: number }).size > 0,
    async mine(blocks, isEmpty) {
      // To a new random address each time, so that no block repeats one that was thrown away.
      const script = `0020${randomBytes(32).toString('hex')}`
      const { address } = (await rpc.call('decodescript', script)) as { address: string }
      if (isEmpty) await rpc.call('generateblock', address, [])
      else await rpc.call('generatetoaddress', blocks, address)
    },
  }
}
