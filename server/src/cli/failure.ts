import { OutageError, ServiceError } from '../domain/errors.ts'
import { SettingsError } from '../settings/settings.ts'
import { shownInWords, shownText } from '../shown-error.ts'

/** What a command says about a failure; the same for people and for machines. */
export type Failure = {
  readonly code: string
  readonly message: string
  /** One line per problem. */
  readonly details?: readonly string[]
  /** Of the API, to quote to support. */
  readonly request_id?: string
}

/** The caller of a command asked for something that there is not, or left something out. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

// Our own errors of these kinds say what to do.
const codesByName: Readonly<Record<string, string>> = {
  UsageError: 'usage',
  EmbeddedPostgresError: 'database',
  BackupError: 'backup',
  ProcessError: 'process',
  WalletError: 'wallet',
  MigrationError: 'migration',
}

const whereToCall = 'Start Sluice there (npm start), or say where it runs with SLUICE_URL or --url.'

/** A failure that the caller of a command can understand. Anything unknown is a bug, and keeps its stack trace. */
export function failureOf(error: unknown): Failure {
  if (!(error instanceof Error)) return { code: 'internal_error', message: shownInWords(error) }
  if (error instanceof ServiceError) return withDetails(error.code, error.message, error.details)
  if (error instanceof SettingsError) return { code: 'settings', message: error.message }
  // Its words are partly those of a driver.
  if (error instanceof OutageError) return { code: 'service_unavailable', message: shownText(error.message) }
  if (isRefusal(error)) {
    const refusal = withDetails(error.code, error.message, error.details)
    return error.requestId === null ? refusal : { ...refusal, request_id: error.requestId }
  }
  if (error.name === 'SluiceConnectionError')
    return { code: 'no_answer', message: `${error.message}. ${whereToCall}` }
  const code = codesByName[error.name]
  if (code !== undefined) return { code, message: error.message }
  // Node's and PostgreSQL's own errors carry a code.
  if ('code' in error && typeof error.code === 'string')
    return { code: error.code, message: `${shownText(error.message) || error.code} (${error.code})` }
  return { code: 'internal_error', message: shownInWords(error) }
}

/** The same in words. A detail that the message repeats is said once. */
export function inWords({ message, details = [] }: Failure): string {
  const others = details.filter((detail) => !message.includes(detail.replace(/^\S*: /, '')))
  return [message, ...others].join('\n  ')
}

function withDetails(code: string, message: string, details: readonly string[] | undefined): Failure {
  return details === undefined || details.length === 0 ? { code, message } : { code, message, details }
}

/** Known by its fields: the SDK, which makes it, is loaded only by commands that call the API. */
function isRefusal(error: Error): error is Error & {
  readonly code: string
  readonly details: readonly string[]
  readonly requestId: string | null
} {
  return 'requestId' in error && 'details' in error && 'code' in error
}
