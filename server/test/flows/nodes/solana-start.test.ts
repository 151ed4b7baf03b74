import { expect, it } from 'vitest'
import { startScriptedSolana } from '../../support/nodes/scripted-solana.ts'
import { networkOf } from '../../support/shop/registry.ts'
import { startTestService } from '../../support/shop/service.ts'
import { quiet } from '../../support/shop/shop.ts'

const network = networkOf('solana')
const clusters = network.family === 'solana' ? network.clusters : {}
const gate = { network: 'solana', environment: 'test', kind: 'solana', poll_seconds: 1 }

it.each([
  ['devnet', 'mainnet-beta', 'is on the chain with genesis'],
  ['localnet', 'mainnet-beta', 'is on a public cluster'],
  ['localnet', 'devnet', 'is on a public cluster'],
])('a gate on %s does not start on a node of %s', async (cluster, actual, words) => {
  const node = await startScriptedSolana(clusters[actual]?.genesis)
  try {
    const config = { ...quiet.config, gates: [{ ...gate, cluster, rpc_url: node.url }] }
    await expect(startTestService({ ...quiet, config })).rejects.toThrow(words)
  } finally {
    await node.close()
  }
})

it('a gate on devnet starts on a node of devnet', async () => {
  const node = await startScriptedSolana(clusters.devnet?.genesis)
  node.mineMany(3)
  const config = { ...quiet.config, gates: [{ ...gate, cluster: 'devnet', rpc_url: node.url }] }
  const service = await startTestService({ ...quiet, config })
  try {
    await expect.poll(() => service.app.gates.isOnline('solana-test')).toBe(true)
  } finally {
    await service.stop()
    await node.close()
  }
})
