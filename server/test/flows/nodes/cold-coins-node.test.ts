import { afterEach, beforeEach, expect, it } from 'vitest'
import { auditBooks } from '../../../src/app/audit/audit-books.ts'
import { parseDecimal } from '../../../src/domain/money.ts'
import { type CoinNode, coins } from '../../support/nodes/coin-node.ts'
import { describeMainCoin } from '../../support/nodes/each-coin.ts'
import { type NodeShop, openNodeShop, startPayingNode } from '../../support/nodes/node-shop.ts'
import { coldAttempts, platformBalance, untilColdSent } from '../../support/shop/cold.ts'
import { hurry } from '../../support/shop/money-out.ts'

describeMainCoin((coin) => {
  const { currency } = coins[coin]
  const gateId = `${coin}-test`
  let node: CoinNode
  let stage: NodeShop
  let address: string
  beforeEach(async () => {
    node = await startPayingNode(coin)
    address = await node.ask('getnewaddress', '', 'bech32')
    const wallet = { network: coin, environment: 'test', destination: address }
    const cold = [{ ...wallet, cap: '100.00', keep: '50.00', currency: 'USD' }]
    stage = await openNodeShop(coin, { node, config: { cold } })
  })
  afterEach(async () => {
    await stage?.close()
    await node.close()
  })

  it('what is above the cap arrives at the cold wallet on a real node, and the books say the same', async () => {
    const { shop, service, cli, mine } = stage
    for (const amount of ['4', '6'])
      await cli('sendtoaddress', (await shop.create(stage.of(amount))).deposit_address, amount)
    await mine(2)
    const owed = await shop.balance(currency)
    const sent = await untilColdSent(service, gateId)
    expect(await node.ask('getrawmempool')).toEqual([sent.hash])
    await expect
      .poll(async () => {
        await mine(1)
        await hurry(service)
        return (await coldAttempts(service, gateId)).map(({ status }) => status)
      })
      .toEqual(['final'])
    const arrived = parseDecimal(await cli('getreceivedbyaddress', address, '1'), 8) ?? 0n
    expect(arrived).toBeGreaterThan(0n)
    expect(await platformBalance(service, 'cold', coin, currency)).toBe(-arrived)
    // The fee came out of the coins, and the operator owes it.
    expect(await platformBalance(service, 'float', coin, currency)).toBe(-BigInt(sent.fee))
    expect(await stage.heldInBooks()).toBe(await stage.heldOnChain())
    expect(await shop.balance(currency)).toEqual(owed)
    expect(await auditBooks(service.app)).toEqual({ ok: true, differences: [] })
  })
})
