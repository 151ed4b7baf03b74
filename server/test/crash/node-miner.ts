import { sql } from 'kysely'
import type { EvmGateConfig } from '../../src/domain/evm-gate-config.ts'
import type { GateId } from '../../src/domain/networks/network.ts'
import type { Db } from '../../src/store/database.ts'
import { askNode } from '../support/anvil.ts'
import type { Miner } from './miner.ts'

export const nodeGateId: GateId = 'ethereum-test'

type Under = { readonly hash: string; readonly moving: boolean; readonly isEnded: boolean }

/** A real node that mines when it is told to. */
export function nodeMiner(config: Pick<EvmGateConfig, 'rpcUrls'>, db: Db): Miner {
  const ask = askNode(config.rpcUrls()[0] ?? '')
  return {
    gateIds: [nodeGateId],

    async state() {
      const [tip, pool] = [await ask('eth_getBlockByNumber', 'latest', false), await ask('txpool_status')]
      const { rows } = await sql<Under>`
        select hash, exists (select from spends join spend_transactions on spend_id = spends.id
            where gate_id = chain.gate_id and status = 'open' and sent_at is not null)
          or exists (select from payments where gate_id = chain.gate_id and matures_at > chain.height) as moving,
          not exists (select from payouts where status in ('approved', 'processing'))
          and not exists (select from spends where status = 'open') and not exists (select from work) as "isEnded"
        from followed_chains as chain where gate_id = ${nodeGateId}`.execute(db)
      const [under] = rows
      const isFollowed = under?.hash === tip.hash
      const moving = BigInt(pool.pending) > 0n || under?.moving === true
      return {
        isEnded: isFollowed && !moving && under?.isEnded === true,
        awaited: isFollowed && moving ? [nodeGateId] : [],
      }
    },

    // An empty block cannot be had while something waits; what waits goes on waiting.
    async mine(_id, blocks, isEmpty) {
      if (!isEmpty) await ask('anvil_mine', `0x${blocks.toString(16)}`)
    },
  }
}
