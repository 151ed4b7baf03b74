import { afterEach, describe, expect, it } from 'vitest'
import { nodeChainFrom, nodeChainOf } from '../../../src/gates/bitcoin/node-chains.ts'
import { WrongChainError } from '../../../src/gates/gate.ts'
import { type CoinNode, coinNetworks, startCoinNode } from '../../support/nodes/coin-node.ts'
import { describeEachCoin } from '../../support/nodes/each-coin.ts'
import { openNodeGate } from './harness.ts'

let node: CoinNode | null = null
afterEach(async () => {
  await node?.close()
  node = null
})

describeEachCoin((coin) => {
  const names = Object.keys(coinNetworks[coin].chains)
  describe.each(names)('a node on %s', (name) => {
    it('is recognised as on that chain and no other, and reports no tip while it downloads', async () => {
      node = await startCoinNode(coin, `-chain=${name}`, '-disablewallet')
      for (const other of names) {
        const { gate, close } = openNodeGate(coin, { url: node.url }, other)
        if (other !== name) await expect(gate.checkChain()).rejects.toBeInstanceOf(WrongChainError)
        else if (name === 'regtest') await expect(gate.tip()).resolves.toMatchObject({ height: 0n })
        else await expect(gate.tip()).rejects.toThrow('still downloading the chain')
        if (other === name) await expect(gate.checkChain()).resolves.toBeUndefined()
        close()
      }
    })
  })
})

it('every chain is identified by its first block, and no two share one', () => {
  const all = Object.values(coinNetworks).flatMap((network) =>
    Object.keys(network.chains).map((name) => nodeChainOf(network, name)),
  )
  expect(new Set(all.map((chain) => chain?.genesis)).size).toBe(all.length)
  for (const chain of all) expect(nodeChainFrom(chain?.genesis ?? '')).toEqual(chain)
  expect(nodeChainOf(coinNetworks.litecoin, 'signet')).toBeNull()
  expect(nodeChainOf(coinNetworks.bitcoin, 'constructor')).toBeNull()
  expect(nodeChainFrom('00'.repeat(32))).toBeNull()
})
