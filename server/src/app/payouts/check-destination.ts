import { OutageError, ServiceError } from '../../domain/errors.ts'
import type { Consent, Gate } from '../../gates/gate.ts'
import type { App } from '../app.ts'
import { batch } from '../batch.ts'

const maxBatch = 128
const maxRunning = 2

type Place = { readonly address: string; readonly tag: string | null }

/** Returns a destination in its canonical form; throws if no payout may go there. */
export type DestinationChecker = (gate: Gate, place: Place, consent: Consent) => Promise<Place>

/** The names of the fields in which a request states an address and its tag. */
export type PlaceFields = { readonly address: string; readonly tag: string }

const payoutFields: PlaceFields = { address: 'destination', tag: 'destination_tag' }

/**
 * Makes the check: the address must belong to exactly this network, have the tag it needs, be one that can be paid, and not be
 * our own: a payout to ourselves would be booked as a deposit. Concurrent calls share statements.
 */
export function destinationChecker(app: Pick<App, 'store'>): DestinationChecker {
  const isOurs = batch(
    async (addresses: readonly string[]) => {
      const ours = await app.store.depositAddresses.everMade(addresses)
      return addresses.map((address) => ours.has(address))
    },
    { maxBatch, maxRunning },
  )
  return async (gate, place, consent) => {
    const destination = gate.parseDestination(place.address, place.tag, consent)
    if (destination === null) throw invalidDestination(whyNotPaid(gate, place, payoutFields))
    const { spending } = gate
    const isHot = spending.kind !== 'coins' && spending.hotAddress === destination.address
    if (isHot || (await isOurs(destination.address)))
      throw invalidDestination(['/destination: is an address of this service'])
    const fault = await faultOnChain(gate, destination.address)
    if (fault !== null) throw invalidDestination([`/destination: cannot be paid: ${fault}`])
    return destination
  }
}

/**
 * Why funds sent to an address would be unusable, judging by what the chain has there; null if it can be paid or the node does
 * not answer. The simulation before signing finds what is missed here.
 */
export async function faultOnChain(gate: Gate, address: string): Promise<string | null> {
  try {
    return (await gate.destinationFault?.(address)) ?? null
  } catch (error) {
    if (error instanceof OutageError) return null
    throw error
  }
}

/** What is wrong with a place that a gate refuses, by field. */
export function whyNotPaid(gate: Gate, { address, tag }: Place, fields: PlaceFields): string[] {
  const { network } = gate
  if (network.tag === null && tag !== null) return [`/${fields.tag}: must not be given on ${network.name}`]
  if (network.tag?.required && tag === null)
    return [`/${fields.tag}: is required on ${network.name}, or the destination is not an address there`]
  const wrongTag = tag === null ? null : (gate.tagRefusal?.(tag) ?? null)
  if (wrongTag !== null) return [`/${fields.tag}: ${wrongTag}`]
  const refusal = gate.destinationRefusal?.(address) ?? null
  if (refusal !== null)
    return [
      `/${fields.address}: ${refusal.words}`,
      ...(refusal.needsConsent
        ? ['/allow_program_address: must be true to pay an address that a program controls']
        : []),
    ]
  // A tag that is known to be right is not worth a word.
  const orTag = network.tag === null || gate.tagRefusal !== undefined ? '' : ', or its tag is not valid'
  return [`/${fields.address}: is not an address on ${network.name} that can be paid${orTag}`]
}

function invalidDestination(details: readonly string[]): ServiceError {
  return new ServiceError(
    'invalid_destination',
    'This destination cannot be paid. Check the address, its network and its tag.',
    [...details],
  )
}
