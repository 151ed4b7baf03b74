import { OutageError } from '../../domain/errors.ts'
import { type Gate, GateOutageError, WrongChainError } from '../../gates/gate.ts'
import type { App } from '../app.ts'

/** Notes that a gate's chain could not be followed, and why, for whoever takes new business there and for its operator. */
export async function noteTrouble(app: Pick<App, 'store'>, gate: Gate, error: unknown): Promise<void> {
  // What is wrong with the database cannot be written there, and says nothing about the gate.
  const isElsewhere = error instanceof OutageError && !(error instanceof GateOutageError)
  if (gate.simulated !== null || isElsewhere) return
  const kind = error instanceof WrongChainError ? 'wrong_chain' : 'outage'
  await app.store.gateProgress.noteTrouble(gate.id, kind, inWords(error))
}

function inWords(error: unknown): string {
  if (error instanceof GateOutageError) return error.message
  const words = error instanceof Error ? error.message : String(error)
  return `Sluice itself failed at it (${words}). The log has more; report it to Sluice’s authors.`
}
