import { afterAll, beforeAll, expect, it } from 'vitest'
import { followChain } from '../../../src/app/chain/follow-chain.ts'
import { resumeChain } from '../../../src/app/chain/resume-chain.ts'
import type { Gate } from '../../../src/gates/gate.ts'
import { settleGate } from '../../../src/simulator/helpers/settle-gate.ts'
import { call } from '../../support/shop/contract-client.ts'
import { startTestService, type TestService } from '../../support/shop/service.ts'

let service: TestService
let key: string
let gate: Gate
beforeAll(async () => {
  service = await startTestService({
    env: { SLUICE_SANDBOX_BLOCK_SECONDS: '0' },
    config: { chains: { max_reorganisation_depth: 3 } },
  })
  key = (await service.makeKey(await service.makeMerchant())).key
  gate = service.app.gates.find('litecoin-test') as Gate
})
afterAll(() => service.stop())

async function send(operation: string, body: object, path: Record<string, string> = {}) {
  const hasBody = Object.keys(body).length > 0
  return call(service.url, operation, { key, path, ...(hasBody && { body: JSON.stringify(body) }) })
}

it('a gate halted by a deep reorganisation resumes from the block the operator names, and its books are right again', async () => {
  const kept = await paidInvoice()
  const lost = await paidInvoice()
  const fork = (await service.app.store.simulatedChains.tip(gate.id)).height - 8n
  await service.app.store.simulatedChains.reorganise(gate.id, 8, [lost.txHash])
  await expect.poll(() => followChain(service.app, gate, { evenIfHeld: true })).toBe('halted')
  const balance = async () => (await send('listBalances', {})).body.data[0].available
  expect(await balance()).toBe('2')

  await expect(resumeChain(service.app, gate, fork)).resolves.toMatchObject({
    height: (await service.app.store.simulatedChains.tip(gate.id)).height,
  })
  await settleGate(service.app, gate)
  const status = async (id: string) => (await send('getInvoice', {}, { invoiceID: id })).body.data.status
  expect([await status(kept.id), await status(lost.id)]).toEqual(['paid', 'pending'])
  expect(await balance()).toBe('1')
  await expect
    .poll(async () => (await send('createInvoice', { currency: 'LTC', amount: '1' })).status)
    .toBe(201)
})

it('a gate that is not halted cannot be resumed', async () => {
  await expect(resumeChain(service.app, gate, 0n)).rejects.toMatchObject({ code: 'conflict' })
})

async function paidInvoice(): Promise<{ id: string; txHash: string }> {
  const { body } = await send('createInvoice', { currency: 'LTC', amount: '1' })
  const { id, deposit_address: address } = body.data
  const paid = await send('createTestDeposit', { address, amount: '1', currency: 'LTC' })
  await send('mineTestBlocks', { network: 'litecoin', count: 6 })
  return { id, txHash: paid.body.data.tx_hash }
}
