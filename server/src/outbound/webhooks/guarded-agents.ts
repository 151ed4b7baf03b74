import { Agent as HttpAgent, type RequestOptions } from 'node:http'
import { Agent as HttpsAgent } from 'node:https'
import { type ConnectionRules, openGuarded } from './guarded-connection.ts'
import type { Target } from './target.ts'

/** Connections kept open for the next request, in all and of one host. */
const maxIdle = 256
// As many as one endpoint gets webhooks at once: fewer, and a busy receiver would see a new connection for almost each.
const maxIdlePerHost = 32

export type Agents = { readonly plain: HttpAgent; readonly secure: HttpsAgent; destroy(): void }

/** What a request carries for the connection that is made for it. */
export type GuardedOptions = RequestOptions & { readonly target: Target; readonly giveUp: AbortSignal }

/**
 * Agents that connect by our rules only: a request has no other way out. Connections are kept for `idleMs` after use,
 * or not at all. How many are in use at once is the caller's to bound: an agent's own queue gets stuck when
 * connecting fails, and its bound in all counts idle connections as used.
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
      // With an error there is no stream, which the types do not know.
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
