import { expect } from 'vitest'
import { auditBooks } from '../../../src/app/audit/audit-books.ts'
import { noPolicy } from '../../../src/domain/payout-policy.ts'
import type { KeyPath, SignedTransaction } from '../../../src/domain/spends.ts'
import type { Gate } from '../../../src/gates/gate.ts'
import { openTestWallet } from '../../../src/signer/kept-wallet.ts'
import { openWallet, type Wallet } from '../../../src/signer/wallet.ts'
import { expectSoundBooks } from '../database/books.ts'
import { query } from '../database/database.ts'
import { type FaultyGate, faultyGate } from '../nodes/faulty-gate.ts'
import { patienceMs } from '../patience.ts'
import { currencies } from './registry.ts'
import { startTestService, type TestService } from './service.ts'
import { openShop, quiet, type Shop } from './shop.ts'

const strangersWords = 'legal winner thank year wave sausage worth useful legal winner thank yellow'
let stranger: Promise<Wallet> | null = null
let given = 0

/** An address that was never used before and is not ours. */
export async function newAddress(network: string): Promise<string> {
  stranger ??= openWallet(strangersWords, 'test', currencies)
  const address = (await stranger).addressAt(network, { chain: 'deposit', index: given++ })
  if (address === null) throw new Error(`There are no addresses on ${network}.`)
  return address
}

export function gateOf({ app }: TestService, network: string): Gate {
  const gate = app.gates.find(`${network}-test`)
  if (gate === null) throw new Error(`There is no gate of ${network}.`)
  return gate
}

/** A node of the running service that misbehaves on demand. The bytes it was sent are kept, as hex. */
export type BrokenNode = FaultyGate & { readonly sent: readonly string[]; mend(): void }

/** Puts a faulty node between the service and one of its networks. */
export function breakable(service: TestService, network: string): BrokenNode {
  const gate = gateOf(service, network)
  const { broadcast, fate, feeRate } = gate
  const sent: string[] = []
  const faulty = faultyGate({ ...gate }, { chains: service.app.store.simulatedChains })
  Object.assign(gate, {
    broadcast(transaction: Parameters<Gate['broadcast']>[0]) {
      sent.push(Buffer.from(transaction.bytes).toString('hex'))
      return faulty.gate.broadcast(transaction)
    },
    fate: faulty.gate.fate,
  })
  return { ...faulty, sent, mend: () => Object.assign(gate, { broadcast, fate, feeRate }) }
}

/** Makes every open spend due for a check now. */
export async function hurry({ database }: TestService): Promise<void> {
  // A locked spend is being checked already.
  await query(
    database.url,
    `with hurried as (
       update spends set look_at = clock_timestamp()
       where id in (select id from spends where status = 'open' order by id for update skip locked)
         and look_at > clock_timestamp() returning id
     )
     select pg_notify('signer_answered', '') from hurried limit 1`,
  )
}

/** Returns once the node has been asked this many more times. */
export async function untilAsked(
  service: TestService,
  node: BrokenNode,
  call: 'broadcast' | 'fate',
  times = 2,
  before = node.calls[call],
): Promise<void> {
  await expect
    .poll(
      async () => {
        await hurry(service)
        return node.calls[call] - before
      },
      { interval: 50 },
    )
    .toBeGreaterThanOrEqual(times)
}

/** What has arrived at an address, one entry per mined output. */
export async function arrivals(
  { database }: TestService,
  network: string,
  address: string,
): Promise<{ hash: string; units: bigint; currency: string }[]> {
  const rows = await query(
    database.url,
    `select tx_hash as hash, units::text, currency from simulated_outputs as o
     join simulated_transactions as t on t.gate_id = o.gate_id and t.hash = o.tx_hash
     where t.gate_id = $1 and address = $2 and state = 'mined'`,
    [`${network}-test`, address],
  )
  return rows.map(({ hash, units, currency }) => ({ hash, units: BigInt(units), currency }))
}

/** Every attempt of a payout's spend, oldest first. */
export async function attemptsOf({ database }: TestService, payout: { id: string }) {
  return query(
    database.url,
    `select attempt, plan, t.tx_hash as hash, encode(t.bytes, 'hex') as bytes, max_fee_units::text as fee, refusal, sent_at,
       spends.id as spend_id, spends.status
     from payouts join spends on spends.id = payouts.spend_id join spend_transactions as t on t.spend_id = spends.id
     where payouts.id = $1 order by attempt`,
    [payout.id],
  )
}

/** Returns once the newest attempt of a payout was sent to the network, after any answer. */
export async function untilSent(service: TestService, payout: { id: string }): Promise<void> {
  await expect.poll(async () => (await attemptsOf(service, payout)).at(-1)?.sent_at ?? null).not.toBeNull()
}

/**
 * Returns once an attempt with a higher fee is planned for a payout; nothing is mined meanwhile, which could lower the fee
 * again.
 */
export async function untilRaised(service: TestService, payout: { id: string } | undefined): Promise<void> {
  const attempts = async () => {
    await hurry(service)
    return payout === undefined ? 0 : (await attemptsOf(service, payout)).length
  }
  await expect.poll(attempts).toBeGreaterThanOrEqual(2)
}

