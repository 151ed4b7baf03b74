import { isIP } from 'node:net'
import { resolve } from 'node:path'
import { type AssetRegistry, registryOf } from '../domain/assets.ts'
import type { Network } from '../domain/networks/network.ts'
import { shippedNetworks } from '../domain/networks/shipped.ts'
import { readSealKey } from '../domain/seal.ts'
import { type BackupSettings, readBackupSettings } from './backup-settings.ts'
import { type Config, readConfig } from './config-file.ts'
import { hasLiveGate, registryWith } from './gate-config.ts'
import { postgresUrlProblem } from './postgres-url.ts'
import { withSecretFiles } from './secret-files.ts'
import { isSmtpUrl } from './smtp-url.ts'
import { readTracing, type TracingSettings } from './trace-config.ts'

/** All the operator's settings, read once at start. */
export type Settings = {
  readonly host: string
  readonly port: number
  /** The origin at which payers reach this Sluice. Null: made from host and port. */
  readonly publicUrl: string | null
  readonly dataDir: string
  /** Null: the embedded PostgreSQL in the data folder. */
  readonly databaseUrl: string | null
  /** For the role that owns the tables and migrates them. Null: the role of `databaseUrl` does both. */
  readonly databaseMigrationUrl: string | null
  readonly databaseConnections: number
  /** How long a request waits for a connection before it is answered with 503. */
  readonly databaseWaitSeconds: number
  /** A streaming replica that serves lists and exports; null: the database itself does. */
  readonly replicaUrl: string | null
  readonly redisUrl: string | null
  readonly trustedProxies: readonly string[]
  /** How long the API goes on serving after it was told to stop, so that a balancer notices. */
  readonly drainSeconds: number
  readonly metricsHost: string
  readonly metricsPort: number
  /** Whether the operator set that address or port explicitly. If so, one that cannot be used is an error. */
  readonly metricsRequired: boolean
  readonly logLevel: string
  /** Null: text on a terminal, JSON elsewhere. */
  readonly logFormat: 'json' | 'text' | null
  /** How often the sandbox's chains mine a block on their own, in seconds; 0: never. */
  readonly sandboxBlockSeconds: number
  /**
   * Seals secrets at rest. Null: with the embedded database a key in the data folder is used, with another one there is
   * none.
   */
  readonly secretKey: Buffer | null
  /** The mail server; null: no mail is sent, and the command line prints links instead. */
  readonly smtpUrl: string | null
  /** Where traces of requests go; null: nothing is traced. */
  readonly tracing: TracingSettings | null
  /** Private hosts and ranges that webhooks may reach. */
  readonly webhookAllow: readonly string[]
  /** Opens an encrypted wallet: the path of its key file, or of a file with its passphrase. */
  readonly walletKeyFile: string | null
  readonly walletPassphraseFile: string | null
  /** The passphrase itself, which is never printed. Only for the test environment. */
  readonly walletPassphrase: (() => string) | null
  readonly backup: BackupSettings
  readonly config: Config
  /** Every currency of the service: those of its networks, and the tokens listed by gates. */
  readonly assets: AssetRegistry
}

/** The settings are invalid; the message names every problem and what to do. */
export class SettingsError extends Error {
  override readonly name = 'SettingsError'
}

/** Why a live wallet's passphrase is not taken from the environment, and what to do. */
export const passphraseInEnvironment =
  'SLUICE_WALLET_PASSPHRASE is set, but other programs of this user can read a process’s environment, so it is not accepted for ' +
  'live money. Put the passphrase in a file that only the signer’s user can read, and name it: SLUICE_WALLET_PASSPHRASE_FILE=/path. ' +
  'Then unset SLUICE_WALLET_PASSPHRASE.'

type Env = Readonly<Record<string, string | undefined>>

/**
 * Reads the environment, the files of secrets and the config file for a service with these networks. Throws a SettingsError that names every
 * problem at once.
 */
