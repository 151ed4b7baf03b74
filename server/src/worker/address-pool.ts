import { fillPool, type Keychain } from '../app/addresses/fill-pool.ts'
import type { App } from '../app/app.ts'
import { marksByDemand, type PoolBounds } from '../domain/address-demand.ts'
import type { Log } from '../log.ts'
import { type Loop, startLoop } from './loop.ts'

const lookEveryMs = 1_000
// A request that finds its pool empty fills it, so no request waits for this.
const idleEveryMs = 2_000
// While addresses are used up as fast as they are derived, this many fillings run without a pause.
const maxFillingsInARow = 20

/** Keeps the pools of deposit addresses filled, ahead of demand. Only reads while no pool is short. */
export function startAddressPoolLoop(
  app: Pick<App, 'store' | 'proofs'>,
  keychains: () => readonly Keychain[],
  bounds: PoolBounds,
  { log, filler }: { readonly log: Log; readonly filler: string },
): Loop {
  let isIdle = false
  const marks = marksByDemand(bounds, () => performance.now())
  return startLoop({
    everyMs: () => (isIdle ? idleEveryMs : lookEveryMs),
    step: async (signal) => {
      isIdle = false
      for (let filling = 0; filling < maxFillingsInARow && !signal.aborted; filling++) {
        const added = await fillPool(app, keychains(), marks, { signal, filler })
        isIdle = added === 0
        if (isIdle) return
        log.debug({ added }, 'deposit addresses added')
      }
    },
    onError: (error) => log.warn({ err: error }, 'could not add deposit addresses'),
  })
}
