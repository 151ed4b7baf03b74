import { readFileSync } from 'node:fs'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import { type AssetRegistry, networkIn, networksIn } from '../domain/assets.ts'
import type { ConfirmationTier } from '../domain/confirmations.ts'
import { defaultRatePolicy } from '../domain/rates.ts'
import { feeCeilings, feeLimitsPerDay, type Safeguard, safeguards } from '../domain/spending-limits.ts'
import { type ColdConfig, type ColdEntry, coldConfigs, coldProblems, coldSchema } from './cold-config.ts'
import {
  type GateConfig,
  type GateEntry,
  gateProblems,
  gatesSchema,
  readGates,
  registryWith,
} from './gate-config.ts'
import { type LimitEntry, limitsSchema, readLimit } from './limit-config.ts'
import { readTiers, type TierEntry, tierProblems, tiersSchema } from './tier-config.ts'

const rateSources = ['kraken', 'coinbase', 'binance', 'coingecko'] as const
export type RateSource = (typeof rateSources)[number]

/** The JSON file named by SLUICE_CONFIG, with the default of every field filled in. */
export type Config = {
  readonly limits: {
    readonly key_per_minute: number
    readonly ip_per_minute: number
    /** Requests of an IP address to payment pages and their API. */
    readonly checkout_per_minute: number
  }
  readonly confirmations: Readonly<Record<string, number>>
  /** By network, the amounts from which a payment needs more confirmations. */
  readonly confirmation_tiers: Readonly<Record<string, readonly ConfirmationTier[]>>
  /**
   * The gates on real nodes. Networks without one are simulated in the test environment, and absent in the live one.
   */
  readonly gates: readonly GateConfig[]
  readonly chains: { readonly max_reorganisation_depth: number }
  readonly addresses: {
    /** How many deposit addresses of each kind are kept ready. */
    readonly ready: number
    /** How many at most, while addresses are used up quickly. */
    readonly ready_at_most: number
  }
  readonly payouts: {
    /** How long a transaction waits for a block before it is sent again at a higher fee. */
    readonly raise_fee_after_seconds: number
    /** How long a payout that the signer refuses for good waits for the operator before it is cancelled. */
    readonly cancel_refused_after_seconds: number
    /** How many sweeps at present fees the operator's float should pay for; below that the log warns. */
    readonly float_sweeps: number
    /**
     * The most that sweeping a deposit may cost when no payout waits for it, in hundredths of a per cent of its value;
     * 0: never.
     */
    readonly sweep_max_cost_bps: number
  }
  /** By network, where the operator's cold wallet is, and when funds go there. The signer pays no other. */
  readonly cold: readonly ColdConfig[]
  readonly webhooks: {
    /** How long finished deliveries and their attempts stay visible. */
    readonly retention_days: number
  }
  readonly events: {
    /** How long events stay visible. */
    readonly retention_days: number
  }
  readonly audit_log: {
    /** How long entries of the audit log stay. */
    readonly retention_days: number
  }
  readonly signer: {
    /** The most that the signer pays out, even if the database says otherwise. */
    readonly limits: readonly LimitEntry[]
    /** By network, the most that it pays for one transaction, in the network's native currency. */
    readonly max_fee: Readonly<Record<string, string>>
    /** By network, the most that it pays on one day for each kind of transaction that no payout pays for. */
    readonly max_fees_per_day: Readonly<Record<string, string>>
    /**
     * What the signer does without in the live environment. `limits`: it signs payouts in currencies that no limit bounds.
     * `passkeys`: it signs payouts without them, and trusts each merchant's first passkey on first sight.
     */
    readonly waive: readonly Safeguard[]
    /** How long what relaxes a merchant's live payout policy waits, and anything that weakens the live signer. */
    readonly weakening_delay_hours: number
  }
  readonly rates: {
    readonly sources: readonly RateSource[]
    readonly refresh_seconds: number
    readonly max_age_seconds: number
    readonly base_urls: Readonly<Partial<Record<RateSource, string>>>
  }
}

