import { settleGate } from '../../src/simulator/helpers/settle-gate.ts'
import { randomOf } from '../simulation/random.ts'
import { patienceMs } from '../support/patience.ts'
import { operator } from '../support/shop/account-refills.ts'
import { coldSettings } from '../support/shop/refills.ts'
import type { Children } from './children.ts'
import { gateIds } from './networks.ts'
import { openPlace, type Place } from './place.ts'
import { approve, ask, fund } from './scenario.ts'

/** A place whose cold wallets have BTC, ETH and USDT, so deep that no reorganisation of a run reaches them. */
export type Cold = { readonly place: Place }

const deep = 30

// The operator's float, with which a simulated network fills its hot wallet, does not go cold.
const funds = { BTC: ['0.9'], ETH: ['210'], USDT: ['500'] }

/** Moves nearly everything that a merchant was paid to cold wallets. From then on nothing moves there by itself. */
export async function goCold(children: Children): Promise<Cold> {
  const funded = await fund(funds, coldAbove('100.00', '50.00'))
  const { place } = funded
  const { app, close } = await openPlace(place)
  try {
    // What is to go cold has to be in the hot wallet first: these payouts sweep more than they need.
    const random = randomOf(5)
    for (const [currency, amount] of [
      ['USDT', '20.5'],
      ['ETH', '104.5'],
    ] as const)
      await approve(app, [await ask(app, funded, random, currency, amount)])
    const mover = await children.start({
      env: place.env('mover'),
      dataDir: place.dataDir,
      fall: null,
      feeTimes: 1,
      bumpAfterMs: 600_000,
      mayRefuse: false,
      blocks: 3,
      emptyBlocks: 0,
      maxMs: patienceMs,
      moreRounds: 0,
      mayUndo: false,
      command: null,
    })
    const moved = await mover.ended
    if (moved?.ended !== true) throw new Error(`Nothing went cold: ${moved?.problems.join('\n')}`)
    for (const id of gateIds) {
      await app.store.simulatedChains.mine(id, deep)
      const gate = app.gates.find(id)
      if (gate !== null) await settleGate(app, gate)
    }
    return { place: { ...place, more: coldAbove('900000000.00', '50.00') } }
  } finally {
    await close()
  }
}

function coldAbove(cap: string, keep: string): object {
  const terms = { environment: 'test', currency: 'USD', cap, keep }
  return {
    cold: [
      { ...terms, network: 'bitcoin', destination: coldSettings.destination },
      { ...terms, network: 'ethereum', destination: operator.address },
    ],
  }
}
