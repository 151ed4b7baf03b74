import { setTimeout as delay } from 'node:timers/promises'
import type { GateId } from '../../src/domain/networks/network.ts'
import type { SolanaGateConfig } from '../../src/settings/solana-gate-config.ts'
import type { Db } from '../../src/store/sql.ts'
import { askNode } from '../support/nodes/anvil.ts'
import type { Miner } from './miner.ts'
import { underWay } from './node-miner.ts'

const pollMs = 10

/** A real node that makes blocks by itself. To mine is to wait for its next block. */
export function solanaMiner({ id, rpcUrls }: SolanaGateConfig, db: Db): Miner {
  const ask = askNode(rpcUrls()[0] ?? '')
  const gateId: GateId = id
  const height = async () => BigInt(await ask('getBlockHeight'))
  /** The newest block when everything had ended. Once it is followed, nothing can come after it. */
  let last: bigint | null = null

  return {
    gateIds: [gateId],

    async state() {
      const under = await underWay(db, gateId)
      const moving = under?.moving === true
      if (moving || under?.isEnded !== true) {
        last = null
        return { isEnded: false, awaited: [gateId] }
      }
      last ??= await height()
      return { isEnded: under.height >= last, awaited: [gateId] }
    },

    async mine() {
      const before = await height()
      while ((await height()) === before) await delay(pollMs)
    },
  }
}
