import { readFileSync } from 'node:fs'
import { isIP } from 'node:net'
import { resolve } from 'node:path'
import { Ajv2020 } from 'ajv/dist/2020.js'
import type { ConfirmationTier } from './domain/confirmations.ts'
import {
  type GateConfig,
  type GateEntry,
  gateProblems,
  gatesSchema,
  readGates,
  registryWith,
} from './domain/gate-config.ts'
import { networkOf, networks } from './domain/networks.ts'
import { defaultRatePolicy } from './domain/rates.ts'
import { readSealKey } from './domain/seal.ts'
import { isSmtpUrl } from './domain/smtp-url.ts'
import { feeCeilings, type LimitEntry, limitsSchema, readLimit } from './domain/spending-limits.ts'
import { readTiers, type TierEntry, tierProblems, tiersSchema } from './domain/tier-config.ts'

export const rateSources = ['kraken', 'coinbase', 'binance', 'coingecko'] as const
export type RateSource = (typeof rateSources)[number]

/** Everything an operator can set, read once at start. */
export type Settings = {
  readonly host: string
  readonly port: number
  /** The origin by which payers reach this Sluice. Null: made from host and port. */
  readonly publicUrl: string | null
  readonly dataDir: string
  /** Null: the embedded PostgreSQL in the data folder. */
  readonly databaseUrl: string | null
  readonly databaseConnections: number
  readonly redisUrl: string | null
  readonly trustedProxies: readonly string[]
  readonly metricsPort: number
  /** Whether the operator asked for that port, and so must get it. */
  readonly metricsPortRequired: boolean
  readonly logLevel: string
  /** How often the sandbox's chains make a block by themselves; 0 is never. */
  readonly sandboxBlockSeconds: number
  /** Seals secrets at rest; null: one from the data folder with the embedded database, none with another. */
  readonly secretKey: Buffer | null
  /** The mail server; null: no mail is sent, and the command line prints links instead. */
  readonly smtpUrl: string | null
  /** Hosts and ranges that webhooks may reach although they are private. */
  readonly webhookAllow: readonly string[]
  /** Opens an encrypted wallet: the path of its key file, or its passphrase, which nothing prints. */
  readonly walletKeyFile: string | null
  readonly walletPassphrase: (() => string) | null
  readonly config: Config
}

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

/** The settings do not make sense; the message names every problem and what to do. */
export class SettingsError extends Error {
  override readonly name = 'SettingsError'
}

type Env = Readonly<Record<string, string | undefined>>

/** Reads the environment and the config file. Throws a SettingsError that names every problem at once. */
export function readSettings(env: Env): Settings {
  const problems: string[] = []
  const databaseUrl = nonEmpty(env.DATABASE_URL)
  const keyFile = nonEmpty(env.SLUICE_WALLET_KEY_FILE)
  const passphrase = env.SLUICE_WALLET_PASSPHRASE
  const config = readConfig(nonEmpty(env.SLUICE_CONFIG), databaseUrl === null, problems)
  const isSandbox = databaseUrl === null && !config.gates.some(({ environment }) => environment === 'live')
  const settings: Settings = {
    host: nonEmpty(env.HOST) ?? '127.0.0.1',
    port: port('PORT', 8080),
    publicUrl: origin('SLUICE_PUBLIC_URL'),
    dataDir: resolve(nonEmpty(env.SLUICE_DATA_DIR) ?? './data'),
    databaseUrl,
    databaseConnections: integer('SLUICE_DATABASE_CONNECTIONS', 20, 2, 500),
    redisUrl: nonEmpty(env.REDIS_URL),
    trustedProxies: list('SLUICE_TRUSTED_PROXIES').filter(isAddressOrRange),
    metricsPort: port('SLUICE_METRICS_PORT', 9464),
    metricsPortRequired: nonEmpty(env.SLUICE_METRICS_PORT) !== null,
    logLevel: nonEmpty(env.SLUICE_LOG_LEVEL) ?? 'info',
    secretKey: secretKey('SLUICE_SECRET_KEY'),
    smtpUrl: smtpUrl('SMTP_URL'),
    webhookAllow:
      env.SLUICE_WEBHOOK_ALLOW === undefined && isSandbox
        ? ['127.0.0.1', '::1']
        : list('SLUICE_WEBHOOK_ALLOW'),
    sandboxBlockSeconds: integer('SLUICE_SANDBOX_BLOCK_SECONDS', 5, 0, 86_400),
    walletKeyFile: keyFile === null ? null : resolve(keyFile),
    walletPassphrase: passphrase === undefined || passphrase === '' ? null : () => passphrase,
    config,
  }
  if (databaseUrl !== null && !/^postgres(ql)?:\/\//.test(databaseUrl)) {
    problems.push('DATABASE_URL must start with postgres:// or postgresql://')
  }
  if (settings.redisUrl !== null && !/^rediss?:\/\/|^unix:\/\//.test(settings.redisUrl)) {
    problems.push('REDIS_URL must start with redis://, rediss:// or unix://')
  }
  if (!['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'].includes(settings.logLevel)) {
    problems.push('SLUICE_LOG_LEVEL must be one of trace, debug, info, warn, error, fatal, silent')
  }
  if (problems.length > 0) {
    throw new SettingsError(
      `The settings need correcting:\n${problems.map((problem) => `  - ${problem}`).join('\n')}`,
    )
  }
  return settings

  function integer(name: string, otherwise: number, least: number, most: number): number {
    const text = nonEmpty(env[name])
    if (text === null) return otherwise
    const value = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN
    if (value >= least && value <= most) return value
    problems.push(`${name} must be a whole number from ${least} to ${most}, not "${text}"`)
    return otherwise
  }

  // Port 0 takes a free one.
  function port(name: string, otherwise: number): number {
    return integer(name, otherwise, 0, 65_535)
  }

  // Links are made by adding a path, so nothing may stand behind the host.
  function origin(name: string): string | null {
    const text = nonEmpty(env[name])
    if (text === null) return null
    const plain = /^https?:\/\/[^/?#@\\\s]+$/i.test(text)
    if (plain && URL.canParse(text)) return new URL(text).origin
    problems.push(
      `${name} must be like https://pay.example.com, without a path or a slash at the end, not "${text}"`,
    )
    return null
  }

  // It holds a password, so the message does not repeat it.
  function smtpUrl(name: string): string | null {
    const text = nonEmpty(env[name])
    if (text === null || isSmtpUrl(text)) return text
    problems.push(`${name} must be like smtps://user:password@mail.example.com:465?from=sluice@example.com`)
    return null
  }

  function secretKey(name: string): Buffer | null {
    const text = nonEmpty(env[name])
    const key = text === null ? null : readSealKey(text)
    if (text !== null && key === null)
      problems.push(`${name} must be 32 bytes in hexadecimal or base64: make one with openssl rand -hex 32`)
    return key
  }

  function list(name: string): string[] {
    return (env[name] ?? '')
      .split(',')
      .map((part) => part.trim())
      .filter((part) => part !== '')
  }

  function isAddressOrRange(text: string): boolean {
    const [address = '', bits, ...rest] = text.split('/')
    const most = isIP(address) === 6 ? 128 : 32
    const good =
      isIP(address) !== 0 &&
      rest.length === 0 &&
      (bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= most))
    if (!good) problems.push(`SLUICE_TRUSTED_PROXIES must list IP addresses or CIDR ranges, not "${text}"`)
    return good
  }
}

