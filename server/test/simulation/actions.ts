import { activateInvoice } from '../../src/app/invoices/activate-invoice.ts'
import { cancelInvoice } from '../../src/app/invoices/cancel-invoice.ts'
import { invoiceCreator } from '../../src/app/invoices/create-invoice.ts'
import { createAddress } from '../../src/app/static-addresses/create-address.ts'
import { ServiceError } from '../../src/domain/errors.ts'
import type { Invoice } from '../../src/domain/invoices.ts'
import { formatDecimal } from '../../src/domain/money.ts'
import { keychainOf } from '../../src/domain/networks/network.ts'
import { sql } from '../../src/store/sql.ts'
import type { Output } from './chain.ts'
import { nonEmpty } from './random.ts'
import { chainOf, type NetworkId } from './stage.ts'
import { gateOf, requiredConfirmations, type Simulation, type Target } from './state.ts'

const deepest = 30
const request = {
  currency: null,
  network: null,
  amount: null,
  amountFiat: null,
  fiatCurrency: null,
  deferred: null,
  description: null,
  externalId: null,
  metadata: null,
  redirectUrl: null,
  expiresIn: null,
  idempotencyKey: null,
}

/** What merchants do. */
export async function makeInvoice(simulation: Simulation): Promise<void> {
  const { random, networks, outside, merchants } = simulation
  const merchant = random.pick(nonEmpty(merchants) ?? fail())
  const create = invoiceCreator(outside.app)
  if (random.bool(0.15)) {
    const asked = {
      ...request,
      amountFiat: String(random.between(5, 500)),
      fiatCurrency: 'USD',
      deferred: true,
    }
    const { invoice } = await create(merchant, asked, {})
    simulation.deferred.push({ id: invoice.id, merchant })
    return
  }
  const network = random.pick(networks)
  const asset = random.pick(nonEmpty(gateOf(outside, network).assets) ?? fail())
  // Amounts that no basis points divide evenly, so that every rounding error shows.
  const units = asset.minUnits * BigInt(random.between(1, 50)) + BigInt(random.below(9_999))
  const amount = formatDecimal(units, asset.decimals)
  const { invoice } = await create(merchant, { ...request, currency: asset.currency, network, amount }, {})
  remember(simulation, invoice, merchant)
}

export async function pickAsset(simulation: Simulation): Promise<void> {
  const { random, deferred, networks, outside } = simulation
  if (deferred.length === 0) return
  const [{ id, merchant }] = deferred.splice(random.below(deferred.length), 1) as [Simulation['deferred'][0]]
  const network = random.pick(networks)
  const { currency } = random.pick(nonEmpty(gateOf(outside, network).assets) ?? fail())
  const invoice = await refusable(() =>
    activateInvoice(outside.app, { merchantId: merchant.merchantId, environment: 'test' }, id, {
      currency,
      network,
    }),
  )
  if (invoice !== null) remember(simulation, invoice, merchant)
}

export async function makeStaticAddress(simulation: Simulation): Promise<void> {
  const { random, networks, outside, merchants } = simulation
  const merchant = random.pick(nonEmpty(merchants) ?? fail())
  const network = random.pick(networks)
  const asset = random.pick(nonEmpty(gateOf(outside, network).assets) ?? fail())
  const made = await createAddress(outside.app, merchant, { currency: asset.currency, network, label: null })
  const { id, currency, address, addressTag: tag } = made
  simulation.targets.push({
    kind: 'static_address',
    id,
    merchant,
    network,
    currency,
    units: asset.minUnits * 7n,
    address,
    tag,
  })
}

export async function cancel(simulation: Simulation): Promise<void> {
  const target = anyInvoice(simulation)
  if (target === null) return
  const done = await refusable(() => cancelInvoice(simulation.outside.app, target.merchant, target.id))
  if (done !== null) simulation.cancelled.add(target.id)
}

/** Ends the window of an invoice now, as the clock would in half an hour. */
export async function endWindow(simulation: Simulation): Promise<void> {
  const target = anyInvoice(simulation)
  if (target === null) return
  await simulation.outside.app.transaction(async (tx) => {
    const held = await tx.invoices.lock(target.merchant, target.id)
    if (held === null) return
    const { status, expiresAt } = held.invoice
    const isOpen = status === 'pending' || status === 'underpaid'
    if (isOpen && expiresAt !== null && expiresAt > held.now) await tx.invoices.endWindow(target.id)
  })
}

/** What payers do. */
export async function pay(simulation: Simulation): Promise<void> {
  const { random, networks } = simulation
  const target =
    nonEmpty(simulation.targets) === null ? null : random.pick(nonEmpty(simulation.targets) ?? fail())
  if (target === null || random.bool(0.06)) {
    const network = random.pick(networks)
    return void (await send(simulation, network, [await strayOutput(simulation, network)]))
  }
  const outputs = [outputTo(simulation, target)]
  const beside = nonEmpty(simulation.targets.filter(({ network }) => network === target.network))
  if (beside !== null && random.bool(0.2)) outputs.push(outputTo(simulation, random.pick(beside)))
  // Every EVM network has the same addresses, and not every payer knows which network was meant.
  const strays =
    target.network === 'ethereum' && outputs.every(({ currency }) => currency === 'USDT') && random.bool(0.1)
  await send(simulation, strays ? 'bsc' : target.network, outputs)
}

