import type { Environment } from '../../domain/environment.ts'
import { ServiceError } from '../../domain/errors.ts'
import { gateId } from '../../domain/networks/network.ts'
import type { App } from '../app.ts'

/** A destination as a person writes it. */
export type NamedPlace = { readonly network: string; readonly address: string; readonly tag: string | null }

/** The destination in the form that payouts use, so that the two can be compared. */
export function readDestination(
  app: Pick<App, 'gates'>,
  environment: Environment,
  { network, address, tag }: NamedPlace,
): NamedPlace {
  const gate = app.gates.find(gateId(network.toLowerCase(), environment))
  if (gate === null)
    throw new ServiceError('not_found', `There is no network ${network} in the ${environment} environment.`)
  const destination = gate.parseDestination(address, tag)
  if (destination === null)
    throw new ServiceError(
      'validation_error',
      `This is not a valid address, with its tag, on ${gate.network.name}.`,
      [`/address: is not a valid address, with its tag, on ${gate.network.name}`],
    )
  return { network: gate.network.id, address: destination.address, tag: destination.tag }
}

export function placeInWords({ network, address, tag }: NamedPlace): string {
  return `${address}${tag === null ? '' : ` tag ${tag}`} on ${network}`
}
