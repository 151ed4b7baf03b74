import type { GateId } from '../../src/domain/networks/network.ts'
import type { Progress } from './progress.ts'

/** Whoever makes the blocks of a run's chains. */
export type Miner = {
  readonly gateIds: readonly GateId[]
  /** How far everything is, by the chains and by the database. */
  state(): Promise<Progress>
  /** Makes so many blocks; or none with a transaction in it. */
  mine(gateId: string, blocks: number, isEmpty: boolean): Promise<void>
}
