import { Agent as HttpAgent, type RequestOptions } from 'node:http'
import { Agent as HttpsAgent } from 'node:https'
import { type ConnectionRules, openGuarded } from './guarded-connection.ts'
import type { Target } from './target.ts'

/** Idle connections kept open for the next request, in total and per host. */
const maxIdle = 256
// One endpoint gets up to this many webhooks at once. With fewer, a busy receiver would see a new connection for almost each.
const maxIdlePerHost = 32

export type Agents = { readonly plain: HttpAgent; readonly secure: HttpsAgent; destroy(): void }

/** A request's options, plus the ones its guarded connection needs. */
export type GuardedOptions = RequestOptions & { readonly target: Target; readonly giveUp: AbortSignal }

/**
 * Agents that connect only by our rules: a request has no other way out. They keep a connection for `idleMs` after use,
 * or not at all. The caller bounds the connections in use, because an agent's own queue gets stuck when connecting
 * fails, and its total limit counts idle connections as used.
 */
export function guardedAgents(rules: ConnectionRules, idleMs: number | null): Agents {
  const kept = idleMs === null ? {} : { keepAlive: true, maxFreeSockets: maxIdlePerHost, timeout: idleMs }
  const agents = { plain: new HttpAgent(kept), secure: new HttpsAgent(kept) }
  guard(agents.plain, rules)
  guard(agents.secure, rules)
  return {
    ...agents,
    destroy() {
      agents.plain.destroy()
      agents.secure.destroy()
    },
  }
}

function guard(agent: HttpAgent, rules: ConnectionRules): void {
  agent.createConnection = (options, done) => {
    const { target, giveUp } = options as GuardedOptions
    openGuarded(target, rules, giveUp).then(
      (socket) => done?.(null, socket),
      // The types do not know that there is no stream when there is an error.
      (error) => done?.(error, undefined as never),
    )
    return undefined
  }
  const keep = agent.keepSocketAlive.bind(agent)
  agent.keepSocketAlive = (socket) => {
    const idle = Object.values(agent.freeSockets).reduce((sum, free) => sum + (free?.length ?? 0), 0)
    return idle < maxIdle && keep(socket)
  }
}