const decimal = { type: 'string', pattern: '^(0|[1-9][0-9]*)([.][0-9]+)?$', maxLength: 50 }
const networkIds = networks.map(({ id }) => id)
const count = { type: 'integer', minimum: 1, maximum: 1_000_000 }

const configSchema = {
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
    gates: gatesSchema,
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
        limits: limitsSchema,
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

/** The file as it is written: everything may be left out. */
type Given = { [Key in keyof Omit<Config, 'gates' | 'confirmation_tiers'>]?: Partial<Config[Key]> } & {
  gates?: readonly GateEntry[]
  confirmation_tiers?: Readonly<Record<string, readonly TierEntry[]>>
}

function readConfig(path: string | null, sandbox: boolean, problems: string[]): Config {
  const given = path === null ? {} : readConfigFile(path, problems)
  return {
    limits: { key_per_minute: 300, ip_per_minute: 120, checkout_per_minute: 600, ...given.limits },
    confirmations: { ...given.confirmations } as Record<string, number>,
    confirmation_tiers: Object.fromEntries(
      Object.entries(given.confirmation_tiers ?? {}).map(([id, tiers]) => [id, readTiers(id, tiers)]),
    ),
    gates: readGates(given.gates ?? []),
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

function readConfigFile(path: string, problems: string[]): Given {
  let value: unknown
  try {
    value = JSON.parse(readFileSync(path, 'utf8'))
  } catch (error) {
    problems.push(`SLUICE_CONFIG: ${path} cannot be read: ${error instanceof Error ? error.message : error}`)
    return {}
  }
  const ajv = new Ajv2020({ allErrors: true })
  if (ajv.validate(configSchema, value)) {
    const given = value as Given
    const depths = { ...given.confirmations } as Record<string, number>
    const inGates = gateProblems(given.gates ?? [], depths).map((problem) => `SLUICE_CONFIG: ${problem}`)
    problems.push(...signerProblems(given), ...networkTierProblems(given, depths), ...inGates)
    return given
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
  depths: Readonly<Record<string, number>>,
): string[] {
  return Object.entries(confirmation_tiers ?? {}).flatMap(([network, tiers]) =>
    tierProblems(network, depths[network] ?? networkOf(network).confirmations, tiers).map(
      (problem) => `SLUICE_CONFIG: /confirmation_tiers/${network}${problem}`,
    ),
  )
}

function signerProblems({ signer, gates }: Given): string[] {
  const registry = registryWith(readGates(gates ?? []))
  const problems = (signer?.limits ?? []).flatMap((entry, at) => {
    const limit = readLimit(entry, registry)
    return typeof limit === 'string' ? [`SLUICE_CONFIG: /signer/limits/${at} ${limit}`] : []
  })
  try {
    feeCeilings(signer?.max_fee ?? {})
  } catch (error) {
    problems.push(`SLUICE_CONFIG: /signer/max_fee ${error instanceof Error ? error.message : error}`)
  }
  return problems
}

function nonEmpty(text: string | undefined): string | null {
  return text === undefined || text.trim() === '' ? null : text.trim()
}