/** Spends the same coin with a higher fee: the same payment again, another one, or one to a stranger. */
export async function replace(simulation: Simulation): Promise<void> {
  const { random, sent, targets } = simulation
  const earlier = nonEmpty(sent.slice(-8))
  if (earlier === null) return
  const { network, transaction } = random.pick(earlier)
  const same = nonEmpty(targets.filter((target) => target.network === network))
  const outputs =
    same !== null && random.bool(0.7)
      ? [outputTo(simulation, random.pick(same))]
      : [{ address: 'stranger', tag: null, currency: firstCurrency(simulation, network), units: 1n }]
  const { coin, fee } = transaction
  await send(simulation, network, outputs, { coin, fee: fee + BigInt(random.below(3)) })
}

export async function dropWaiting(simulation: Simulation): Promise<void> {
  const earlier = nonEmpty(simulation.sent.slice(-8))
  if (earlier === null) return
  const { network, transaction } = simulation.random.pick(earlier)
  chainOf(simulation.chains, network).drop(transaction)
}

/** What miners do. */
export async function mine(simulation: Simulation): Promise<void> {
  const { random, networks, chains } = simulation
  const network = random.pick(networks)
  const count = random.bool(0.5) ? requiredConfirmations[network] + random.below(2) : random.between(1, 3)
  chainOf(chains, network).mine(count, random.bool(0.15) ? random.below(2) : 100)
}

export async function reorganise(simulation: Simulation): Promise<void> {
  const { random, networks, chains } = simulation
  const network = random.pick(networks)
  const chain = chainOf(chains, network)
  const shallow = requiredConfirmations[network] + 2
  const depth = random.between(1, random.bool(0.7) ? shallow : deepest)
  const others = random.weighted({ same_height: 3, next_height: 2, mempool: 3 })
  const dropped = chain.above(depth).filter(() => random.bool(0.25))
  // A branch wins by its proof of work: it may be as high as the old one, or lower.
  const growth = random.weighted({ '1': 6, '2': 2, '0': 2, '-1': 1 })
  chain.reorganise(depth, dropped, others, depth > 1 ? Number(growth) : 1)
}

function outputTo(simulation: Simulation, target: Target): Output {
  const { random } = simulation
  const { address, tag, units } = target
  const assets = gateOf(simulation.outside, target.network).assets
  const kind = random.weighted({ exact: 8, short: 4, rest: 2, nearly: 3, over: 3, dust: 1, other: 1, tag: 1 })
  if (kind === 'other') {
    const other = random.pick(nonEmpty(assets) ?? fail())
    return { address, tag, currency: other.currency, units: other.minUnits }
  }
  if (kind === 'tag' && tag !== null)
    return { address, tag: random.bool(0.5) ? null : '4000000000', currency: target.currency, units }
  const dust = assets.find(({ currency }) => currency === target.currency)?.dustUnits ?? 1n
  const share = (percent: number) => (units * BigInt(percent)) / 100n
  const paid = {
    exact: units,
    tag: units,
    short: share(random.between(20, 95)),
    rest: share(100 - random.between(20, 95)),
    nearly: share(99) + 1n,
    over: share(random.between(101, 250)),
    dust: dust - 1n,
  }[kind]
  return { address, tag, currency: target.currency, units: paid < 1n ? 1n : paid }
}

/** Pays an address of ours that was not given out yet, on networks with tags with its tag. */
async function strayOutput(simulation: Simulation, network: NetworkId): Promise<Output> {
  const gate = gateOf(simulation.outside, network)
  const rows = await sql<{ address: string; tag: string }>`
    select address, tag from deposit_addresses where keychain = ${keychainOf(gate.network, 'test')}
    order by position desc limit 1`.rows(simulation.outside.process.db)
  const [{ address, tag }] = rows as [{ address: string; tag: string }]
  const asset = simulation.random.pick(nonEmpty(gate.assets) ?? fail())
  return { address, tag: tag === '' ? null : tag, currency: asset.currency, units: asset.minUnits }
}

async function send(
  simulation: Simulation,
  network: NetworkId,
  outputs: readonly Output[],
  spend?: { coin: string; fee: bigint },
): Promise<void> {
  const { random, outside, chains, sent } = simulation
  // Only its hash is needed: nothing on these chains is spent, and strangers have no real addresses.
  const { hash } = gateOf(outside, network).simulated?.makeTransaction([]) ?? fail()
  const coin = spend?.coin ?? random.bytes(8).toString('hex')
  const fee = spend?.fee ?? BigInt(random.between(1, 20))
  const transaction = chainOf(chains, network).submit(hash, coin, fee, outputs)
  if (transaction !== null) sent.push({ network, transaction })
}

function firstCurrency(simulation: Simulation, network: NetworkId): string {
  return gateOf(simulation.outside, network).assets[0]?.currency ?? fail()
}

function remember(simulation: Simulation, invoice: Invoice, merchant: Target['merchant']): void {
  const { id, asset } = invoice
  if (asset === null) return
  simulation.targets.push({
    kind: 'invoice',
    id,
    merchant,
    network: asset.network as NetworkId,
    currency: asset.currency,
    units: asset.amountUnits,
    address: asset.depositAddress,
    tag: asset.depositAddressTag,
  })
}

function anyInvoice(simulation: Simulation): Target | null {
  const invoices = nonEmpty(simulation.targets.filter(({ kind }) => kind === 'invoice'))
  return invoices === null ? null : simulation.random.pick(invoices)
}

/** Null if the service refuses, which it may. */
async function refusable<T>(work: () => Promise<T>): Promise<T | null> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof ServiceError) return null
    throw error
  }
}

function fail(): never {
  throw new Error('There is nothing to choose from.')
}