export function readSettings(given: Env, networks: readonly Network[] = shippedNetworks): Settings {
  const problems: string[] = []
  const env = withSecretFiles(given, problems)
  const databaseUrl = nonEmpty(env.DATABASE_URL)
  const passphrase = env.SLUICE_WALLET_PASSPHRASE
  const known = registryOf(networks)
  const config = readConfig(nonEmpty(env.SLUICE_CONFIG), databaseUrl === null, known, problems)
  const isSandbox = databaseUrl === null && !hasLiveGate(config.gates)
  const settings: Settings = {
    host: nonEmpty(env.HOST) ?? '127.0.0.1',
    port: port('PORT', 8080),
    publicUrl: origin('SLUICE_PUBLIC_URL'),
    dataDir: resolve(nonEmpty(env.SLUICE_DATA_DIR) ?? './data'),
    databaseUrl,
    databaseMigrationUrl: nonEmpty(env.DATABASE_MIGRATION_URL),
    databaseConnections: integer('SLUICE_DATABASE_CONNECTIONS', 20, 2, 500),
    databaseWaitSeconds: integer('SLUICE_DATABASE_WAIT_SECONDS', 5, 1, 600),
    replicaUrl: nonEmpty(env.SLUICE_REPLICA_URL),
    redisUrl: nonEmpty(env.REDIS_URL),
    trustedProxies: list('SLUICE_TRUSTED_PROXIES').filter(isAddressOrRange),
    drainSeconds: integer('SLUICE_DRAIN_SECONDS', 0, 0, 300),
    metricsHost: ipAddress('SLUICE_METRICS_HOST', '127.0.0.1'),
    metricsPort: port('SLUICE_METRICS_PORT', 9464),
    metricsRequired: [env.SLUICE_METRICS_HOST, env.SLUICE_METRICS_PORT].some(
      (text) => nonEmpty(text) !== null,
    ),
    logLevel: nonEmpty(env.SLUICE_LOG_LEVEL) ?? 'info',
    logFormat: logFormat('SLUICE_LOG_FORMAT'),
    secretKey: secretKey('SLUICE_SECRET_KEY'),
    smtpUrl: smtpUrl('SMTP_URL'),
    tracing: readTracing(env, problems),
    webhookAllow:
      env.SLUICE_WEBHOOK_ALLOW === undefined && isSandbox
        ? ['127.0.0.1', '::1']
        : list('SLUICE_WEBHOOK_ALLOW'),
    sandboxBlockSeconds: integer('SLUICE_SANDBOX_BLOCK_SECONDS', 5, 0, 86_400),
    walletKeyFile: path('SLUICE_WALLET_KEY_FILE'),
    walletPassphraseFile: path('SLUICE_WALLET_PASSPHRASE_FILE'),
    walletPassphrase: passphrase === undefined || passphrase === '' ? null : () => passphrase,
    backup: readBackupSettings(env, problems),
    config,
    assets: registryWith(known, config.gates),
  }
  checkPostgresUrl('DATABASE_URL')
  checkPostgresUrl('DATABASE_MIGRATION_URL')
  checkPostgresUrl('SLUICE_REPLICA_URL')
  if (settings.replicaUrl !== null && databaseUrl === null)
    problems.push('SLUICE_REPLICA_URL needs DATABASE_URL, the database that it is a replica of')
  if (settings.databaseMigrationUrl !== null && databaseUrl === null) {
    problems.push(
      'DATABASE_MIGRATION_URL needs DATABASE_URL, the same database by the role that the service runs with',
    )
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

  function path(name: string): string | null {
    const text = nonEmpty(env[name])
    return text === null ? null : resolve(text)
  }

  // Port 0 picks a free one.
  function port(name: string, otherwise: number): number {
    return integer(name, otherwise, 0, 65_535)
  }

  // Not a name: where a name leads may change, and these figures are for no one outside.
  function ipAddress(name: string, otherwise: string): string {
    const text = nonEmpty(env[name])
    if (text === null || isIP(text) !== 0) return text ?? otherwise
    problems.push(
      `${name} must be an IP address of this machine, such as 127.0.0.1 or 10.0.0.5, or 0.0.0.0 for all of them, not "${text}"`,
    )
    return otherwise
  }

  // Links are made by appending a path, so nothing may follow the host.
  function origin(name: string): string | null {
    const text = nonEmpty(env[name])
    if (text === null) return null
    const plain = /^https?:\/\/[^/?#@\\\s]+$/i.test(text)
    if (plain && URL.canParse(text)) return new URL(text).origin
    problems.push(
      `${name} must look like https://pay.example.com, without a path or a trailing slash, not "${text}"`,
    )
    return null
  }

  function checkPostgresUrl(name: string): void {
    const text = nonEmpty(env[name])
    const problem = text === null ? null : postgresUrlProblem(text)
    if (problem !== null) problems.push(`${name} ${problem}`)
  }

  // The value contains a password, so the message does not repeat it.
  function smtpUrl(name: string): string | null {
    const text = nonEmpty(env[name])
    if (text === null || isSmtpUrl(text)) return text
    problems.push(`${name} must look like smtps://user:password@mail.example.com:465?from=sluice@example.com`)
    return null
  }

  function logFormat(name: string): Settings['logFormat'] {
    const text = nonEmpty(env[name])
    if (text === null || text === 'json' || text === 'text') return text
    problems.push(
      `${name} must be json or text. If it is not set, the log is text on a terminal and JSON elsewhere`,
    )
    return null
  }

  function secretKey(name: string): Buffer | null {
    const text = nonEmpty(env[name])
    const key = text === null ? null : readSealKey(text)
    if (text !== null && key === null)
      problems.push(
        `${name} must be 32 bytes in hexadecimal or base64. Generate one with: openssl rand -hex 32`,
      )
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

function nonEmpty(text: string | undefined): string | null {
  return text === undefined || text.trim() === '' ? null : text.trim()
}
