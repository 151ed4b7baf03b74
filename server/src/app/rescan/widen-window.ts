import { setImmediate as nextTurn } from 'node:timers/promises'
import { countLookedFor } from '../../domain/rescan.ts'
import type { CoinSpending, Gate } from '../../gates/gate.ts'
import type { Rescan } from '../../store/chains/rescans.ts'
import type { App } from '../app.ts'

/** A gate whose old blocks can be rescanned for our coins. */
export type CoinGate = Gate & {
  readonly spending: CoinSpending
  readonly unspent: NonNullable<Gate['unspent']>
}

// Deriving an address takes a millisecond or more; storing in chunks keeps progress if the process dies.
const chunkSize = 100

/**
 * Ensures that every address a rescan looks for is derived, so that the rescan and the follower recognise it as ours.
 */
export async function widenWindow(
  app: Pick<App, 'store' | 'proofs'>,
  gate: CoinGate,
  rescan: Rescan,
): Promise<void> {
  const { depositAddresses, ownAddresses } = app.store
  const { keychain, spending } = gate

  const deposits = countLookedFor(rescan.highestDeposit, rescan.gap)
  // Other processes may fill the same pool meanwhile; every address they add counts too.
  for (let { derived: from } = await depositAddresses.counts(keychain); from < deposits; ) {
    const places = await derive(from, deposits, (position) => {
      const place = gate.depositAddress(position)
      if (place === null) throw new Error(`Only the holder of the seed can derive addresses of ${keychain}.`)
      const { address, tag } = place
      return { address, tag, proof: app.proofs.prove({ keychain, position, address, tag }) }
    })
    await depositAddresses.add(keychain, from, places)
    from = (await depositAddresses.counts(keychain)).derived
  }

  const own = countLookedFor(rescan.highestOwn, rescan.gap)
  for (let from = await ownAddresses.count(keychain); from < own; ) {
    const addresses = await derive(from, own, (index) => spending.changeAddress(index))
    await ownAddresses.add(keychain, from, addresses)
    from += addresses.length
  }
}

async function derive<T>(from: number, to: number, make: (index: number) => T): Promise<T[]> {
  const made: T[] = []
  for (let index = from; index < Math.min(to, from + chunkSize); index++) made.push(make(index))
  await nextTurn()
  return made
}
