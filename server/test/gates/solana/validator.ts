import { setTimeout as sleep } from 'node:timers/promises'
import { base58, base64 } from '@scure/base'
import { getTransactionDecoder } from '@solana/kit'
import type { SolanaNode } from '../../support/nodes/solana-node.ts'
import { patienceMs } from '../../support/patience.ts'
import type { Executor, Outcome } from './executor.ts'

const pollMs = 20

/** Executes transactions on a real node, over its JSON-RPC. */
export function validatorExecutor({ ask }: SolanaNode): Executor {
  const latest = async (): Promise<string> => (await ask('getLatestBlockhash')).value.blockhash

  /** What has become of a transaction that the node took. */
  async function outcomeOf(hash: string): Promise<Outcome> {
    const found = await until(async () => {
      const { value } = await ask('getSignatureStatuses', [hash])
      return value[0] as { err: unknown } | null
    })
    return found.err === null ? { kind: 'done' } : { kind: 'failed', reason: JSON.stringify(found.err) }
  }

  return {
    async fund(address, units) {
      const outcome = await outcomeOf(await ask('requestAirdrop', address, Number(units)))
      if (outcome.kind !== 'done') throw new Error(`There was no money for ${address}: ${outcome.reason}`)
    },
    async blockhash() {
      const known = await latest()
      return until(async () => {
        const found = await latest()
        return found === known ? null : found
      })
    },
    async send(bytes) {
      const [signature] = Object.values(getTransactionDecoder().decode(bytes).signatures)
      const hash = base58.encode(Uint8Array.from(signature ?? []))
      try {
        const options = { encoding: 'base64', skipPreflight: true }
        const named: unknown = await ask('sendTransaction', base64.encode(bytes), options)
        if (named !== hash) throw new Error(`The node names it ${named}, and not by its first signature.`)
      } catch (error) {
        const { message } = error as Error
        if (message.startsWith('sendTransaction: ')) return { kind: 'refused', reason: message }
        throw error
      }
      return outcomeOf(hash)
    },
    async account(address) {
      const { value } = await ask('getAccountInfo', address, { encoding: 'base64' })
      return value === null || value.lamports === 0
        ? null
        : { units: BigInt(value.lamports), data: base64.decode(value.data[0]) }
    },
  }
}

async function until<T>(find: () => Promise<T | null>): Promise<T> {
  const endMs = performance.now() + patienceMs
  for (;;) {
    const found = await find()
    if (found !== null) return found
    if (performance.now() > endMs) throw new Error('The node does not get on.')
    await sleep(pollMs)
  }
}
