import {
  type Block,
  type BlockRef,
  continues,
  type PlainTransaction,
  transactionsOf,
} from '../../domain/chain.ts'
import { coinName } from '../../domain/uses.ts'
import { GateOutageError } from '../../gates/gate.ts'
import type { FoundOutput, Rescan } from '../../store/chains/rescans.ts'
import type { App } from '../app.ts'
import { watchedBy } from '../chain/follow-chain.ts'
import { type CoinGate, widenWindow } from './widen-window.ts'

// Bounds on what a killed process has to read again and on the size of a transaction.
const maxBlocks = 50
const maxMs = 5_000
const maxOutputs = 5_000

/** Consecutive blocks, and the outputs in them that pay us and are not known yet. */
export type Slice = {
  readonly last: BlockRef
  readonly found: readonly FoundOutput[]
  /** The transactions that made them. */
  readonly transactions: readonly PlainTransaction[]
  /** With the highest positions found so far. */
  readonly rescan: Rescan
}

/**
 * Reads blocks starting at `from`, at most up to `to`; null when a block does not link to the one before it. Every address
 * found moves the window of addresses to look for.
 */
export async function readSlice(
  app: Pick<App, 'store' | 'proofs'>,
  gate: CoinGate,
  given: Rescan,
  { last: before, from, to }: { readonly last: BlockRef | null; readonly from: bigint; readonly to: bigint },
): Promise<Slice | null> {
  const watched = watchedBy(app, gate)
  const endMs = performance.now() + maxMs
  const found: FoundOutput[] = []
  const transactions: PlainTransaction[] = []
  let rescan = given
  let last = before
  for (let height = from; height <= to && height < from + BigInt(maxBlocks); height++) {
    const block = await gate.block(height, watched)
    if (block === null)
      throw new GateOutageError(`The node of ${gate.network.name} does not have block ${height} right now.`)
    if (last !== null && !continues(last, block)) return null
    const outputs = await unknownIn(app, gate, block)
    found.push(...outputs)
    transactions.push(...transactionsOf(block, outputs))
    last = { height, hash: block.hash }
    const higher = withHighest(rescan, outputs)
    if (higher !== rescan) await widenWindow(app, gate, higher)
    rescan = higher
    if (found.length >= maxOutputs || performance.now() > endMs) break
  }
  if (last === null) throw new Error('A slice has at least one block.')
  return { last, found, transactions, rescan }
}

/** The outputs in a block that pay us, without known payments and without the change of our own spends. */
async function unknownIn(
  app: Pick<App, 'store' | 'proofs'>,
  gate: CoinGate,
  block: Block,
): Promise<FoundOutput[]> {
  const transfers = block.transfers.filter(({ units }) => units > 0n)
  if (transfers.length === 0) return []
  const { depositAddresses, ownAddresses, payments, spends } = app.store
  const { keychain } = gate
  const deposits = (await depositAddresses.find(keychain, transfers)).filter((found) =>
    app.proofs.isOurs({ keychain, ...found }),
  )
  const own = (
    await ownAddresses.find(
      keychain,
      transfers.map(({ address }) => address),
    )
  ).filter(({ position, address }) => gate.spending.changeAddress(position) === address)
  const positions = new Map([...deposits, ...own].map(({ address, position }) => [address, position]))
  const ownAt = new Set(own.map(({ address }) => address))
  const known = new Set((await payments.known(gate.id, transfers)).map(coinName))
  const ourTransactions = await spends.ownHashes(
    transfers.filter(({ address }) => ownAt.has(address)).map(({ txHash }) => txHash),
  )
  return transfers.flatMap(({ txHash, outputIndex, address, units, leastConfirmations = 0 }) => {
    const position = positions.get(address)
    const isOwn = ownAt.has(address)
    if (position === undefined || known.has(coinName({ txHash, outputIndex }))) return []
    if (isOwn && ourTransactions.has(txHash)) return []
    return {
      txHash,
      outputIndex,
      address,
      units,
      leastConfirmations,
      key: { chain: isOwn ? ('own' as const) : ('deposit' as const), index: position },
      block: { height: block.height, hash: block.hash },
      minedAt: block.minedAt,
    }
  })
}

function withHighest(rescan: Rescan, outputs: readonly FoundOutput[]): Rescan {
  let { highestDeposit, highestOwn } = rescan
  for (const { key } of outputs) {
    if (key.chain === 'own') highestOwn = Math.max(highestOwn, key.index)
    else highestDeposit = Math.max(highestDeposit, key.index)
  }
  const isHigher = highestDeposit > rescan.highestDeposit || highestOwn > rescan.highestOwn
  return isHigher ? { ...rescan, highestDeposit, highestOwn } : rescan
}
