import type { Step, Transfer } from '../../domain/chain.ts'
import type { Gate } from '../../gates/gate.ts'
import type { App } from '../app.ts'

/** The transfers that others sent: neither moves between our own addresses nor our change are payments. */
export async function fromOutside(
  app: Pick<App, 'store'>,
  gate: Gate,
  transfers: readonly Transfer[],
): Promise<readonly Transfer[]> {
  if (transfers.length === 0) return transfers
  if (gate.spending.kind === 'coins') return withoutOwnChange(app, gate, transfers)
  const own = await app.store.spends.ownMoves(transfers.map(({ txHash }) => txHash))
  return own.size === 0 ? transfers : transfers.filter(({ txHash }) => !own.has(txHash))
}

/** A watched address of our own may also receive a spend's change; that coin is booked when the spend settles. */
async function withoutOwnChange(
  app: Pick<App, 'store'>,
  gate: Gate,
  transfers: readonly Transfer[],
): Promise<readonly Transfer[]> {
  const own = await app.store.ownAddresses.among(
    gate.keychain,
    transfers.map(({ address }) => address),
  )
  if (own.size === 0) return transfers
  const toOwn = transfers.filter(({ address }) => own.has(address))
  const ours = await app.store.spends.ownHashes(toOwn.map(({ txHash }) => txHash))
  return transfers.filter(({ address, txHash }) => !own.has(address) || !ours.has(txHash))
}

/** The step with only the transfers that others sent. */
export async function leaveOutOwnMoves<S extends Step>(
  app: Pick<App, 'store'>,
  gate: Gate,
  step: S,
): Promise<S> {
  if (step.kind !== 'extend' && step.kind !== 'rewind') return step
  const kept = new Set(
    await fromOutside(
      app,
      gate,
      step.blocks.flatMap(({ transfers }) => transfers),
    ),
  )
  return {
    ...step,
    blocks: step.blocks.map((block) => ({
      ...block,
      transfers: block.transfers.filter((transfer) => kept.has(transfer)),
    })),
  }
}
