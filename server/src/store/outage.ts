import { OutageError } from '../domain/errors.ts'

// SQLSTATE classes that say the server is not there for us now, whatever the statement was: no connection, no room,
// told to stop or to give up waiting.
const outageClasses = new Set(['08', '53', '57'])
// After a failover we may still be connected to what has become a standby.
const readOnly = '25006'
const idleTooLong = '25P03'
const networkCodes = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOENT',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
])
const driverMessages =
  /^(Connection terminated|timeout exceeded|Client has encountered a connection error|Query read timeout)/

/** The same error, or an OutageError in its place when the database could not be reached or went away. */
export function outageOr(error: unknown): unknown {
  if (!(error instanceof Error)) return error
  const code = 'code' in error && typeof error.code === 'string' ? error.code : ''
  const gone =
    networkCodes.has(code) ||
    driverMessages.test(error.message) ||
    code === readOnly ||
    code === idleTooLong ||
    (code.length === 5 && outageClasses.has(code.slice(0, 2))) ||
    (error instanceof AggregateError && error.errors.every((inner) => outageOr(inner) instanceof OutageError))
  return gone
    ? new OutageError(`The database does not answer: ${error.message || code}`, { cause: error })
    : error
}

/** Whether a transaction failed only because of another one, so that running it again is right. */
export function isContention(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? error.code : null
  return code === '40001' || code === '40P01'
}
