import type { GateId } from '../../src/domain/networks/network.ts'
import type { Progress } from './progress.ts'

/** Makes the blocks of a run's chains. */
export type Miner = {
  readonly gateIds: readonly GateId[]
  /** How far the run has got, by the chains and by the database. */
  state(): Promise<Progress>
  /** Mines this many blocks, or empty ones. */
  mine(gateId: string, blocks: number, isEmpty: boolean): Promise<void>
}
