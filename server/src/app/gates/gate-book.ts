import type { Environment } from '../../domain/environment.ts'
import { ServiceError } from '../../domain/errors.ts'
import type { GateHealth } from '../../domain/gate-health.ts'
import { type GateId, gateId } from '../../domain/networks/network.ts'
import { say } from '../../domain/reasons/reasons.ts'
import { type Gate, GateOutageError } from '../../gates/gate.ts'

/** The gates this process knows, and whether each is online now. */
export type GateBook = {
  list(): readonly Gate[]
  find(id: string): Gate | null
  isOnline(id: GateId): boolean
  /** The same, with the reason when it is offline. */
  status(id: GateId): GateStatus
}

/** A gate's health as this process last read it. */
export type GateStatus = GateHealth

const notLookedAt: GateStatus = {
  online: false,
  reason: say('gate_unchecked'),
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

/** The error for new business on a network that cannot be reached. */
export function gateOffline(network: string): ServiceError {
  return new ServiceError(
    'gate_offline',
    `The network ${network} cannot be reached right now. Try again later, or use another network.`,
  )
}

/** The error for new business while no deposit address is available. */
export function noAddress(network: string): ServiceError {
  return new ServiceError(
    'gate_offline',
    `No deposit address is available on the network ${network} right now. Try again in a moment, or use another network. ` +
      'If this persists, the operator finds the reason in the signer’s log.',
  )
}

/** The error instead of an address that this service did not derive. */
export function addressRefused(network: string): ServiceError {
  return new ServiceError(
    'gate_offline',
    `The payment address on the network ${network} cannot be shown: it is not one of this service’s. Do not pay to an address ` +
      'that you saw here before. The operator finds the reason in the log.',
  )
}

/** The error for any request in the test environment before a signer has published the test wallet's public keys. */
export function testWalletMissing(): ServiceError {
  return new ServiceError(
    'gate_offline',
    'The test wallet is not ready yet: its signer has not started. Start one (`sluice start --role signer`), or try again in a moment.',
  )
}

/** Whether a gate carries a currency: the operator configures which tokens it follows. */
export function carries(gate: Gate, currency: string): boolean {
  return gate.assets.some((asset) => asset.currency === currency)
}

/** The gate of a network in an environment; throws `gate_offline` unless it is online and carries the currency. */
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

/** Whether payers can send a currency to a gate: not while our account cannot hold it, nor while no node says whether it can. */
export async function canReceive(gate: Gate, currency: string): Promise<boolean | 'unknown'> {
  const asset = gate.assets.find((each) => each.currency === currency)
  if (asset === undefined || gate.canHold === undefined) return true
  try {
    return await gate.canHold(asset)
  } catch (error) {
    if (error instanceof GateOutageError) return 'unknown'
    throw error
  }
}

/** The same as `onlineGate`, for a currency that payers are to send: throws too while our account cannot hold it. */
export async function receivingGate(...where: Parameters<typeof onlineGate>): Promise<Gate> {
  const gate = onlineGate(...where)
  const [, currency, network] = where
  const can = await canReceive(gate, currency)
  if (can === true) return gate
  if (can === 'unknown') throw gateOffline(network)
  throw new ServiceError('gate_offline', say('no_trust_line', { network, currency }))
}
