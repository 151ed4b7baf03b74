import { GateOutageError, WrongChainError } from './gate.ts'
import { type NodeRpc, RpcRefusal } from './json-rpc.ts'

/** A node, and the part of its address that may be shown. */
export type EndpointAddress = {
  readonly place: string
  readonly rpc: NodeRpc
  /** Called when the node could not be used. */
  onFailure?(): void
  /** Called when the node gave another answer than the node asked before it. */
  onDisagreement?(): void
}

export type Endpoints = {
  /** The answer of the first node that responds. A node that failed is tried last for a while. */
  ask<T>(work: (rpc: NodeRpc) => Promise<T>): Promise<T>
  /**
   * The same, but an answer that matters is trusted only when the required number of nodes give exactly that answer. A node
   * without an answer (null) does not count.
   */
  agree<T>(work: (rpc: NodeRpc) => Promise<T>, matters: (answer: T) => boolean): Promise<T>
  /** Asks every node which chain it is on. */
  check(): Promise<void>
  /** The hash of block 0, once a node has shown it. */
  genesis(): string | null
}

/** How a node shows which chain it is on. */
export type ChainCheck = {
  /** What messages call the chain: "chain 1". */
  readonly called: string
  /** The hash of the node's block 0. Throws a `WrongChainError` that begins with `node` when it is on the wrong chain. */
  genesisOf(rpc: NodeRpc, node: string): Promise<string>
}

type Endpoint = EndpointAddress & { isChecked: boolean; restsUntilMs: number }

const restMs = 30_000

/** Several nodes of one chain, used as one. A node gets no request before it has shown that it is on that chain. */
export function nodeEndpoints(options: {
  readonly name: string
  readonly chain: ChainCheck
  readonly endpoints: readonly EndpointAddress[]
  /** How many nodes must give the same answer. */
  readonly agreement: number
  readonly now?: () => number
}): Endpoints {
  const { name, chain, agreement, now = () => performance.now() } = options
  const all: Endpoint[] = options.endpoints.map((each) => ({ ...each, isChecked: false, restsUntilMs: 0 }))
  let genesis: string | null = null

  async function checkOne(endpoint: Endpoint): Promise<void> {
    const node = `The node of ${name} at ${endpoint.place}`
    const found = await chain.genesisOf(endpoint.rpc, node)
    genesis ??= found
    if (found !== genesis)
      throw new WrongChainError(
        `${node} is on a different ${chain.called} (genesis ${found}) from the one seen before (genesis ${genesis}). ` +
          'Point rpc_url at the right node.',
      )
    endpoint.isChecked = true
  }

  async function askOne<T>(endpoint: Endpoint, work: (rpc: NodeRpc) => Promise<T>): Promise<T> {
    try {
      if (!endpoint.isChecked) await checkOne(endpoint)
      return await work(endpoint.rpc)
    } catch (error) {
      // After an outage it may be a different node.
      if (error instanceof GateOutageError) endpoint.isChecked = false
      if (!(error instanceof RpcRefusal)) throw error
      throw new GateOutageError(`The node at ${endpoint.place} refused a request: ${error.message}`, {
        cause: error,
      })
    }
  }

  async function askInTurn<T>(work: (rpc: NodeRpc) => Promise<T>): Promise<{ value: T; by: Endpoint }> {
    const startedAt = now()
    const isResting = ({ restsUntilMs }: Endpoint) => restsUntilMs > startedAt
    const failures: GateOutageError[] = []
    for (const endpoint of [...all.filter((each) => !isResting(each)), ...all.filter(isResting)])
      try {
        const value = await askOne(endpoint, work)
        endpoint.restsUntilMs = 0
        return { value, by: endpoint }
      } catch (error) {
        if (!(error instanceof GateOutageError)) throw error
        endpoint.restsUntilMs = now() + restMs
        endpoint.onFailure?.()
        failures.push(error)
      }
    throw together(failures)
  }

  function together(failures: readonly GateOutageError[]): GateOutageError {
    const [first] = failures
    if (first !== undefined && failures.length === 1) return first
    const words = failures.map(({ message }) => message).join(' ')
    // The others may come back by themselves; a node on the wrong chain needs a person.
    const Kind = failures.some((each) => each instanceof WrongChainError) ? WrongChainError : GateOutageError
    return new Kind(`None of the ${failures.length} nodes of ${name} is usable. ${words}`, {
      cause: first,
    })
  }

  return {
    ask: async (work) => (await askInTurn(work)).value,

    async agree(work, matters) {
      const { value, by } = await askInTurn(work)
      if (agreement === 1 || !matters(value)) return value
      const said = inWords(value)
      const agreeing = [by.place]
      const others: string[] = []
      for (const other of all) {
        if (other === by || agreeing.length === agreement) continue
        const answer = await askOne(other, work).catch((error: unknown) => {
          if (error instanceof GateOutageError) return error
          throw error
        })
        if (answer instanceof GateOutageError) {
          other.onFailure?.()
          others.push(`${other.place} does not answer`)
        } else if (answer === null) others.push(`${other.place} has no answer yet`)
        else if (inWords(answer) === said) agreeing.push(other.place)
        else {
          other.onDisagreement?.()
          others.push(`${other.place} gives a different answer`)
        }
      }
      if (agreeing.length === agreement) return value
      throw new GateOutageError(
        `The nodes of ${name} do not agree, so nothing is credited. The answer of ${agreeing.join(', ')} needs ${agreement} ` +
          `nodes to agree; ${others.join('; ')}. Find out which node is right. The answer was ${said}.`,
      )
    },

    async check() {
      const results = await Promise.allSettled(all.map((endpoint) => askOne(endpoint, async () => null)))
      const failures = results.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []))
      const serious = failures.find((error) => error instanceof WrongChainError || !isOutage(error))
      if (serious !== undefined) throw serious
      if (failures.length === all.length) throw together(failures)
    },

    genesis: () => genesis,
  }
}

function isOutage(error: unknown): boolean {
  return error instanceof GateOutageError
}

/** A text that is equal for equal answers. */
function inWords(value: unknown): string {
  return JSON.stringify(value, (_, each) => {
    if (typeof each === 'bigint') return each.toString()
    return each instanceof Map ? [...each] : each
  })
}