/** Mines whenever something waits for blocks, until the payout has the expected status. */
export async function until(shop: Shop, payout: { id: string; network: string }, status: string) {
  const endMs = performance.now() + patienceMs
  while (performance.now() < endMs) {
    const now = await statusOf(shop.service, payout)
    if (now === status) return shop.payout(payout)
    if (now === 'completed' || now === 'failed' || now === 'cancelled') break
    if (await mineForNext(shop, payout.network)) continue
    await hurry(shop.service)
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  throw new Error(`The payout never was ${status}: ${JSON.stringify(await shop.payout(payout))}`)
}

/** Far cheaper than asking the API, which `until` asks in the end. */
async function statusOf({ database }: TestService, { id }: { id: string }): Promise<string> {
  const [row] = await query(database.url, 'select status from payouts where id = $1', [id])
  return row?.status
}

/**
 * Mines what the next change on a network waits for: a block for what is in the mempool, otherwise as many as the deepest of
 * the payments and transactions still lacks. Returns false, and mines nothing, if nothing waits for blocks.
 */
export async function mineForNext(shop: Shop, network: string): Promise<boolean> {
  const { confirmations } = gateOf(shop.service, network).network
  const [row] = await query(
    shop.service.database.url,
    `select case when exists (select from simulated_transactions where gate_id = $1 and state = 'waiting') then 1
      else (
        select least(
          (select min(matures_at) from payments where gate_id = $1 and matures_at > chain.height),
          (select min(t.height) + $2 - 1 from spends join spend_transactions on spend_id = spends.id
           join simulated_transactions as t on t.gate_id = spends.gate_id and t.hash = tx_hash and t.state = 'mined'
           where spends.gate_id = $1 and status = 'open' and t.height + $2 - 1 > chain.height)
        ) - chain.height from simulated_chains as chain where gate_id = $1
      ) end::integer as blocks`,
    [`${network}-test`, confirmations],
  )
  if (row?.blocks === null) return false
  await shop.mine(row?.blocks, network)
  return true
}

/** Waits until no spend of ours is open: a payout may complete before the sweep that funded it has settled. */
export async function untilSettled(service: TestService, network: string): Promise<void> {
  await expect
    .poll(async () => {
      await hurry(service)
      return query(service.database.url, `select id from spends where gate_id = $1 and status = 'open'`, [
        `${network}-test`,
      ])
    })
    .toEqual([])
}

/** Requests a payout to a new address and has it approved. */
export async function payOutTo(
  shop: Shop,
  network: string,
  json: { currency: string; amount: string; destination?: string; destination_tag?: string },
) {
  const destination = json.destination ?? (await newAddress(network))
  const tag = network === 'xrp' ? { destination_tag: '7' } : {}
  const payout = await shop.payOut({ network, destination, ...tag, ...json })
  expect((await shop.approve(payout)).status).toBe(200)
  return payout
}

/**
 * Signs a transfer of native currency from one of our accounts without the service's knowledge, as if the seed had leaked.
 */
export async function signOutside(
  service: TestService,
  network: string,
  { key, to, units }: { key: KeyPath; to: { address: string; tag: null }; units: bigint },
): Promise<SignedTransaction> {
  const gate = gateOf(service, network)
  const { dataDir } = service
  const wallet = await openTestWallet(service.app, { dataDir, log: { info: () => {}, warn: () => {} } })
  const address = wallet?.addressAt(network, key) ?? null
  const asset = gate.assets.find(({ contractAddress }) => contractAddress === null)
  if (wallet === null || address === null || asset === undefined || gate.spending.kind !== 'account')
    throw new Error(`Nothing can be signed on ${network}.`)
  return wallet.sign(network, {
    kind: 'account',
    from: { address, key },
    nonce: await gate.nextNonce(address),
    to,
    units,
    currency: asset.currency,
    contractAddress: null,
    payoutId: null,
    gasLimit: gate.spending.gasOf(asset),
    gasPrice: await gate.feeRate(),
  })
}

/** Approves payouts so that none is due before all are. */
export async function approveTogether(shop: Shop, payouts: readonly { id: string }[]): Promise<void> {
  const { app, database } = shop.service
  const owner = { merchantId: shop.merchantId, environment: 'test' } as const
  await app.store.payoutPolicies.set(owner, { ...noPolicy, coolingOffSeconds: 3600 })
  for (const payout of payouts) expect((await shop.approve(payout)).status).toBe(200)
  await app.store.payoutPolicies.set(owner, noPolicy)
  await query(
    database.url,
    `with due as (update payouts set executable_at = clock_timestamp() where id = any($1) returning id)
     select pg_notify('payout_approved', '') from due limit 1`,
    [payouts.map(({ id }) => id)],
  )
}

/** A service with a hot wallet on Ethereum that holds funds, so that a payout there is one transaction. */
export async function startWithHotFunds(config: object): Promise<TestService> {
  const service = await startTestService({ ...quiet, config: { ...quiet.config, ...config } })
  const shop = await openShop(service)
  await shop.fund('5', 'ETH', 'ethereum')
  await until(shop, await payOutTo(shop, 'ethereum', { currency: 'ETH', amount: '0.01' }), 'completed')
  return service
}

/** Everything that the books guarantee, including what is on chain. */
export async function expectCleanBooks(service: TestService): Promise<void> {
  await expectSoundBooks(service.database.url)
  expect(await auditBooks(service.app)).toEqual({ ok: true, differences: [] })
}
