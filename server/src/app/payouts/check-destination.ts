import { ServiceError } from '../../domain/errors.ts'
import type { Gate } from '../../gates/gate.ts'
import type { App } from '../app.ts'
import { batch } from '../batch.ts'

const maxBatch = 128
const maxRunning = 2

type Place = { readonly address: string; readonly tag: string | null }

/** Returns a destination in its canonical form; throws if no payout may go there. */
export type DestinationChecker = (gate: Gate, address: string, tag: string | null) => Promise<Place>

/**
 * Makes the check: the address must belong to exactly this network, have the tag it needs, and not be our own: a payout to
 * ourselves would be booked as a deposit. Concurrent calls share statements.
 */
export function destinationChecker(app: Pick<App, 'store'>): DestinationChecker {
  const isOurs = batch(
    async (addresses: readonly string[]) => {
      const ours = await app.store.depositAddresses.everMade(addresses)
      return addresses.map((address) => ours.has(address))
    },
    { maxBatch, maxRunning },
  )
  return async (gate, address, tag) => {
    const destination = gate.parseDestination(address, tag)
    if (destination === null) throw invalidDestination(whyNot(gate, tag))
    const { spending } = gate
    const isHot = spending.kind !== 'coins' && spending.hotAddress === destination.address
    if (isHot || (await isOurs(destination.address)))
      throw invalidDestination('/destination: is an address of this service')
    return destination
  }
}

function whyNot({ network }: Gate, tag: string | null): string {
  if (network.tag === null && tag !== null) return `/destination_tag: must not be given on ${network.name}`
  if (network.tag?.required && tag === null)
    return `/destination_tag: is required on ${network.name}, or the destination is not an address there`
  return `/destination: is not an address on ${network.name} that can be paid${network.tag === null ? '' : ', or its tag is not valid'}`
}

function invalidDestination(detail: string): ServiceError {
  return new ServiceError(
    'invalid_destination',
    'This destination cannot be paid. Check the address, its network and its tag.',
    [detail],
  )
}