export const signerDefaults: Config['signer'] = {
  limits: [],
  max_fee: {},
  max_fees_per_day: {},
  waive: [],
  weakening_delay_hours: 24,
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
        properties: {
          ready: { type: 'integer', minimum: 20, maximum: 100_000 },
          ready_at_most: { type: 'integer', minimum: 20, maximum: 100_000 },
        },
      },
      cold: coldSchema(networkIds),
      webhooks: {
        type: 'object',
        additionalProperties: false,
        properties: { retention_days: { type: 'integer', minimum: 1, maximum: 3650 } },
      },
      // The least is what the database refuses to go below.
      events: {
        type: 'object',
        additionalProperties: false,
        properties: { retention_days: { type: 'integer', minimum: 90, maximum: 36_500 } },
      },
      audit_log: {
        type: 'object',
        additionalProperties: false,
        properties: { retention_days: { type: 'integer', minimum: 365, maximum: 36_500 } },
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
          max_fees_per_day: {
            type: 'object',
            propertyNames: { enum: networkIds },
            additionalProperties: decimal,
          },
          waive: { type: 'array', uniqueItems: true, items: { enum: safeguards } },
          weakening_delay_hours: { type: 'integer', minimum: 0, maximum: 168 },
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

/** The file as written: every field is optional. */
type Given = {
  [Key in keyof Omit<Config, 'gates' | 'cold' | 'confirmation_tiers'>]?: Partial<Config[Key]>
} & {
  gates?: readonly GateEntry[]
  cold?: readonly ColdEntry[]
  confirmation_tiers?: Readonly<Record<string, readonly TierEntry[]>>
}

/** Reads the file, if there is one, and adds what is wrong with it to `problems`. */
export function readConfig(
  path: string | null,
  sandbox: boolean,
  registry: AssetRegistry,
  problems: string[],
): Config {
  const given = path === null ? {} : readConfigFile(path, registry, problems)
  const confirmations = { ...given.confirmations } as Record<string, number>
  return {
    limits: { key_per_minute: 300, ip_per_minute: 120, checkout_per_minute: 600, ...given.limits },
    confirmations,
    confirmation_tiers: Object.fromEntries(
      Object.entries(given.confirmation_tiers ?? {}).map(([id, tiers]) => [
        id,
        readTiers(networkIn(registry, id), tiers),
      ]),
    ),
    gates: readGates(networksIn(registry), given.gates ?? [], confirmations),
    chains: { max_reorganisation_depth: 100, ...given.chains },
    addresses: { ready: 400, ready_at_most: 50_000, ...given.addresses },
    cold: coldConfigs(given.cold ?? []),
    webhooks: { retention_days: 90, ...given.webhooks },
    events: { retention_days: 730, ...given.events },
    audit_log: { retention_days: 2_555, ...given.audit_log },
    payouts: {
      raise_fee_after_seconds: 1_800,
      cancel_refused_after_seconds: 600,
      float_sweeps: 50,
      sweep_max_cost_bps: 1_000,
      ...given.payouts,
    },
    signer: { ...signerDefaults, ...given.signer },
    rates: {
      // The sandbox calls no rate source: it must work offline and give the same answer every time.
      sources: sandbox ? [] : rateSources,
      refresh_seconds: 60,
      max_age_seconds: defaultRatePolicy.maxAgeMs / 1000,
      base_urls: {},
      ...given.rates,
    },
  }
}

const validators = new Map<string, ValidateFunction>()

/** Compiles the parts of the schema that the file uses: each command reads the file, and all parts take 0.1 s. */
function validatorFor(networkIds: readonly string[], value: unknown): ValidateFunction {
  const { properties, ...schema } = configSchema(networkIds)
  const used = Object.entries(properties).filter(([field]) => isObject(value) && Object.hasOwn(value, field))
  const name = [...networkIds, ...used.map(([field]) => field)].join()
  const known = validators.get(name)
  if (known !== undefined) return known
  // That the schema is one was seen when it was written: looking again would take longer than all the rest.
  const ajv = new Ajv2020({ allErrors: true, meta: false, validateSchema: false })
  const made = ajv.compile({ ...schema, properties: Object.fromEntries(used) })
  validators.set(name, made)
  return made
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}

function readConfigFile(path: string, registry: AssetRegistry, problems: string[]): Given {
  let value: unknown
  try {
    value = JSON.parse(readFileSync(path, 'utf8'))
  } catch (error) {
    problems.push(`SLUICE_CONFIG: ${path} cannot be read: ${error instanceof Error ? error.message : error}`)
    return {}
  }
  const validate = validatorFor(
    networksIn(registry).map(({ id }) => id),
    value,
  )
  if (validate(value)) {
    const given = value as Given
    const depths = { ...given.confirmations } as Record<string, number>
    const inGates = gateProblems(registry, given.gates ?? [], depths)
    const found = [
      ...signerProblems(given, registry),
      ...networkTierProblems(given, registry, depths),
      ...[...inGates, ...coldProblems(given.cold ?? [])].map((problem) => `SLUICE_CONFIG: ${problem}`),
    ]
    problems.push(...found)
    return found.length === 0 ? given : {}
  }
  for (const error of validate.errors ?? []) {
    // This error only says that a later one exists.
    if (error.keyword === 'if') continue
    const named = error.params.additionalProperty ?? error.params.propertyName
    const allowed = error.params.allowedValues as string[] | undefined
    const at = `${error.instancePath}${named === undefined ? '' : `/${named}`}` || '/'
    problems.push(
      `SLUICE_CONFIG: ${at} ${named === undefined ? error.message : 'is unknown'}${allowed ? ` (${allowed.join(', ')})` : ''}`,
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
  const networks = networksIn(registry)
  const check = (name: string, read: () => unknown) => {
    try {
      read()
    } catch (error) {
      problems.push(`SLUICE_CONFIG: /signer/${name} ${error instanceof Error ? error.message : error}`)
    }
  }
  check('max_fee', () => feeCeilings(networks, signer?.max_fee ?? {}))
  check('max_fees_per_day', () =>
    feeLimitsPerDay(networks, feeCeilings(networks, {}), signer?.max_fees_per_day ?? {}),
  )
  return problems
}
