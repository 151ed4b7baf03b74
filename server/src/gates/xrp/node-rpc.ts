import { jsonRpc, type NodeRpc, type NodeRpcOptions, RpcRefusal } from '../json-rpc.ts'
import { isRateLimit, type RateLimitSigns } from '../rate-limits.ts'
import { shownText } from '../shown-text.ts'

// The numbers are those of rippled's `ErrorCodes.h`: tooBusy and slowDown.
const limits: RateLimitSigns = { codes: [9, 10] }
// notReady, amendmentBlocked, noClosed, noCurrent, noNetwork, notSynced: it can answer no call right now.
const unready = [13, 14, 15, 16, 17, 18]
const unnumbered = -1

/**
 * The HTTP API of a rippled or Clio server (https://xrpl.org/docs/references/http-websocket-apis). An error is a member of the
 * result there, and there are no ids.
 */
export function xrpRpc(options: NodeRpcOptions): NodeRpc {
  return jsonRpc(
    {
      version: '2.0',
      parse: JSON.parse,
      unready,
      isTooOften: (code, message) => isRateLimit(limits, code, message),
      plain,
    },
    options,
  )
}

/** The name of a server's error, as in its documentation: `actNotFound`. */
export function errorName(refusal: RpcRefusal): string {
  return typeof refusal.data === 'string' ? refusal.data : ''
}

/** The answer of a call; null where the server says that what was asked for does not exist, by one of these names. */
export async function askUnless(
  rpc: NodeRpc,
  absent: readonly string[],
  method: string,
  params: object,
): Promise<unknown> {
  try {
    return await rpc.call(method, params)
  } catch (error) {
    if (error instanceof RpcRefusal && absent.includes(errorName(error))) return null
    throw error
  }
}

function plain(answer: unknown): unknown {
  const { result } = (answer ?? {}) as { result?: unknown }
  if (typeof result !== 'object' || result === null) return answer
  const { error, error_code: code, error_message: message } = result as Record<string, unknown>
  if (error === undefined) return { result }
  const words = [error, ...(typeof message === 'string' ? [message] : [])].map(shownText).join(': ')
  return { error: { code: typeof code === 'number' ? code : unnumbered, message: words, data: error } }
}
