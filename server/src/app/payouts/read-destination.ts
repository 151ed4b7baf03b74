import type { Environment } from '../../domain/environment.ts'
import { ServiceError } from '../../domain/errors.ts'
import { gateId } from '../../domain/networks/network.ts'
import type { Consent } from '../../gates/gate.ts'
import type { App } from '../app.ts'
import { faultOnChain, type PlaceFields, whyNotPaid } from './check-destination.ts'

const placeFields: PlaceFields = { address: 'address', tag: 'tag' }

/** A destination as a person writes it. */
export type NamedPlace = { readonly network: string; readonly address: string; readonly tag: string | null }

/** The destination in the form that payouts use, so that the two can be compared. */
export function readDestination(
  app: Pick<App, 'gates'>,
  environment: Environment,
  { network, address, tag }: NamedPlace,
  consent: Consent,
): NamedPlace {
  const gate = app.gates.find(gateId(network.toLowerCase(), environment))
  if (gate === null)
    throw new ServiceError('not_found', `There is no network ${network} in the ${environment} environment.`)
  const destination = gate.parseDestination(address, tag, consent)
  if (destination === null)
    throw new ServiceError(
      'validation_error',
      `This is not a valid address, with its tag, on ${gate.network.name}.`,
      whyNotPaid(gate, { address, tag }, placeFields),
    )
  return { network: gate.network.id, address: destination.address, tag: destination.tag }
}

/** The same for a destination that is to be allowed: it must be one that can be paid, by what the chain has there. */
export async function checkNewDestination(
  app: Pick<App, 'gates'>,
  environment: Environment,
  named: NamedPlace,
  consent: Consent,
): Promise<NamedPlace> {
  const place = readDestination(app, environment, named, consent)
  const gate = app.gates.find(gateId(place.network, environment))
  const fault = gate === null ? null : await faultOnChain(gate, place.address)
  if (fault !== null)
    throw new ServiceError('validation_error', 'This address cannot be paid.', [
      `/address: cannot be paid: ${fault}`,
    ])
  return place
}

export function placeInWords({ network, address, tag }: NamedPlace): string {
  return `${address}${tag === null ? '' : ` tag ${tag}`} on ${network}`
}
