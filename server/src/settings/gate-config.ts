import { type AssetRegistry, networkIn, networksIn } from '../domain/assets.ts'
import { environments } from '../domain/environment.ts'
import { gateId, type Network } from '../domain/networks/network.ts'
import {
  type BitcoinGateConfig,
  type BitcoinGateEntry,
  bitcoinGateProblems,
  bitcoinGateSchema,
  readBitcoinGate,
} from './bitcoin-gate-config.ts'
import {
  type EvmGateConfig,
  type EvmGateEntry,
  evmGateProblems,
  evmGateSchema,
  readEvmGate,
} from './evm-gate-config.ts'
import { tokenProblems, withTokens } from './listed-tokens.ts'
import { tierProblems } from './tier-config.ts'

/** A gate on real nodes, as the operator writes it in the configuration. */
export type GateEntry = BitcoinGateEntry | EvmGateEntry

/** The same gate, checked and with defaults filled in. */
export type GateConfig = BitcoinGateConfig | EvmGateConfig

const schemas = { bitcoin: bitcoinGateSchema, evm: evmGateSchema }

/** The JSON Schema of `gates` in the configuration file. */
export function gatesSchema(networkIds: readonly string[]) {
  return {
    type: 'array',
    maxItems: 100,
    items: {
      type: 'object',
      required: ['network', 'environment', 'kind'],
      properties: {
        network: { enum: networkIds },
        environment: { enum: environments },
        kind: { enum: Object.keys(schemas) },
      },
      allOf: Object.entries(schemas).map(([kind, schema]) => ({
        if: { required: ['kind'], properties: { kind: { const: kind } } },
        // biome-ignore lint/suspicious/noThenProperty: JSON Schema calls it that
        then: schema,
      })),
    },
  }
}

/**
 * The problems of gates that match the schema, one line each: `"<place> <what is wrong>"`. Never shows a password.
 * `depths` are the confirmations of networks whose gates set none.
 */
export function gateProblems(
  registry: AssetRegistry,
  entries: readonly GateEntry[],
  depths: Readonly<Record<string, number>> = {},
): string[] {
  const networks = networksIn(registry)
  const seen = new Set<string>()
  const own = entries.flatMap((entry, at) => {
    const id = gateId(entry.network, entry.environment)
    const network = networkIn(registry, entry.network)
    const plain = entry.confirmations ?? depths[network.id] ?? network.confirmations
    const tiers = tierProblems(network, plain, entry.confirmation_tiers ?? [])
    const problems = [
      ...(entry.kind === 'evm' ? evmGateProblems(networks, entry) : bitcoinGateProblems(networks, entry)),
      ...tiers.map((each) => `/confirmation_tiers${each}`),
    ]
    if (seen.has(id)) problems.push(`is a second gate for ${id}: a network has one gate in each environment`)
    seen.add(id)
    return problems.map((problem) => `/gates/${at}${problem.startsWith('/') ? '' : ' '}${problem}`)
  })
  return [
    ...own,
    ...tokenProblems(
      registry,
      entries.map((entry) => (entry.kind === 'evm' ? entry : null)),
    ),
  ]
}

/** The complete configurations of gates that have no problems. */
export function readGates(networks: readonly Network[], entries: readonly GateEntry[]): GateConfig[] {
  return entries.map((entry) =>
    entry.kind === 'evm' ? readEvmGate(networks, entry) : readBitcoinGate(networks, entry),
  )
}

/** Whether real money can arrive. */
export function hasLiveGate(gates: readonly Pick<GateConfig, 'environment'>[]): boolean {
  return gates.some(({ environment }) => environment === 'live')
}

/** Every currency of a service with these gates: those of its networks, and the tokens that the gates list. */
export function registryWith(
  registry: AssetRegistry,
  gates: readonly (GateEntry | GateConfig)[],
): AssetRegistry {
  return withTokens(
    registry,
    gates.filter((gate) => gate.kind === 'evm'),
  )
}
