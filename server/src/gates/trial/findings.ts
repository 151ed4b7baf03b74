import type { TrialFinding } from '../../domain/gate-trial.ts'
import { GateOutageError } from '../gate.ts'
import { RpcRefusal } from '../json-rpc.ts'
import { TrialLimit } from './metered-rpc.ts'
import { Untestable, UntrueAnswer } from './untrue.ts'

/** What a check has found, if nothing is wrong. */
export type Found = { readonly says: string; readonly todo?: string }

/** What a check has found wrong, in a sentence, and what to do about it. */
export class Failed extends Error {
  override readonly name = 'Failed'
  readonly todo: string

  constructor(says: string, todo: string) {
    super(says)
    this.todo = todo
  }
}

const notTrusted =
  'Do not use this server for money until you know why. Ask a second one with another --url, and send us this report.'

/** Makes one check. Everything a server does becomes a finding; only a mistake of ours is thrown. */
export async function findingOf<Check extends TrialFinding['check']>(
  check: Check,
  work: () => Promise<Found>,
): Promise<TrialFinding & { readonly check: Check }> {
  try {
    const { says, todo = null } = await work()
    return { check, state: 'passed', says, todo, lie: null }
  } catch (error) {
    if (error instanceof UntrueAnswer)
      return { check, state: 'failed', says: `LIE: ${error.message}`, todo: notTrusted, lie: error.lie }
    if (error instanceof Failed)
      return { check, state: 'failed', says: error.message, todo: error.todo, lie: null }
    if (error instanceof Untestable)
      return { check, state: 'skipped', says: error.message, todo: null, lie: null }
    if (error instanceof TrialLimit)
      return {
        check,
        state: 'skipped',
        says: `This was not finished: ${error.message}.`,
        todo: 'Ask for fewer --blocks.',
        lie: null,
      }
    if (error instanceof RpcRefusal)
      return {
        check,
        state: 'failed',
        says: `The server refused a call: ${error.message} (code ${error.code}).`,
        todo: 'Read the check of methods above, and ask your provider.',
        lie: null,
      }
    if (error instanceof GateOutageError)
      return {
        check,
        state: 'failed',
        says: error.message,
        todo: 'Look into the log of the server, or ask your provider, and try again.',
        lie: null,
      }
    throw error
  }
}
