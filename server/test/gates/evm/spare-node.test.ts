import { expect, it } from 'vitest'
import { startAnvilOn } from '../../support/nodes/anvil.ts'
import { patienceMs } from '../../support/patience.ts'

// A chain of its own, so that no other test has given one back.
const chainId = 31_999
const miner = `0x${'c'.repeat(40)}`
const payer = { from: '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266', to: miner, value: '0x1' }

it('a node that is given back begins a new chain for the next who needs one, unless something would outlive the chain', async () => {
  const first = await startAnvilOn(chainId)
  const begun = await first.ask('eth_getBlockByNumber', '0x0', false)
  await first.ask('anvil_setCoinbase', miner)
  await first.ask('eth_sendTransaction', payer)
  await first.mine(3)
  const waiting = await first.ask('eth_sendTransaction', payer)
  await first.giveBack()

  const second = await startAnvilOn(chainId)
  expect(second.port).toBe(first.port)
  expect(await second.ask('eth_blockNumber')).toBe('0x0')
  expect(await second.ask('txpool_status')).toEqual({ pending: '0x0', queued: '0x0' })
  expect(await second.ask('eth_getTransactionByHash', waiting)).toBeNull()
  expect(await second.ask('eth_getTransactionCount', payer.from, 'latest')).toBe('0x0')
  const beforeMs = Date.now()
  await second.mine()
  const block = await second.ask('eth_getBlockByNumber', '0x1', false)
  expect(block.miner).toBe(`0x${'0'.repeat(40)}`)
  expect(block.baseFeePerGas).toBe(begun.baseFeePerGas)
  // As far as a busy machine can say: it may have stood still while the clock was set.
  expect(Number(block.timestamp) * 1000).toBeGreaterThan(beforeMs - patienceMs)

  await second.ask('evm_increaseTime', 3_600)
  await second.giveBack()
  await expect(second.ask('eth_chainId')).rejects.toThrow('fetch failed')
})
