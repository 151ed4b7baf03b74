import type { Gate } from '../../../src/gates/gate.ts'
import { solanaDepositAddress } from '../../../src/gates/solana/deposit-key.ts'
import { seed } from '../../simulator/gate/keys.ts'
import { plugOf, startFaultProxy } from '../../support/nodes/fault-proxy.ts'
import { scriptedGate } from '../../support/nodes/scripted-gate.ts'
import {
  keyOf,
  type MadeTransaction,
  madeTransaction,
  solTo,
  startScriptedSolana,
} from '../../support/nodes/scripted-solana.ts'
import type { GateHarness, Paid } from '../harness.ts'
import { watching } from '../watch.ts'
import { openReading } from './reading.ts'

/** A gate that reads these nodes. It cannot send. */
export function readingGate(urls: readonly string[], options: Parameters<typeof openReading>[1]) {
  const { gate } = scriptedGate({ network: 'solana' })
  const { reading, close } = openReading(urls, options)
  const made: Gate = {
    ...gate,
    get chain() {
      return reading.chain()
    },
    tip: reading.tip,
    look: reading.look,
    block: reading.block,
    pending: reading.pending,
  }
  return { gate: made, close }
}

/**
 * The gate on a scripted node. There is no mempool: what is paid is at once in a confirmed block, and what is mined is final.
 * Some slots are empty.
 */
export async function scriptedSolanaHarness(stranger: string): Promise<GateHarness> {
  const node = await startScriptedSolana()
  const proxy = await startFaultProxy(node.url)
  const open = () => readingGate([proxy.url], { showsUnfinal: true })
  let opened = open()
  let waiting: MadeTransaction[] = []

  function transactionOf([line, ...more]: readonly Paid[]): MadeTransaction {
    if (line === undefined || more.length > 0) throw new Error('A payer pays a single line.')
    const { to, currency, units } = line
    if (currency === 'SOL') return solTo(to.address, Number(units))
    const mint = opened.gate.assets.find((asset) => asset.currency === currency)?.contractAddress
    if (mint == null) throw new Error(`The gate has no ${currency}.`)
    return madeTransaction({
      accounts: [
        { address: keyOf('payer'), before: 10_000, after: 5_000 },
        { address: keyOf('from') },
        { address: keyOf('to') },
      ],
      tokens: [
        { at: 1, mint, owner: keyOf('payer'), before: units, after: 0n },
        { at: 2, mint, owner: to.address, before: null, after: units },
      ],
    })
  }

  /** Puts what waits into a block that is not final. */
  function confirm(transactions: readonly MadeTransaction[]): void {
    const isOpen = waiting.length > 0
    waiting = [...waiting, ...transactions]
    if (isOpen) node.fork(1, [waiting])
    else if (waiting.length > 0) node.mine(waiting, 1)
    node.unfinal = waiting.length > 0 ? 1 : 0
  }

  return {
    get gate() {
      return opened.gate
    },
    deposit: (index) => solanaDepositAddress(seed, index),
    stranger: { address: stranger, tag: null },
    watch: watching,
    async pay(paid) {
      const transaction = transactionOf(paid)
      confirm([transaction])
      return transaction.signature
    },
    async mine(count) {
      for (let left = waiting.length > 0 ? count - 1 : count; left > 0; left--) node.mine([], left % 2)
      waiting = []
      node.unfinal = 0
    },
    async reorganise(depth, { drop = [], others = 'same_height' } = {}) {
      const kept = node
        .newest(depth)
        .map((block) => block.filter(({ signature }) => !drop.includes(signature)))
      const empty = Array.from({ length: depth + 1 }, () => [])
      node.fork(depth, { same_height: [...kept, []], next_height: [[], ...kept], mempool: empty }[others])
      if (others === 'mempool') confirm(kept.flat())
    },
    replace: () => Promise.reject(new Error('A transaction cannot be replaced.')),
    purse: () => Promise.reject(new Error('This gate cannot send.')),
    ...plugOf(proxy),
    async restart() {
      opened.close()
      opened = open()
    },
    async close() {
      opened.close()
      await proxy.close()
      await node.close()
    },
  }
}
