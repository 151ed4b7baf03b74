import type { Environment } from '../../domain/environment.ts'
import { ServiceError } from '../../domain/errors.ts'
import type { GateHealth } from '../../domain/gate-health.ts'
import { type GateId, gateId } from '../../domain/networks/network.ts'
import type { Gate } from '../../gates/gate.ts'

/** The gates this process knows, and whether each can be relied on right now. */
export type GateBook = {
  list(): readonly Gate[]
  find(id: string): Gate | null
  isOnline(id: GateId): boolean
  /** The same, with the reason when it cannot. */
  status(id: GateId): GateStatus
}

/** What the process has heard of a gate lately. */
export type GateStatus = GateHealth

const notLookedAt: GateStatus = {
  online: false,
  reason: 'It has not been looked at yet. Look again in a moment.',
  since: null,
  isWrongChain: false,
}

export function createGateBook(
  statuses: ReadonlyMap<string, GateStatus>,
  gates: () => readonly Gate[],
): GateBook {
  return {
    list: gates,
    find: (id) => gates().find((gate) => gate.id === id) ?? null,
    isOnline: (id) => statuses.get(id)?.online ?? false,
    status: (id) => statuses.get(id) ?? notLookedAt,
  }
}

/** The refusal of new business on a network that cannot be reached. */
export function gateOffline(network: string): ServiceError {
  return new ServiceError(
    'gate_offline',
    `The network ${network} cannot be reached right now. Try again later, or use another network.`,
  )
}

/** The refusal of new business where no deposit address may be given now. */
export function noAddress(network: string): ServiceError {
  return new ServiceError(
    'gate_offline',
    `There is no deposit address of the network ${network} to give right now. Try again in a moment, or use another network. ` +
      'If it stays so, the operator has to see why in the signer’s log.',
  )
}

/** The refusal of everything in the test environment before any signer has published the test wallet's public keys. */
export function testWalletMissing(): ServiceError {
  return new ServiceError(
    'gate_offline',
    'The test wallet is not ready yet: its signer has not started. Start one (`sluice start --role signer`), or try again in a moment.',
  )
}

/** Whether a gate has a currency: which tokens it follows is the operator's to say. */
export function carries(gate: Gate, currency: string): boolean {
  return gate.assets.some((asset) => asset.currency === currency)
}

/** The gate of a currency's network in an environment, if it has it and is online; refuses with `gate_offline` otherwise. */
export function onlineGate(
  gates: GateBook,
  currency: string,
  network: string,
  environment: Environment,
): Gate {
  const id = gateId(network, environment)
  const gate = gates.find(id)
  if (environment === 'test' && !gates.list().some((each) => each.environment === 'test'))
    throw testWalletMissing()
  if (gate === null || !carries(gate, currency) || !gates.isOnline(id)) throw gateOffline(network)
  return gate
}
