import type { App } from '../../app/app.ts'
import { invalid } from '../../app/choose-asset.ts'
import { testWalletMissing } from '../../app/gates/gate-book.ts'
import { networksIn } from '../../domain/assets.ts'
import type { Caller } from '../../domain/caller.ts'
import { ServiceError } from '../../domain/errors.ts'
import { gateId } from '../../domain/networks/network.ts'
import type { Gate } from '../../gates/gate.ts'

export type SimulatedGate = Gate & { readonly simulated: NonNullable<Gate['simulated']> }

/** The simulated gate of a network that a test helper names; throws for unknown networks and those on a real node. */
export function simulatedGate(app: App, caller: Pick<Caller, 'environment'>, network: string): SimulatedGate {
  const name = network.toLowerCase()
  const known = networksIn(app.assets).map(({ id }) => id)
  if (!known.includes(name)) throw invalid(`/network: must be one of ${known.join(', ')}`)
  const gate = app.gates.find(gateId(name, caller.environment))
  if (gate === null) throw testWalletMissing()
  if (!isSimulated(gate))
    throw new ServiceError(
      'invalid_state',
      'This network runs on a real node, which Sluice cannot control. Use the node’s own tools.',
      ['/network: is not simulated'],
    )
  return gate
}

function isSimulated(gate: Gate): gate is SimulatedGate {
  return gate.simulated !== null
}
