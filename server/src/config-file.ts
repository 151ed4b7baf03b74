import { readFileSync } from 'node:fs'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { type AssetRegistry, networkIn, networksIn } from './domain/assets.ts'
import type { ConfirmationTier } from './domain/confirmations.ts'
import {
  type GateConfig,
  type GateEntry,
  gateProblems,
  gatesSchema,
  readGates,
  registryWith,
} from './domain/gate-config.ts'
import { defaultRatePolicy } from './domain/rates.ts'
import { feeCeilings, type LimitEntry, limitsSchema, readLimit } from './domain/spending-limits.ts'
import { readTiers, type TierEntry, tierProblems, tiersSchema } from './domain/tier-config.ts'

const rateSources = ['kraken', 'coinbase', 'binance', 'coingecko'] as const
export type RateSource = (typeof rateSources)[number]

/** The JSON file named by SLUICE_CONFIG, every field of it with its default. */
export type Config = {
  readonly limits: {
    readonly key_per_minute: number
    readonly ip_per_minute: number
    /** Requests of an IP address to payment pages and what they call. */
    readonly checkout_per_minute: number
  }
  readonly confirmations: Readonly<Record<string, number>>
  /** By network, from which amounts on a payment must be deeper. */
  readonly confirmation_tiers: Readonly<Record<string, readonly ConfirmationTier[]>>
  /** The gates on real nodes. Networks without one are simulated in the test environment, and absent in the live one. */
  readonly gates: readonly GateConfig[]
  readonly chains: { readonly max_reorganisation_depth: number }
  readonly addresses: {
    /** How many deposit addresses are kept ready of every kind. */
    readonly ready: number
  }
  readonly payouts: {
    /** How long a transaction waits for a block before it is tried at a higher fee. */
    readonly raise_fee_after_seconds: number
    /** How long a payout that the signer refuses for good waits for people before it is cancelled. */
    readonly cancel_refused_after_seconds: number
    /** For how many sweeps at present fees the operator's float should do; below that the log warns. */
    readonly float_sweeps: number
    /** What gathering a deposit that no payout waits for may cost, in hundredths of a per cent of what it is worth; 0: never. */
    readonly sweep_max_cost_bps: number
  }
  readonly webhooks: {
    /** How long deliveries that are done, and their attempts, can be seen. */
    readonly retention_days: number
  }
  readonly signer: {
    /** What the signer lets out at most, whatever the database says. */
    readonly limits: readonly LimitEntry[]
    /** By network, the most that it pays for one transaction, in the network's own coin. */
    readonly max_fee: Readonly<Record<string, string>>
    /** Whether every live payout is approved with passkeys, and each merchant's first one is trusted by hand. */
    readonly passkeys_required: boolean
  }
  readonly rates: {
    readonly sources: readonly RateSource[]
    readonly refresh_seconds: number
    readonly max_age_seconds: number
    readonly base_urls: Readonly<Partial<Record<RateSource, string>>>
  }
}

const decimal = { type: 'string', pattern: '^(0|[1-9][0-9]*)([.][0-9]+)?$', maxLength: 50 }
const count = { type: 'integer', minimum: 1, maximum: 1_000_000 }

function configSchema(networkIds: readonly string[]) {
  return {
    type: 'object',
    additionalProperties: false,
    properties: {
      limits: {
        type: 'object',
        additionalProperties: false,
        properties: { key_per_minute: count, ip_per_minute: count, checkout_per_minute: count },
      },
      confirmations: {
        type: 'object',
        propertyNames: { enum: networkIds },
        additionalProperties: { type: 'integer', minimum: 1, maximum: 1000 },
      },
      confirmation_tiers: {
        type: 'object',
        propertyNames: { enum: networkIds },
        additionalProperties: tiersSchema,
      },
      gates: gatesSchema(networkIds),
      chains: {
        type: 'object',
        additionalProperties: false,
        properties: { max_reorganisation_depth: { type: 'integer', minimum: 1, maximum: 1000 } },
      },
      addresses: {
        type: 'object',
        additionalProperties: false,
        properties: { ready: { type: 'integer', minimum: 20, maximum: 100_000 } },
      },
      webhooks: {
        type: 'object',
        additionalProperties: false,
        properties: { retention_days: { type: 'integer', minimum: 1, maximum: 3650 } },
      },
      payouts: {
        type: 'object',
        additionalProperties: false,
        properties: {
          raise_fee_after_seconds: { type: 'integer', minimum: 1, maximum: 604_800 },
          cancel_refused_after_seconds: { type: 'integer', minimum: 0, maximum: 604_800 },
          float_sweeps: { type: 'integer', minimum: 0, maximum: 1_000_000 },
          sweep_max_cost_bps: { type: 'integer', minimum: 0, maximum: 10_000 },
        },
      },
      signer: {
        type: 'object',
        additionalProperties: false,
        properties: {
          limits: limitsSchema(networkIds),
          max_fee: { type: 'object', propertyNames: { enum: networkIds }, additionalProperties: decimal },
          passkeys_required: { type: 'boolean' },
        },
      },
      rates: {
        type: 'object',
        additionalProperties: false,
        properties: {
          sources: { type: 'array', uniqueItems: true, items: { enum: rateSources } },
          refresh_seconds: { type: 'integer', minimum: 10, maximum: 3600 },
          max_age_seconds: { type: 'integer', minimum: 60, maximum: 86_400 },
          base_urls: {
            type: 'object',
            propertyNames: { enum: rateSources },
            additionalProperties: { type: 'string', pattern: '^https?://[^ ]+$' },
          },
        },
      },
    },
  }
}

