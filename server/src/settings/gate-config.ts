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
import {
  readSolanaGate,
  type SolanaGateConfig,
  type SolanaGateEntry,
  solanaGateProblems,
  solanaGateSchema,
} from './solana-gate-config.ts'
import { tierProblems } from './tier-config.ts'
import {
  readXrpGate,
  type XrpGateConfig,
  type XrpGateEntry,
  xrpGateProblems,
  xrpGateSchema,
} from './xrp-gate-config.ts'

/** A gate on real nodes, as the operator writes it in the configuration. */
export type GateEntry = BitcoinGateEntry | EvmGateEntry | SolanaGateEntry | XrpGateEntry

/** The same gate, checked and with defaults filled in. */
export type GateConfig = BitcoinGateConfig | EvmGateConfig | SolanaGateConfig | XrpGateConfig

/** By network, the confirmations of gates that set none. */
type Depths = Readonly<Record<string, number>>

const schemas = {
  bitcoin: bitcoinGateSchema,
  evm: evmGateSchema,
  solana: solanaGateSchema,
  xrp: xrpGateSchema,
}

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

/** The problems of gates that match the schema, one line each: `"<place> <what is wrong>"`. Never shows a password. */
export function gateProblems(
  registry: AssetRegistry,
  entries: readonly GateEntry[],
  depths: Depths = {},
): string[] {
  const networks = networksIn(registry)
  const seen = new Set<string>()
  const own = entries.flatMap((entry, at) => {
    const id = gateId(entry.network, entry.environment)
    const network = networkIn(registry, entry.network)
    const plain = entry.confirmations ?? depths[network.id] ?? network.confirmations
    const tiers = tierProblems(network, plain, entry.confirmation_tiers ?? [])
    const problems = [
      ...problemsOf(networks, entry, depths),
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
      entries.map((entry) => (listsTokens(entry) ? entry : null)),
    ),
  ]
}

function problemsOf(networks: readonly Network[], entry: GateEntry, depths: Depths): Iterable<string> {
  switch (entry.kind) {
    case 'bitcoin':
      return bitcoinGateProblems(networks, entry)
    case 'evm':
      return evmGateProblems(networks, entry)
    case 'solana':
      return solanaGateProblems(networks, entry, depths[entry.network])
    case 'xrp':
      return xrpGateProblems(networks, entry)
  }
}

/** The complete configurations of gates that have no problems. */
export function readGates(
  networks: readonly Network[],
  entries: readonly GateEntry[],
  depths: Depths = {},
): GateConfig[] {
  return entries.map((entry) => readGate(networks, entry, depths))
}

function readGate(networks: readonly Network[], entry: GateEntry, depths: Depths): GateConfig {
  switch (entry.kind) {
    case 'bitcoin':
      return readBitcoinGate(networks, entry)
    case 'evm':
      return readEvmGate(networks, entry)
    case 'solana':
      return readSolanaGate(networks, entry, depths[entry.network])
    case 'xrp':
      return readXrpGate(networks, entry, depths[entry.network])
  }
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
  return withTokens(registry, gates.filter(listsTokens))
}

/** Whether a gate's kind has tokens. */
function listsTokens<Gate extends { readonly kind: GateConfig['kind'] }>(
  gate: Gate,
): gate is Exclude<Gate, { readonly kind: 'bitcoin' }> {
  return gate.kind !== 'bitcoin'
}
