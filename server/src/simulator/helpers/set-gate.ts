import type { App } from '../../app/app.ts'
import type { Caller } from '../../domain/caller.ts'
import type { Gate } from '../../gates/gate.ts'
import { simulatedGate } from './simulated-gate.ts'

/** Takes a simulated network offline or online for the caller's merchant only. Offline, it accepts no new business. */
export async function setGate(
  app: App,
  caller: Caller,
  input: { readonly network: string; readonly status: 'online' | 'offline' },
): Promise<Gate> {
  const gate = simulatedGate(app, caller, input.network)
  await app.store.gatesOffline.set(caller, gate.id, input.status === 'offline')
  return gate
}
