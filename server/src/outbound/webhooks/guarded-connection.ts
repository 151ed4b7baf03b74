import { connect as connectTcp, isIP, type Socket, type TcpNetConnectOpts } from 'node:net'
import { connect as connectTls, type TLSSocket } from 'node:tls'
import { type AllowList, mayReach } from './allow-list.ts'
import { isNotFound, type Lookup } from './lookup.ts'
import type { Target } from './target.ts'

/** If a name has more addresses, we try only the first ones. */
const maxAddresses = 8

export type ConnectFailureReason =
  | 'name not found'
  | 'name lookup failed'
  | 'forbidden address'
  | 'connection refused'
  | 'unreachable'
  | 'timed out'
  | 'connection broken'
  | 'TLS failed'

/** No connection was made. Not a byte of the request was sent. */
export class ConnectFailure extends Error {
  override readonly name = 'ConnectFailure'
  readonly reason: ConnectFailureReason

  constructor(reason: ConnectFailureReason, cause?: unknown) {
    super(reason, { cause })
    this.reason = reason
  }
}

export type ConnectionRules = {
  readonly allow: AllowList
  readonly lookup: Lookup
  /** Certificate authorities to trust in place of the public ones. */
  readonly ca?: string | undefined
  /** How to open TCP connections; Node's own way by default. */
  readonly connect?: ((options: TcpNetConnectOpts) => Socket) | undefined
}

/**
 * Connects to the target at a permitted address and verifies its certificate. It looks the name up once and connects to
 * exactly those addresses, so the name cannot change in between. It judges the reached address again before it sends a
 * byte. Throws `ConnectFailure`.
 */
export async function openGuarded(
  target: Target,
  rules: ConnectionRules,
  giveUp: AbortSignal,
): Promise<Socket> {
  const addresses = await permittedAddresses(target, rules, giveUp)
  const socket = await connectTo(target, addresses, rules, giveUp)
  const reached = socket.remoteAddress
  if (reached === undefined) throw new ConnectFailure('connection broken')
  if (!mayReach(rules.allow, target, reached)) {
    socket.destroy()
    throw new ConnectFailure('forbidden address')
  }
  const ready = target.secure ? await secure(socket, target, rules, giveUp) : socket
  reachedAddresses.set(ready, reached)
  return ready
}

/** The address that a guarded connection reached, even after it has closed; null for any other socket. */
export function addressOf(socket: object): string | null {
  return reachedAddresses.get(socket) ?? null
}

const reachedAddresses = new WeakMap<object, string>()

async function permittedAddresses(target: Target, rules: ConnectionRules, giveUp: AbortSignal) {
  const addresses = isIP(target.host) === 0 ? await lookUp(target.host, rules, giveUp) : [target.host]
  const permitted = addresses.filter((ip) => isIP(ip) !== 0 && mayReach(rules.allow, target, ip))
  if (permitted.length === 0) throw new ConnectFailure('forbidden address')
  return permitted.slice(0, maxAddresses)
}

async function lookUp(host: string, rules: ConnectionRules, giveUp: AbortSignal) {
  let addresses: readonly string[]
  try {
    addresses = await orGiveUp(rules.lookup(host), giveUp)
  } catch (error) {
    throw new ConnectFailure(isNotFound(error) ? 'name not found' : 'name lookup failed', error)
  }
  if (addresses.length === 0) throw new ConnectFailure('name not found')
  return addresses
}

async function connectTo(
  target: Target,
  addresses: readonly string[],
  rules: ConnectionRules,
  giveUp: AbortSignal,
): Promise<Socket> {
  const found = addresses.map((address) => ({ address, family: isIP(address) }))
  const socket = (rules.connect ?? connectTcp)({
    host: target.host,
    port: target.port,
    noDelay: true,
    // Node tries several addresses one after the other, alternating between families (RFC 8305).
    autoSelectFamily: true,
    lookup: (_host, _options, done) => done(null, found),
  })
  try {
    return await opened(socket, 'connect', giveUp)
  } catch (error) {
    throw new ConnectFailure(reasonOf(error), error)
  }
}

async function secure(
  socket: Socket,
  target: Target,
  rules: ConnectionRules,
  giveUp: AbortSignal,
): Promise<TLSSocket> {
  const options = {
    socket,
    host: target.host,
    servername: target.servername,
    ALPNProtocols: ['http/1.1'],
    // Explicit, because the environment could switch it off for the whole process.
    rejectUnauthorized: true,
    ...(rules.ca !== undefined && { ca: rules.ca }),
  }
  try {
    // Nothing can be written before the certificate is verified.
    return await opened(connectTls(options), 'secureConnect', giveUp)
  } catch (error) {
    socket.destroy()
    throw new ConnectFailure('TLS failed', error)
  }
}

/** The socket once it is open, or its error. The socket is destroyed when the caller gives up. */
function opened<S extends Socket>(socket: S, event: string, giveUp: AbortSignal): Promise<S> {
  return new Promise<S>((resolve, reject) => {
    const stop = () => socket.destroy(new Error('given up'))
    const settle = (then: () => void) => {
      giveUp.removeEventListener('abort', stop)
      then()
    }
    // This listener stays for the life of the socket: an unhandled error would end the process.
    socket.on('error', (error) => settle(() => reject(error)))
    socket.once('close', () => settle(() => reject(new Error('closed'))))
    socket.once(event, () => settle(() => resolve(socket)))
    if (giveUp.aborted) stop()
    else giveUp.addEventListener('abort', stop, { once: true })
  })
}

function orGiveUp<T>(work: Promise<T>, giveUp: AbortSignal): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const stop = () => reject(new Error('given up'))
    work.then(resolve, reject).finally(() => giveUp.removeEventListener('abort', stop))
    if (giveUp.aborted) stop()
    else giveUp.addEventListener('abort', stop, { once: true })
  })
}

function reasonOf(error: unknown): ConnectFailureReason {
  switch (codeOf(error)) {
    case 'ECONNREFUSED':
      return 'connection refused'
    case 'ETIMEDOUT':
      return 'timed out'
    case 'EHOSTUNREACH':
    case 'ENETUNREACH':
    case 'EADDRNOTAVAIL':
    case 'EACCES':
    case 'EPERM':
      return 'unreachable'
    default:
      return 'connection broken'
  }
}

/** The code of an error from the system, the parser or a certificate, or of its cause. */
export function codeOf(error: unknown): string | null {
  if (!(error instanceof Error)) return null
  if ('code' in error && typeof error.code === 'string') return error.code
  return codeOf(error.cause)
}
