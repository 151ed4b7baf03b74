import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Transfer } from '../../../src/domain/chain.ts'
import { keyOn } from '../../simulator/gate/plans.ts'
import { type AnvilHarness, anvilHarness, openEvmGate } from './harness.ts'
import { ether } from './traits.ts'

let harness: AnvilHarness
let gate: ReturnType<typeof openEvmGate>
let batch: string
let feeToken: string
let next = 0
beforeAll(async () => {
  harness = await anvilHarness(ether, { payers: 20 })
  const { payers } = harness
  batch = await payers.deploy('BatchSender')
  feeToken = await payers.deploy('FeeToken', [10n ** 30n])
  for (const token of [payers.tokens[0] as string, feeToken])
    await payers.send(token, payers.call('PlainToken', 'approve', [batch, 10n ** 30n]))
  await harness.mine(1)
  gate = openEvmGate([harness.node.url], [payers.tokens[0] as string, feeToken])
})
afterAll(async () => {
  gate.close()
  await harness.close()
})

const fresh = () => harness.deposit(next++)

async function newest(...addresses: { address: string; tag: string | null }[]): Promise<readonly Transfer[]> {
  const { height } = await gate.gate.tip()
  return (await gate.gate.block(height, harness.watch(addresses)))?.transfers ?? []
}

it('each transfer of a call has its own lasting index, also if it pays two of our addresses and one of them twice', async () => {
  const { payers } = harness
  const [first, second] = [fresh(), fresh()]
  const to = [first, second, first, harness.stranger].map(({ address }) => address)
  const data = payers.call('BatchSender', 'sendTokens', [payers.tokens[0], to, [1n, 2n, 3n, 4n]])
  const hash = await payers.send(batch, data)
  await harness.mine(1)
  const seen = await newest(first, second)
  expect(seen.map(({ units }) => units).sort()).toEqual([1n, 2n, 3n])
  expect(new Set(seen.map(({ txHash }) => txHash))).toEqual(new Set([hash]))
  expect(new Set(seen.map(({ outputIndex }) => outputIndex)).size).toBe(3)
  for (const { outputIndex } of seen) expect(outputIndex).toBeLessThan(2 ** 31)
  expect(await newest(first, second)).toEqual(seen)
  await harness.reorganise(1, { others: 'next_height' })
  expect(await newest(first, second)).toEqual(seen)
})

it('a token that charges a fee counts for what arrived, and its index is not that of a full transfer', async () => {
  const { payers } = harness
  const to = fresh()
  await payers.send(feeToken, payers.call('FeeToken', 'transfer', [to.address, 1_000n]))
  await harness.mine(1)
  const [transfer, ...more] = await newest(to)
  const held = await harness.node.ask('eth_call', {
    to: feeToken,
    data: payers.call('FeeToken', 'balanceOf', [to.address]),
  })
  expect(more).toEqual([])
  expect(transfer).toMatchObject({ currency: 'USDC', units: BigInt(held) })
  expect(BigInt(held)).toBeLessThan(1_000n)
  expect(transfer?.outputIndex).not.toBe(0)
})

it('a simulation measures what would arrive, and only a token that keeps a share is refused', async () => {
  const { payers, stranger } = harness
  const from = fresh()
  const tokens = [payers.tokens[0] as string, feeToken]
  for (const token of tokens)
    await payers.send(token, payers.call('PlainToken', 'transfer', [from.address, 1_000n]))
  await harness.mine(1)
  const simulated = tokens.map((contract) => {
    const asset = gate.gate.assets.find(
      (each) => each.contractAddress?.toLowerCase() === contract.toLowerCase(),
    )
    if (asset === undefined) throw new Error(`${contract} is not listed`)
    return gate.gate.simulateTransfer?.(from.address, stranger.address, asset, 900n)
  })
  const [plain, withFee] = await Promise.all(simulated)
  expect(plain).toMatchObject({ gas: expect.any(BigInt) })
  expect(withFee).toEqual({ refused: expect.stringMatching(/of \S+9 sent, \S+891 would arrive/) })
})

it('a payment counts in full even if its address sends tokens in the same block', async () => {
  const { payers, node } = harness
  const [token] = payers.tokens as [string]
  const to = fresh()
  await payers.pay({ to: to.address, contractAddress: null, units: 10n ** 18n })
  await payers.pay({ to: to.address, contractAddress: token, units: 70n })
  await harness.mine(1)
  const { signed } = signTokens(to.address, next - 1, token, 60n)
  await payers.pay({ to: to.address, contractAddress: token, units: 50n })
  await node.ask('eth_sendRawTransaction', `0x${Buffer.from(signed.bytes).toString('hex')}`)
  await harness.mine(1)
  const { transactions } = await node.ask('eth_getBlockByNumber', 'latest', false)
  expect(transactions).toHaveLength(2)
  expect(await newest(to)).toMatchObject([{ currency: 'USDT', units: 50n, outputIndex: 0 }])
})

function signTokens(address: string, index: number, contractAddress: string, units: bigint) {
  const key = { chain: 'deposit' as const, index }
  const plan = {
    kind: 'account' as const,
    from: { address, key },
    nonce: 0n,
    to: harness.stranger,
    currency: 'USDT',
    contractAddress,
    units,
    gasLimit: 200_000n,
    gasPrice: 10n,
    payoutId: null,
  }
  return {
    signed: gate.gate.sign({ ...plan, contractAddress: canonical(contractAddress) }, keyOn('ethereum')),
  }
}

function canonical(contract: string): string {
  const asset = gate.gate.assets.find(
    ({ contractAddress }) => contractAddress?.toLowerCase() === contract.toLowerCase(),
  )
  return asset?.contractAddress as string
}

it('a forged event of an outgoing transfer does not make a payment larger', async () => {
  const { payers } = harness
  const to = fresh()
  const [token] = payers.tokens as [string]
  await payers.pay({ to: to.address, contractAddress: token, units: 5n })
  // A transfer of nothing from that address, with an event that says so: anyone can do that.
  await payers.send(token, payers.call('PlainToken', 'transferFrom', [to.address, ether, 0n]))
  await harness.mine(1)
  expect(await newest(to)).toMatchObject([{ units: 5n, outputIndex: 0 }])
})
