import type { GateId } from '../../src/domain/networks/network.ts'
import { settleGate } from '../../src/simulator/helpers/settle-gate.ts'
import { type CoinNode, stopsSoon } from '../support/nodes/coin-node.ts'
import { gateConfig, startPayingNode } from '../support/nodes/node-shop.ts'
import { confirmations } from './networks.ts'
import { followNode, invoicesOf, withNode } from './node-scenario.ts'
import { makePlace } from './place.ts'
import type { Funded } from './scenario.ts'

export const coinGateId: GateId = 'bitcoin-test'

/** A merchant with deposits on a real Bitcoin node, with which every run begins. */
export type FundedOnCoins = Funded & {
  readonly node: CoinNode
  /** The height up to which the chain is the same for every run. */
  readonly height: number
}

const funds = ['0.5', '0.3', '0.2']
const deep = 10

/** Creates the chain and the place that every run copies. */
export async function fundOnCoins(): Promise<FundedOnCoins> {
  const node = await startPayingNode('bitcoin', stopsSoon)
  try {
    const gate = gateConfig('bitcoin', node.url, { confirmations: confirmations.bitcoin })
    const place = await makePlace(undefined, { gates: [gate] })
    await followNode(place, coinGateId)
    return await withNode(place, coinGateId, async (app, bitcoin) => {
      const { caller, invoices } = await invoicesOf(app, { BTC: funds })
      for (const [at, { asset }] of invoices.BTC.entries())
        await node.ask('sendtoaddress', asset?.depositAddress ?? '', funds[at])
      await node.mine(deep)
      await settleGate(app, bitcoin)
      return { place, caller, invoices, node, height: await node.ask('getblockcount') }
    })
  } catch (error) {
    await node.close()
    throw error
  }
}
