import type { Currency as CurrencyView } from '@sluice/sdk/contract'
import type { Currency } from '../../../domain/assets.ts'
import { type Environment, environments } from '../../../domain/environment.ts'
import { formatDecimal } from '../../../domain/money.ts'
import { gateId, type Network } from '../../../domain/networks/network.ts'

/** A currency with its networks in the given environment, or in both. */
export function currencyView(
  currency: Currency,
  environment: Environment | null,
  gateOf: (
    network: string,
    environment: Environment,
  ) => {
    readonly isOnline: boolean
    readonly contractAddress: string | null
    /** Null if there is no gate. */
    readonly confirmations: number | null
  },
): CurrencyView {
  const shown = environments.filter((each) => environment === null || each === environment)
  return {
    code: currency.code,
    name: currency.name,
    kind: currency.kind,
    environments: [...shown],
    default_network: currency.defaultNetwork,
    networks: shown.flatMap((each) =>
      currency.assets.flatMap((asset) => {
        if (asset.isTestOnly && each === 'live') return []
        const gate = gateOf(asset.network.id, each)
        return {
          network: asset.network.id,
          name: asset.network.name,
          environment: each,
          gate_id: gateId(asset.network.id, each),
          decimals: asset.decimals,
          // The test environment has its own tokens.
          contract_address: gate.contractAddress ?? (each === 'live' ? asset.contractAddress : null),
          required_confirmations: gate.confirmations ?? asset.network.confirmations,
          min_amount: formatDecimal(asset.minUnits, asset.decimals),
          tag: tagView(asset.network),
          status: gate.isOnline ? 'online' : 'offline',
        }
      }),
    ),
  }
}

function tagView({ tag }: Network): { name: string; required: boolean } | null {
  return tag === null ? null : { name: tag.name, required: tag.required }
}
