import type { Lie } from '../../domain/gate-trial.ts'

/** A node gave an answer that cannot be true. */
export class UntrueAnswer extends Error {
  override readonly name = 'UntrueAnswer'
  readonly lie: Lie

  constructor(lie: Lie) {
    super(`${lie.call} says ${lie.said}, but ${lie.truth}.`)
    this.lie = lie
  }
}

/** This check cannot be made here, and why. */
export class Untestable extends Error {
  override readonly name = 'Untestable'
}
