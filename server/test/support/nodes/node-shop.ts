import { expect } from 'vitest'
import type { GateId } from '../../../src/domain/networks/network.ts'
import { exactUnits } from '../../../src/gates/bitcoin/exact-json.ts'
import { query, type TestDatabase } from '../database/database.ts'
import { eventually } from '../servers/hook-receiver.ts'
import { gateOf, hurry } from '../shop/money-out.ts'
import { startTestService, type TestService } from '../shop/service.ts'
import { openShop, quiet, type Shop, settle } from '../shop/shop.ts'
import { type Coin, type CoinNode, coins, startCoinNode } from './coin-node.ts'

/** The service with a coin on a real node whose wallet has funds, and a merchant. */
export type NodeShop = {
  readonly node: CoinNode
  readonly gateId: GateId
  /** An amount of the coin, as a request names it. */
  of(amount: string): { currency: string; network: Coin; amount: string }
  readonly service: TestService
  readonly shop: Shop
  cli: CoinNode['cli']
  /** Mines, and returns once everything that results is visible. */
  mine(count: number): Promise<void>
  settle(): Promise<void>
  /** Has a payout approved, and mines until it has the expected status. */
  untilPaidOut(payout: { id: string }, status?: string): Promise<Awaited<ReturnType<Shop['payout']>>>
  /** The node's total for all our addresses, in units. */
  heldOnChain(): Promise<bigint>
  /** The ledger's total. */
  heldInBooks(): Promise<bigint>
  close(): Promise<void>
}

/** The gate as an operator configures it. */
export function gateConfig(coin: Coin, url: string, more: object = {}) {
  return {
    network: coin,
    environment: 'test',
    kind: 'bitcoin',
    rpc_url: url,
    chain: 'regtest',
    ...more,
  }
}

/** A node whose wallet has some spendable coins. */
export async function startPayingNode(coin: Coin, ...settings: readonly string[]): Promise<CoinNode> {
  const node = await startCoinNode(coin, ...settings)
  await node.ask('createwallet', 'payer')
  await node.ask('generatetoaddress', 2, await node.ask('getnewaddress'))
  await node.mine(100)
  return node
}

export async function openNodeShop(
  coin: Coin,
  options: {
    readonly gate?: object
    readonly config?: object
    readonly url?: (node: CoinNode) => Promise<string>
    readonly env?: Record<string, string>
    /** A node that belongs to the caller, as `startPayingNode` starts it. */
    readonly node?: CoinNode
    /** A database that belongs to the caller. */
    readonly database?: TestDatabase
  } = {},
): Promise<NodeShop> {
  const node = options.node ?? (await startPayingNode(coin))
  const gateId = `${coin}-test` as const
  const closeNode = async () => (options.node === undefined ? node.close() : undefined)
  const gates = [
    gateConfig(coin, (await options.url?.(node)) ?? node.url, { confirmations: 2, ...options.gate }),
  ]
  const service = await startTestService({
    ...quiet,
    ...(options.database !== undefined && { database: options.database }),
    env: { ...quiet.env, ...options.env },
    config: { ...quiet.config, ...options.config, gates },
  }).catch(async (error: unknown) => {
    await closeNode()
    throw error
  })
  await eventually(() => expect(service.app.gates.isOnline(gateId)).toBe(true))
  const shop = await openShop(service)

  async function mine(count: number): Promise<void> {
    await node.mine(count)
    await settle(service, gateId)
  }

  return {
    node,
    service,
    shop,
    mine,
    gateId,
    of: (amount) => ({ currency: coins[coin].currency, network: coin, amount }),
    settle: () => settle(service, gateId),
    cli: node.cli,
    async untilPaidOut(payout, status = 'completed') {
      await expect
        .poll(
          async () => {
            const now = await shop.payout(payout)
            if (now.status === 'processing' && (await node.ask('getrawmempool')).length > 0) await mine(2)
            await hurry(service)
            return now.status
          },
          { interval: 50 },
        )
        .toBe(status)
      return shop.payout(payout)
    },
    async heldOnChain() {
      const gate = gateOf(service, coin)
      if (gate.spending.kind !== 'coins') throw new Error('These networks have coins.')
      const { changeAddress } = gate.spending
      const rows = await query(
        service.database.url,
        'select address from deposit_addresses where keychain = $1',
        [gate.keychain],
      )
      const own = Array.from({ length: 20 }, (_, index) => changeAddress(index))
      const places = [...rows.map(({ address }) => address), ...own].map((address) => `addr(${address})`)
      // As text: a float is not exact to the unit.
      const found = await node.cli('scantxoutset', 'start', JSON.stringify(places))
      return exactUnits(/"total_amount": ([0-9.]+)/.exec(found)?.[1], 8) as bigint
    },
    async heldInBooks() {
      const [row] = await query(
        service.database.url,
        `select coalesce(sum(-balance_units), 0)::text as units from ledger_accounts
         where kind = 'chain' and network = $1`,
        [coin],
      )
      return BigInt(row?.units)
    },
    async close() {
      await service.stop()
      await closeNode()
    },
  }
}