/** The file as it is written: everything may be left out. */
type Given = { [Key in keyof Omit<Config, 'gates' | 'confirmation_tiers'>]?: Partial<Config[Key]> } & {
  gates?: readonly GateEntry[]
  confirmation_tiers?: Readonly<Record<string, readonly TierEntry[]>>
}

/** Reads the file, if there is one, and adds to `problems` what is wrong with it. */
export function readConfig(
  path: string | null,
  sandbox: boolean,
  registry: AssetRegistry,
  problems: string[],
): Config {
  const given = path === null ? {} : readConfigFile(path, registry, problems)
  return {
    limits: { key_per_minute: 300, ip_per_minute: 120, checkout_per_minute: 600, ...given.limits },
    confirmations: { ...given.confirmations } as Record<string, number>,
    confirmation_tiers: Object.fromEntries(
      Object.entries(given.confirmation_tiers ?? {}).map(([id, tiers]) => [
        id,
        readTiers(networkIn(registry, id), tiers),
      ]),
    ),
    gates: readGates(networksIn(registry), given.gates ?? []),
    chains: { max_reorganisation_depth: 100, ...given.chains },
    addresses: { ready: 400, ...given.addresses },
    webhooks: { retention_days: 90, ...given.webhooks },
    payouts: {
      raise_fee_after_seconds: 1_800,
      cancel_refused_after_seconds: 600,
      float_sweeps: 50,
      sweep_max_cost_bps: 1_000,
      ...given.payouts,
    },
    signer: { limits: [], max_fee: {}, passkeys_required: false, ...given.signer },
    rates: {
      // The sandbox asks nobody: it must work without a network, and give the same answer every time.
      sources: sandbox ? [] : rateSources,
      refresh_seconds: 60,
      max_age_seconds: defaultRatePolicy.maxAgeMs / 1000,
      base_urls: {},
      ...given.rates,
    },
  }
}

function readConfigFile(path: string, registry: AssetRegistry, problems: string[]): Given {
  let value: unknown
  try {
    value = JSON.parse(readFileSync(path, 'utf8'))
  } catch (error) {
    problems.push(`SLUICE_CONFIG: ${path} cannot be read: ${error instanceof Error ? error.message : error}`)
    return {}
  }
  const ajv = new Ajv2020({ allErrors: true })
  if (ajv.validate(configSchema(networksIn(registry).map(({ id }) => id)), value)) {
    const given = value as Given
    const depths = { ...given.confirmations } as Record<string, number>
    const inGates = gateProblems(registry, given.gates ?? [], depths)
    const found = [
      ...signerProblems(given, registry),
      ...networkTierProblems(given, registry, depths),
      ...inGates.map((problem) => `SLUICE_CONFIG: ${problem}`),
    ]
    problems.push(...found)
    return found.length === 0 ? given : {}
  }
  for (const error of ajv.errors ?? []) {
    // It only says that what comes after it is wrong.
    if (error.keyword === 'if') continue
    const named = error.params.additionalProperty ?? error.params.propertyName
    const allowed = error.params.allowedValues as string[] | undefined
    const at = `${error.instancePath}${named === undefined ? '' : `/${named}`}` || '/'
    problems.push(
      `SLUICE_CONFIG: ${at} ${named === undefined ? error.message : 'is not known'}${allowed ? ` (${allowed.join(', ')})` : ''}`,
    )
  }
  return {}
}

function networkTierProblems(
  { confirmation_tiers }: Given,
  registry: AssetRegistry,
  depths: Readonly<Record<string, number>>,
): string[] {
  return Object.entries(confirmation_tiers ?? {}).flatMap(([id, tiers]) => {
    const network = networkIn(registry, id)
    return tierProblems(network, depths[id] ?? network.confirmations, tiers).map(
      (problem) => `SLUICE_CONFIG: /confirmation_tiers/${id}${problem}`,
    )
  })
}

function signerProblems({ signer, gates }: Given, known: AssetRegistry): string[] {
  const registry = registryWith(known, gates ?? [])
  const problems = (signer?.limits ?? []).flatMap((entry, at) => {
    const limit = readLimit(registry, entry)
    return typeof limit === 'string' ? [`SLUICE_CONFIG: /signer/limits/${at} ${limit}`] : []
  })
  try {
    feeCeilings(networksIn(registry), signer?.max_fee ?? {})
  } catch (error) {
    problems.push(`SLUICE_CONFIG: /signer/max_fee ${error instanceof Error ? error.message : error}`)
  }
  return problems
}
