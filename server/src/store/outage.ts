import { OutageError } from '../domain/errors.ts'

// SQLSTATE classes that mean the server is unavailable at present, for every statement: no connection (08), out of
// resources (53), shut down or cancelled (57).
const outageClasses = new Set(['08', '53', '57'])
// After a failover, we may still be connected to a server that has become a standby.
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

/** Returns the error, or an OutageError in its place if the database is unreachable or went away. */
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

/** For a commit that this server has, and that no standby may have: a failover now would lose it. */
export function unconfirmedCommit(): OutageError {
  return new OutageError(
    'The database committed, but did not wait for its standby: a failover now would lose the commit.',
  )
}

/** Whether a transaction failed only because it conflicted with another, so that it is right to run it again. */
export function isContention(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? error.code : null
  return code === '40001' || code === '40P01'
}
