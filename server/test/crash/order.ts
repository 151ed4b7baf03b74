import type { Fall } from './points.ts'
import type { RefillCommand, Said } from './refill-command.ts'

/** What a child process is told to do. */
export type Order = {
  readonly env: Record<string, string>
  readonly dataDir: string
  readonly fall: Fall | null
  /** The factor by which the network's fee rises after the first round. */
  readonly feeTimes: number
  readonly bumpAfterMs: number
  /** Whether the signer may refuse a payout because of its limits. It is then cancelled at once. */
  readonly mayRefuse: boolean
  /** How many blocks are mined at once. */
  readonly blocks: number
  /** How many empty blocks are mined before each block with transactions. */
  readonly emptyBlocks: number
  readonly maxMs: number
  /** How many rounds more, each with new blocks, once nothing is left to do. */
  readonly moreRounds: number
  /** Whether a reorganisation may undo for good what was booked. */
  readonly mayUndo: boolean
  /** A command to run, instead of a worker and signer. */
  readonly command: RefillCommand | null
}

/** The answer of a child process that was not killed. */
export type Answer = {
  readonly points: number
  /** Whether nothing was left to do. */
  readonly ended: boolean
  readonly problems: readonly string[]
  /** What the command answered. */
  readonly said?: Said
}
