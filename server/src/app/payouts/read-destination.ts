import type { Environment } from '../../domain/environment.ts'
import { ServiceError } from '../../domain/errors.ts'
import { gateId } from '../../domain/networks/network.ts'
import type { App } from '../app.ts'

/** Somewhere to pay to, as somebody writes it. */
export type NamedPlace = { readonly network: string; readonly address: string; readonly tag: string | null }

/** The same in the form in which payouts have it: only then are the two the same. */
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
    throw new ServiceError('validation_error', `That is no address with its tag on ${gate.network.name}.`, [
      `/address: is no address with its tag on ${gate.network.name}`,
    ])
  return { network: gate.network.id, address: destination.address, tag: destination.tag }
}

export function placeInWords({ network, address, tag }: NamedPlace): string {
  return `${address}${tag === null ? '' : ` tag ${tag}`} on ${network}`
}
