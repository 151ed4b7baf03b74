import type { App } from '../../src/app/app.ts'
import { parseDecimal } from '../../src/domain/money.ts'
import type { GateId } from '../../src/domain/networks/network.ts'
import { hotAddressOf } from '../../src/gates/gate.ts'
import { settleGate } from '../../src/simulator/helpers/settle-gate.ts'
import { createMint, type Executor } from '../gates/solana/executor.ts'
import { validatorExecutor } from '../gates/solana/validator.ts'
import type { Random } from '../simulation/random.ts'
import { type FaultProxy, startFaultProxy } from '../support/nodes/fault-proxy.ts'
import { type SolanaNode, startSolanaNode } from '../support/nodes/solana-node.ts'
import { patienceMs } from '../support/patience.ts'
import { confirmations } from './networks.ts'
import { followNode, invoicesOf, withNode } from './node-scenario.ts'
import { makePlace } from './place.ts'
import { ask, type Funded, type Wanted } from './scenario.ts'

export const solanaGateId: GateId = 'solana-test'

/** A node with a token, on which every run has a wallet of its own: the node cannot go back. */
export type SolanaStage = {
  readonly node: SolanaNode
  /** The service's way to the node. */
  readonly proxy: FaultProxy
  readonly executor: Executor
  readonly mint: string
  give(owner: string, units: bigint): Promise<void>
  close(): Promise<void>
}

/** A merchant with deposits on a real node, and a hot wallet that has SOL and no nonce account. */
export type FundedOnSolana = Funded & {
  readonly stage: SolanaStage
  /** All lamports that the wallet was ever given, by SOL address. */
  readonly given: ReadonlyMap<string, bigint>
}

export const decimals = { SOL: 9, USDC: 6 } as const
type OnSolana = keyof typeof decimals
const funds = { SOL: ['3', '2'], USDC: ['300', '200'] } as const
const floatUnits = 10n ** 9n
// The signer refuses payouts of more.
const perPayout = '2.5'
const slotMs = 150

export async function openSolanaStage(): Promise<SolanaStage> {
  const node = await startSolanaNode(slotMs)
  const proxy = await startFaultProxy(node.url)
  const executor = validatorExecutor(node)
  const { token, give } = await createMint(executor, 'token', decimals.USDC)
  return {
    node,
    proxy,
    executor,
    mint: token.mint,
    give,
    async close() {
      await proxy.close()
      await node.close()
    },
  }
}

/** A new place with a new wallet. */
export async function fundOnSolana(stage: SolanaStage): Promise<FundedOnSolana> {
  const { proxy, executor, mint, give } = stage
  const gate = {
    network: 'solana',
    environment: 'test',
    kind: 'solana',
    rpc_url: proxy.url,
    cluster: 'localnet',
    tokens: [{ code: 'USDC', contract: mint, decimals: decimals.USDC }],
  }
  const { bitcoin, ethereum } = confirmations
  const place = await makePlace(undefined, {
    gates: [gate],
    // Only final blocks count.
    confirmations: { bitcoin, ethereum },
    payouts: { sweep_max_cost_bps: 0 },
    signer: { limits: [{ network: 'solana', currency: 'SOL', per_payout: perPayout }] },
  })
  await followNode(place, solanaGateId)
  return withNode(place, solanaGateId, async (app, node) => {
    const { caller, invoices } = await invoicesOf(app, funds)
    const given = new Map<string, bigint>()
    const fund = async (address: string, units: bigint) => {
      await executor.fund(address, units)
      given.set(address, units)
    }
    for (const currency of ['SOL', 'USDC'] as const)
      for (const [at, { asset }] of invoices[currency].entries()) {
        const units = parseDecimal(funds[currency][at] ?? '', decimals[currency]) as bigint
        const to = asset?.depositAddress ?? ''
        await (currency === 'SOL' ? fund(to, units) : give(to, units))
      }
    await fund(hotAddressOf(node) ?? '', floatUnits)
    const ids = Object.values(invoices).flatMap((all) => all.map(({ id }) => id))
    const arePaid = async () => {
      const found = await Promise.all(ids.map((id) => app.store.invoices.find(caller, id)))
      return found.every((invoice) => invoice?.status === 'paid')
    }
    // The chain goes on meanwhile: on a busy machine its newest block may stay out of reach.
    const endMs = performance.now() + patienceMs
    while (!(await arePaid())) {
      if (performance.now() > endMs) throw new Error('The deposits are not seen.')
      await settleGate(app, node)
    }
    return { place, caller, invoices, stage, given }
  })
}

/** Payouts that need sweeps of both currencies, small ones between them, one that the signer refuses, and a refund. */
export async function askManyOnSolana(app: App, funded: Funded, random: Random): Promise<Wanted[]> {
  const wanted: Wanted[] = []
  const pay = async (currency: OnSolana, amount: string, options = {}) => {
    wanted.push(await ask(app, funded, random, currency, amount, options))
  }
  await pay('SOL', `1.${random.between(1, 9)}`)
  for (let more = random.between(1, 2); more > 0; more--) await pay('SOL', `0.${random.between(11, 14)}`)
  if (random.bool(0.5)) await pay('SOL', '2.6', { isRefused: true })
  for (let more = random.between(1, 2); more > 0; more--) await pay('USDC', String(random.between(40, 160)))
  for (let more = random.between(1, 2); more > 0; more--) await pay('USDC', String(random.between(11, 14)))
  const refunds = { SOL: '0.05', USDC: '20.25' } as const
  const refunded = random.pick<OnSolana>(['SOL', 'USDC'])
  await pay(refunded, refunds[refunded], { isRefund: true })
  return wanted
}
