import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { exactUnits } from '../../../src/gates/bitcoin/exact-json.ts'
import { describeEachCoin } from '../../support/nodes/each-coin.ts'
import { nodeHarness, openNodeGate } from './harness.ts'

describeEachCoin((coin) => {
  let harness: Awaited<ReturnType<typeof nodeHarness>>
  beforeAll(async () => {
    harness = await nodeHarness(coin)
  })
  beforeEach(() => harness.mine(1))
  afterAll(() => harness.close())

  async function sender() {
    const purse = await harness.purse()
    return (units: bigint, feeTimes: bigint) =>
      harness.gate.broadcast(purse.sign({ to: harness.stranger, units, feeTimes }).signed)
  }

  it('every refusal of a node is explained in our words, not in its own', async () => {
    const send = await sender()
    expect(await send(1_000_000n, 0n)).toMatch(/^Its fee is below what the node currently requires/)
    expect(await send(100n, 2n)).toMatch(/^It pays an amount too small for the network/)
    expect(await send(1_000_000n, 2n)).toBeNull()
    expect(await send(1_000_001n, 2n)).toMatch(/^It must pay a higher fee to replace the pending transaction/)
    await harness.mine(1)
    expect(await send(1_000_001n, 2n)).toMatch(/^A coin that it spends is missing/)
    // Sending the same transaction again is not refused, as long as one of its outputs shows that it is mined.
    expect(await send(1_000_000n, 2n)).toBeNull()
  })

  it('a fee that the operator allows is sent, although nodes by default accept only lower ones', async () => {
    const dear = openNodeGate(coin, { url: harness.node.url }, 'regtest', 100_000n)
    const purse = await harness.purse()
    const { signed } = purse.sign({ to: harness.stranger, units: 10_000n, feeTimes: 8_000n })
    expect(await dear.gate.broadcast(signed)).toBeNull()
    dear.close()
    await harness.mine(1)
  })

  it('a fee above the operator’s limit is refused by the node too', async () => {
    const purse = await harness.purse()
    const { signed } = purse.sign({ to: harness.stranger, units: 10_000n, feeTimes: 8_000n })
    expect(await harness.gate.broadcast(signed)).toMatch(/^The node refused it: .*[Mm]ax/)
  })

  it('the fee rate is the node’s estimate from its own blocks', async () => {
    for (let block = 0; block < 8; block++) {
      for (let paid = 0; paid < 10; paid++)
        await harness.pay([
          { to: harness.stranger, currency: harness.gate.assets[0]?.currency ?? '', units: 1_000_000n },
        ])
      await harness.mine(1)
    }
    const { feerate } = await harness.node.ask('estimatesmartfee', 3)
    const unitsPerThousand = exactUnits(feerate, 8) ?? 0n
    expect(unitsPerThousand).toBeGreaterThan(20_000n)
    expect(await harness.gate.feeRate()).toBe((unitsPerThousand + 999n) / 1_000n)
  })
})
