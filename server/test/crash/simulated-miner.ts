import type { App } from '../../src/app/app.ts'
import type { Db } from '../../src/store/sql.ts'
import type { Miner } from './miner.ts'
import { gateIds } from './networks.ts'
import { stateOf } from './progress.ts'

const fullBlock = 4_000

/** The simulator's chains. */
export function simulatedMiner({ store }: Pick<App, 'store'>, db: Db): Miner {
  return {
    gateIds,
    state: () => stateOf(db),
    async mine(id, blocks, isEmpty) {
      await store.simulatedChains.mine(id, isEmpty ? 1 : blocks, {
        maxTransactions: isEmpty ? 0 : fullBlock,
      })
    },
  }
}
