import type { Currency as CurrencyView } from '@sluice/sdk/contract'
import type { Currency } from '../../domain/assets.ts'
import { type Environment, environments } from '../../domain/environment.ts'
import { formatDecimal } from '../../domain/money.ts'
import { type GateId, gateId } from '../../domain/networks.ts'

/** A currency with its networks in the given environment, or in both. */
export function currencyView(
  currency: Currency,
  environment: Environment | null,
  isOnline: (gate: GateId) => boolean,
): CurrencyView {
  const shown = environments.filter((each) => environment === null || each === environment)
  return {
    code: currency.code,
    name: currency.name,
    kind: currency.kind,
    environments: [...shown],
    default_network: currency.defaultNetwork,
    networks: shown.flatMap((each) =>
      currency.assets.map((asset) => ({
        network: asset.network.id,
        name: asset.network.name,
        environment: each,
        gate_id: gateId(asset.network.id, each),
        decimals: asset.decimals,
        contract_address: each === 'live' ? asset.contractAddress : null,
        required_confirmations: asset.network.confirmations,
        min_amount: formatDecimal(asset.minUnits, asset.decimals),
        tag: asset.network.tag,
        status: isOnline(gateId(asset.network.id, each)) ? 'online' : 'offline',
      })),
    ),
  }
}
