import { type Gate, GateOutageError } from '../../../src/gates/gate.ts'
import type { SimulatedChains } from '../../../src/simulator/chain/chains.ts'

/** How a node answers one call of `broadcast` or `fate`. */
export type Fault =
  /** Does what it is asked, but does not answer. */
  | 'times_out_after'
  /** Does not even receive the call. */
  | 'times_out_before'
  /** Accepts the bytes and says that it refuses them. */
  | 'says_refused'
  /** Refuses the bytes. */
  | 'refuses'
  /** Accepts the bytes and forgets them. */
  | 'forgets'
  /** Answers with something unintelligible. */
  | 'answers_garbage'

export type FaultyGate = {
  readonly gate: Gate
  /** The next calls of one kind fail like this, one after the other; then all is well again. */
  next(call: 'broadcast' | 'fate', ...faults: readonly Fault[]): void
  /** Every call of one kind fails like this, until told otherwise. */
  always(call: 'broadcast' | 'fate', fault: Fault | null): void
  /** How often each was called. */
  readonly calls: Record<'broadcast' | 'fate', number>
}

/** A gate in front of another that misbehaves on demand, as nodes do. Everything else is passed on. */
export function faultyGate(
  gate: Gate,
  { chains }: { chains: Pick<SimulatedChains, 'drop'> | null } = { chains: null },
): FaultyGate {
  const coming: Record<'broadcast' | 'fate', Fault[]> = { broadcast: [], fate: [] }
  const standing: Record<'broadcast' | 'fate', Fault | null> = { broadcast: null, fate: null }
  const calls = { broadcast: 0, fate: 0 }

  async function misbehave<T>(
    call: 'broadcast' | 'fate',
    answer: () => Promise<T>,
    forget: () => Promise<void>,
  ): Promise<T | string> {
    calls[call]++
    const fault = coming[call].shift() ?? standing[call]
    switch (fault) {
      case null:
        return answer()
      case 'times_out_before':
        throw new GateOutageError(`${gate.network.name} does not answer.`)
      case 'refuses':
        return 'The node does not like it.'
      case 'answers_garbage':
        throw Object.assign(new Error('<html>502 Bad Gateway</html>'), { jsonrpc: '2.0', id: 'wrong' })
    }
    const answered = await answer()
    if (fault === 'forgets') {
      await forget()
      return answered
    }
    if (fault === 'says_refused') return 'The node does not like it.'
    throw new GateOutageError(`${gate.network.name} does not answer.`)
  }

  return {
    calls,
    next: (call, ...faults) => coming[call].push(...faults),
    always(call, fault) {
      standing[call] = fault
    },
    gate: {
      ...gate,
      broadcast: (transaction) =>
        misbehave(
          'broadcast',
          () => gate.broadcast(transaction),
          async () => {
            await chains?.drop(gate.id, transaction.hash)
          },
        ),
      async fate(candidates) {
        const forget = async () => {
          for (const { hash } of candidates) await chains?.drop(gate.id, hash)
        }
        const fate = await misbehave('fate', () => gate.fate(candidates), forget)
        // A refusal makes no sense as an answer to this call.
        if (typeof fate === 'string') throw new Error(fate)
        return fate
      },
    },
  }
}
