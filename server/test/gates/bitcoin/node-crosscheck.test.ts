import { hex } from '@scure/base'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { formatFixed } from '../../../src/domain/money.ts'
import type { CoinPlan } from '../../../src/domain/spends.ts'
import { bitcoinKey } from '../../../src/gates/bitcoin/account-key.ts'
import { addressIn, coinNetworks, coins } from '../../support/nodes/coin-node.ts'
import { describeMainCoin } from '../../support/nodes/each-coin.ts'
import { addressOf, chains, seed } from './addresses.ts'
import { nodeHarness } from './harness.ts'

describeMainCoin((coin) => {
  let harness: Awaited<ReturnType<typeof nodeHarness>>
  beforeAll(async () => {
    harness = await nodeHarness(coin)
  })
  afterAll(() => harness.close())

  it('a real node reads every transaction that we sign as intended, and would relay it', async () => {
    const { gate, node } = harness
    const { spending } = gate
    const chain = chains.find((each) => each.coin === coin && each.chain === 'regtest')
    if (chain === undefined || spending.kind !== 'coins')
      throw new Error('Both networks have coins and a regtest chain.')
    // Coins on deposit addresses of ours.
    const units = 20_000_000n
    const inputs: CoinPlan['inputs'][number][] = []
    for (let index = 0; index < 6; index++)
      inputs.push({
        txHash: await harness.pay([{ to: harness.deposit(index), currency: coins[coin].currency, units }]),
        outputIndex: 0,
        units,
        key: { chain: 'deposit', index },
      })
    await harness.mine(1)

    const payouts = fc.array(
      fc.record({ to: addressOf(chain), units: fc.bigInt({ min: 10_000n, max: 1_000_000n }) }),
      { minLength: 1, maxLength: 12 },
    )
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(fc.nat(5), { minLength: 1, maxLength: 6 }),
        payouts,
        fc.nat(1_000),
        fc.bigInt({ min: 2n, max: 50n }),
        async (taken, paid, changeIndex, feeRate) => {
          const used = taken.map((at) => inputs[at] as CoinPlan['inputs'][number])
          const change = spending.changeAddress(changeIndex)
          const size = spending.sizeOf(used.length, [...paid.map(({ to }) => to.address), change])
          const feeUnits = feeRate * size
          const left = units * BigInt(used.length) - paid.reduce((sum, each) => sum + each.units, feeUnits)
          const outputs = [
            ...paid.map(({ to, units: amount }, at) => ({
              address: to.address,
              units: amount,
              payoutId: `${at}`,
            })),
            { address: change, units: left, payoutId: null },
          ]
          const plan: CoinPlan = {
            kind: 'coins',
            inputs: used,
            outputs,
            feeUnits,
            change: { outputIndex: paid.length, index: changeIndex },
          }
          const { hash, bytes } = gate.sign(plan, (path) =>
            bitcoinKey(seed, coinNetworks[coin], 'regtest', path),
          )
          const raw = hex.encode(bytes)
          const read = await node.ask('decoderawtransaction', raw)
          expect(read.txid).toBe(hash)
          expect(BigInt(read.vsize)).toBeLessThanOrEqual(size)
          expect(read.vin.map(({ txid, vout }: { txid: string; vout: number }) => [txid, vout])).toEqual(
            used.map(({ txHash, outputIndex }) => [txHash, outputIndex]),
          )
          expect(
            read.vout.map(({ value, scriptPubKey }: { value: string; scriptPubKey: object }) => [
              addressIn(scriptPubKey),
              value,
            ]),
          ).toEqual(outputs.map(({ address, units: amount }) => [address, formatFixed(amount, 8)]))
          expect(await node.ask('testmempoolaccept', [raw])).toMatchObject([{ txid: hash, allowed: true }])
        },
      ),
      { numRuns: 40 },
    )
  })
})
