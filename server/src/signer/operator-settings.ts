import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { canonicalJson } from '../domain/canonical-json.ts'
import type { ColdDestinations } from '../domain/cold-wallets.ts'
import type { Environment } from '../domain/environment.ts'
import { type LineBody, openChainedFile, readChainedLines } from './chained-file.ts'
import type { SignerLimits } from './check-limits.ts'
import { type Accepted, always, latest, standingAt, waitingAt } from './standing.ts'
import { WalletError } from './wallet-file.ts'

/** The operator's settings for a signer, as its code uses them. */
export type OperatorSettings = {
  readonly limits: SignerLimits
  /** Where cold wallets are. Another one is paid only after the delay, and until then none is. */
  readonly cold: ColdDestinations
  /** Whether every live payout needs passkeys, and no merchant's first passkey is trusted on first sight. */
  readonly requireAll: boolean
  /** The delay before a weakening change counts. */
  readonly weakeningDelayMs: number
}

/** The settings as they are configured, which is how they are recorded, and how to read them. */
export type GivenSettings = {
  readonly section: LineBody
  read(section: LineBody): OperatorSettings
}

export type RecordedSettings = Accepted & OperatorSettings

/** The settings that the signer has found at its starts, on its own disk. */
export type SettingsRecord = {
  /** Everything that counts at a moment: each of them must allow a transaction. Never empty. */
  standing(now: Date): readonly RecordedSettings[]
  /** The newest, if it does not count alone yet. */
  waiting(now: Date): RecordedSettings | null
  /** The newest time in the record. */
  newestMs(): number
  /** Whether the given settings are others than the newest in the record. */
  readonly isOther: boolean
}

type Line = Accepted & { readonly section: LineBody }

const version = 1

export function settingsPath(dataDir: string, environment: Environment): string {
  return join(dataDir, 'wallet', `${environment}-settings.jsonl`)
}

/**
 * Records the settings of this start, if they are others than before, and returns what counts. The caller holds the
 * folder's lock. The first settings with which anything can be paid out have nothing to wait for.
 */
export async function recordSettings(
  path: string,
  environment: Environment,
  { section, read }: GivenSettings,
  time: Date,
): Promise<SettingsRecord> {
  const lines: Line[] = []
  const file = await openChainedFile(path, reader(lines, environment), (line) => damaged(path, line))
  try {
    if (file.isNew) file.add({ version, settings_of: environment })
    const newest = lines.at(-1)
    const isSame = newest !== undefined && canonicalJson(newest.section) === canonicalJson(section)
    const isFirst = newest === undefined
    if (!isSame && !(isFirst && paysNothing(read(section), environment))) {
      const at = latest(time, newest?.at ?? 0)
      const delayMs = isFirst ? 0 : delayAt(bookOf(lines, read, section), environment, at)
      const line = { at, from: new Date(at.getTime() + delayMs), section }
      file.add({ version, settings: section, at: line.at.toISOString(), from: line.from.toISOString() })
      lines.push(line)
    }
    await file.save()
  } finally {
    await file.close()
  }
  return bookOf(lines, read, section)
}

/** Reads the record, even while the signer runs. Where there is none, the given settings count. */
export async function readSettingsRecord(
  path: string,
  environment: Environment,
  { section, read }: GivenSettings,
): Promise<SettingsRecord> {
  const lines: Line[] = []
  const file = await open(path, 'r').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null
    throw error
  })
  try {
    if (file !== null) await readChainedLines(file, reader(lines, environment), (line) => damaged(path, line))
  } finally {
    await file?.close()
  }
  return bookOf(lines, read, section)
}

/** How long what is weakened now has to wait. The test environment has no money to wait for. */
export function delayAt(record: SettingsRecord, environment: Environment, now: Date): number {
  return environment === 'test'
    ? 0
    : Math.max(...record.standing(now).map(({ weakeningDelayMs }) => weakeningDelayMs))
}

function bookOf(lines: readonly Line[], read: GivenSettings['read'], given: LineBody): SettingsRecord {
  // Settings with which nothing can be paid out are not recorded, and count only until others are.
  const kept = lines.length === 0 ? [{ ...always, section: given }] : lines
  const all = kept.map(({ at, from, section }) => ({ at, from, ...read(section) }))
  return {
    standing: (now) => standingAt(all, now),
    waiting: (now) => waitingAt(all, now),
    newestMs: () => Number(kept.at(-1)?.at ?? 0),
    isOther: canonicalJson(kept.at(-1)?.section) !== canonicalJson(given),
  }
}

function paysNothing({ limits, cold }: OperatorSettings, environment: Environment): boolean {
  const isBounding = limits.spending.some(
    (limit) =>
      (limit.environment ?? environment) === environment &&
      (limit.perHourUnits !== null || limit.perDayUnits !== null),
  )
  return environment === 'live' && limits.areRequired && !isBounding && cold.size === 0
}

function reader(lines: Line[], environment: Environment) {
  return ({ settings, at, from, ...body }: LineBody, _place: unknown, line: number): boolean => {
    if (body.version !== version) return false
    if (line === 0) return body.settings_of === environment
    if (typeof settings !== 'object' || settings === null) return false
    lines.push({ section: settings as LineBody, at: new Date(String(at)), from: new Date(String(from)) })
    return true
  }
}

function damaged(path: string, line: number): WalletError {
  return new WalletError(
    `${path} is damaged at line ${line}: the line is not what was written there. Nothing is signed without this file, since ` +
      'only it says which limits count. Restore it from a backup; or move it away, check signer in SLUICE_CONFIG, and start the ' +
      'signer: these settings then count at once.',
  )
}
