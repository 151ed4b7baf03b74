import { OutageError } from '../../domain/errors.ts'
import { type Gate, GateOutageError, WrongChainError } from '../../gates/gate.ts'
import type { App } from '../app.ts'

/** Records why a gate's chain could not be followed: the gate goes offline, and its operator sees the reason. */
export async function noteTrouble(app: Pick<App, 'store'>, gate: Gate, error: unknown): Promise<void> {
  // A database failure cannot be recorded in the database, and says nothing about the gate.
  const isElsewhere = error instanceof OutageError && !(error instanceof GateOutageError)
  if (gate.simulated !== null || isElsewhere) return
  const kind = error instanceof WrongChainError ? 'wrong_chain' : 'outage'
  await app.store.gateProgress.noteTrouble(gate.id, kind, inWords(error))
}

function inWords(error: unknown): string {
  if (error instanceof GateOutageError) return error.message
  const words = error instanceof Error ? error.message : String(error)
  return `Sluice failed to read the chain (${words}). The log has details; report this to Sluice’s authors.`
}
