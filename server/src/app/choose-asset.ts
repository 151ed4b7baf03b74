import { type Asset, type AssetRegistry, type Currency, chooseAsset } from '../domain/assets.ts'
import { ServiceError } from '../domain/errors.ts'
import { formatDecimal, parseDecimal } from '../domain/money.ts'

/** A `validation_error` that lists the problems. */
export function invalid(...details: readonly string[]): ServiceError {
  return new ServiceError(
    'validation_error',
    'The request is not valid. Correct the problems listed in details.',
    details,
  )
}

/** The asset that a request names by `currency` and optionally `network`; throws if it is not supported. */
export function assetOf(
  registry: AssetRegistry,
  named: { readonly currency: string; readonly network: string | null },
): { currency: Currency; asset: Asset } {
  const choice = chooseAsset(registry, named.currency, named.network)
  if (!('problem' in choice)) return choice
  switch (choice.problem) {
    case 'unknown_currency':
      throw invalid('/currency: is not a supported currency; GET /v1/currencies lists them')
    case 'network_required':
      throw invalid(`/network: is required for this currency: one of ${choice.networks.join(', ')}`)
    case 'unknown_network':
      throw invalid(`/network: must be one of ${choice.networks.join(', ')} for this currency`)
  }
}

/** Parses an amount of a request into units; throws unless it is above zero and fits the asset's decimals. */
export function unitsOf(text: string, decimals: number, field: string): bigint {
  const units = parseDecimal(text, decimals)
  if (units === null) throw invalid(`/${field}: must have at most ${decimals} digits after the point`)
  if (units === 0n) throw invalid(`/${field}: must be greater than 0`)
  return units
}

/** The error for an amount below the minimum on its network. */
export function tooSmall(currency: string, asset: Asset, field: string): ServiceError {
  const least = `${formatDecimal(asset.minUnits, asset.decimals)} ${currency}`
  return new ServiceError(
    'amount_too_small',
    `The smallest amount on ${asset.network.name} is ${least}. Ask for more, or use another network.`,
    [`/${field}: must be at least ${least}`],
  )
}
