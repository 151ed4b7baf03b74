import { GateOutageError, WrongChainError } from '../gate.ts'
import { type NodeRpc, RpcRefusal } from '../json-rpc.ts'
import { readBlock, readHash, readQuantity, unbelievable } from './node-answers.ts'

/** A node, and where it is, as far as that may be shown. */
export type EndpointAddress = { readonly place: string; readonly rpc: NodeRpc }

export type Endpoints = {
  /** The first node's answer that can be had: one that failed is asked again after a while. */
  ask<T>(work: (rpc: NodeRpc) => Promise<T>): Promise<T>
  /**
   * The same; an answer that matters is believed only when as many nodes as must agree say exactly that. A node that has no
   * answer (null) says nothing.
   */
  agree<T>(work: (rpc: NodeRpc) => Promise<T>, matters: (answer: T) => boolean): Promise<T>
  /** Asks every node which chain it is on. */
  check(): Promise<void>
  /** The hash of block 0, once a node has told it. */
  genesis(): string | null
}

type Endpoint = EndpointAddress & { isChecked: boolean; restsUntilMs: number }

const restMs = 30_000

/** Several nodes of one chain as one. Nothing is asked of a node before it has shown that it is on that chain. */
export function nodeEndpoints(options: {
  readonly name: string
  readonly chainId: number
  readonly endpoints: readonly EndpointAddress[]
  /** How many must say the same. */
  readonly agreement: number
  readonly now?: () => number
}): Endpoints {
  const { name, chainId, agreement, now = () => performance.now() } = options
  const all: Endpoint[] = options.endpoints.map((each) => ({ ...each, isChecked: false, restsUntilMs: 0 }))
  let genesis: string | null = null

  async function checkOne(endpoint: Endpoint): Promise<void> {
    const { rpc, place } = endpoint
    const id = readQuantity(await rpc.call('eth_chainId'), 'it does not say which chain it is on')
    if (id !== BigInt(chainId))
      throw new WrongChainError(
        `The node of ${name} at ${place} is on chain ${id}, but it must be on chain ${chainId}. Point rpc_url at the right ` +
          'node, or correct "chain_id".',
      )
    const first = await rpc.call('eth_getBlockByNumber', '0x0', false)
    if (first === null) unbelievable('it does not show block 0')
    const found = readHash(readBlock(first, { height: 0n }).hash)
    genesis ??= found
    if (found !== genesis)
      throw new WrongChainError(
        `The node of ${name} at ${place} is on another chain ${chainId} (genesis ${found}) than was seen before ` +
          `(genesis ${genesis}). Point rpc_url at the right node.`,
      )
    endpoint.isChecked = true
  }

  async function askOne<T>(endpoint: Endpoint, work: (rpc: NodeRpc) => Promise<T>): Promise<T> {
    try {
      if (!endpoint.isChecked) await checkOne(endpoint)
      return await work(endpoint.rpc)
    } catch (error) {
      // A node that was away may be another one when it is back.
      if (error instanceof GateOutageError) endpoint.isChecked = false
      if (!(error instanceof RpcRefusal)) throw error
      throw new GateOutageError(`The node at ${endpoint.place} refuses to answer: ${error.message}`, {
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
        failures.push(error)
      }
    throw together(failures)
  }

  function together(failures: readonly GateOutageError[]): GateOutageError {
    const [first] = failures
    if (first !== undefined && failures.length === 1) return first
    const words = failures.map(({ message }) => message).join(' ')
    // Others may come back; one on another chain is for a person to see to.
    const Kind = failures.some((each) => each instanceof WrongChainError) ? WrongChainError : GateOutageError
    return new Kind(`None of the ${failures.length} nodes of ${name} answers. ${words}`, {
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
        if (answer instanceof GateOutageError) others.push(`${other.place} does not answer`)
        else if (answer === null) others.push(`${other.place} has no answer yet`)
        else if (inWords(answer) === said) agreeing.push(other.place)
        else others.push(`${other.place} says something else`)
      }
      if (agreeing.length === agreement) return value
      throw new GateOutageError(
        `The nodes of ${name} do not agree, so nothing of this is credited: ${agreeing.join(', ')} says what ${agreement} ` +
          `must say; ${others.join('; ')}. Find out which is right: the one says ${said}.`,
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

/** The same for equal answers. */
function inWords(value: unknown): string {
  return JSON.stringify(value, (_, each) => {
    if (typeof each === 'bigint') return each.toString()
    return each instanceof Map ? [...each] : each
  })
}
