import { depthOf, paymentDepth } from '../../domain/confirmations.ts'
import { uuidv7 } from '../../domain/ids.ts'
import { type Invoice, nothingPaid } from '../../domain/invoices.ts'
import type { SuspenseReason } from '../../domain/suspense.ts'
import { type Gate, type GateAsset, hotAddressOf } from '../../gates/gate.ts'
import type { AddressOwner } from '../../store/addresses/address-owners.ts'
import type { AddressHolder, NewPayment, Touched } from '../../store/invoices/payments.ts'
import type { Store } from '../../store/store.ts'
import type { App } from '../app.ts'
import { confirming } from '../invoices/create-invoice.ts'
import { inBaseCurrency } from '../rates/price.ts'
import { settleChoices } from './settle-choices.ts'
import { placeName, type Sighting } from './sightings.ts'

/**
 * Finds the owner of each new transfer and inserts it as a payment: of an invoice, of a new invoice for a deposit to a
 * static address, or in suspense with the reason.
 */
export async function attribute(
  app: App,
  tx: Store,
  gate: Gate,
  fresh: readonly Sighting[],
  now: Date,
): Promise<Touched[]> {
  if (fresh.length === 0) return []
  const found = await tx.addressOwners.find(gate.keychain, fresh)
  const own = await changeAddresses(tx, gate, fresh)
  const credited = fresh.filter(
    (sighting) => own.has(sighting.address) || isOurs(app, gate, sighting, found.get(placeName(sighting))),
  )
  const owners = await settleChoices(app, tx, gate, credited, found)
  const staked = stakes(credited)
  const nowOf = await clocksOf(tx, gate, owners, now)
  const invoices: Invoice[] = []
  const payments: NewPayment[] = []
  for (const sighting of credited) {
    const asset = gate.assets.find(({ currency }) => currency === sighting.currency)
    if (asset === undefined)
      throw new Error(`${gate.id} reported ${sighting.currency}, which it does not have.`)
    const owner = owners.get(placeName(sighting)) ?? null
    const reason = own.has(sighting.address) ? 'recovered' : suspenseReason(gate, asset, sighting, owner)
    const stakedUnits = staked.get(stakeName(sighting)) ?? sighting.units
    let invoiceId = reason === null ? (owner?.invoice?.id ?? null) : null
    if (reason === null && owner?.staticAddress) {
      const invoice = await depositInvoice(
        app,
        gate,
        { ...owner, ...owner.staticAddress },
        asset,
        sighting,
        stakedUnits,
        nowOf(owner.staticAddress.merchantId),
      )
      invoices.push(invoice)
      invoiceId = invoice.id
    }
    payments.push({
      ...sighting,
      id: uuidv7(app.now()),
      environment: gate.environment,
      network: gate.network.id,
      decimals: asset.decimals,
      invoiceId,
      suspenseReason: reason,
      // What is in suspense is the operator's to decide about, so no merchant's clock dates it.
      merchantId: reason === null ? ((owner?.invoice ?? owner?.staticAddress)?.merchantId ?? null) : null,
      sentTo: reason === null ? null : holderOf(reason, owner),
      requiredConfirmations: paymentDepth(gate.network, asset, {
        stakedUnits,
        promised: owner?.invoice?.requiredConfirmations ?? null,
        // A mined reward cannot be spent until it matures, so it is not credited before either.
        least: sighting.leastConfirmations ?? 0,
      }),
    })
  }
  if (invoices.length > 0) {
    await tx.invoices.insert(
      invoices.map((invoice) => ({ ...invoice, requestHash: null, createdBy: null })),
      invoices.map((invoice) => confirming(app, invoice)),
    )
  }
  await tx.payments.insert(gate.id, payments)
  return payments.map(({ id, invoiceId }) => ({ paymentId: id, invoiceId }))
}

/** The time by the clock of each merchant that is paid. */
async function clocksOf(
  tx: Store,
  { environment }: Gate,
  owners: ReadonlyMap<string, AddressOwner>,
  now: Date,
): Promise<(merchantId: string) => Date> {
  if (environment === 'live') return () => now
  const ids = [
    ...new Set([...owners.values()].flatMap(({ staticAddress }) => staticAddress?.merchantId ?? [])),
  ]
  const ahead = await tx.testClocks.aheadOf(ids.map((merchantId) => ({ merchantId, environment })))
  const times = new Map(ids.map((merchantId, at) => [merchantId, new Date(now.getTime() + (ahead[at] ?? 0))]))
  return (merchantId) => times.get(merchantId) ?? now
}

/** Those of the addresses that change went to under an earlier database. The database's word for it is not enough. */
async function changeAddresses(tx: Store, gate: Gate, sightings: readonly Sighting[]): Promise<Set<string>> {
  const { keychain, spending } = gate
  if (spending.kind !== 'coins') return new Set()
  const found = await tx.ownAddresses.find(
    keychain,
    sightings.map(({ address }) => address),
  )
  const ours = found.filter(({ position, address }) => spending.changeAddress(position) === address)
  return new Set(ours.map(({ address }) => address))
}

/**
 * Whether a transfer reached an address of ours. Where tags tell payers apart, every transfer to our account did, with any tag or none;
 * elsewhere we must have derived the address.
 */
function isOurs(
  { proofs }: Pick<App, 'proofs'>,
  gate: Gate,
  { address, tag }: Sighting,
  owner: AddressOwner | undefined,
): boolean {
  if (address === hotAddressOf(gate)) return true
  if (owner === undefined) return gate.network.tag?.onDeposits ?? false
  return proofs.isOurs({ keychain: gate.keychain, address, tag, ...owner })
}

/** The total that each transaction pays us, by transaction and currency. */
function stakes(sightings: readonly Sighting[]): Map<string, bigint> {
  const sums = new Map<string, bigint>()
  for (const sighting of sightings) {
    const name = stakeName(sighting)
    sums.set(name, (sums.get(name) ?? 0n) + sighting.units)
  }
  return sums
}

function stakeName({ txHash, currency }: Sighting): string {
  return `${txHash} ${currency}`
}

function suspenseReason(
  gate: Gate,
  asset: GateAsset,
  sighting: Sighting,
  owner: AddressOwner | null,
): SuspenseReason | null {
  if (sighting.address === hotAddressOf(gate)) return 'operator_float'
  const rightful = owner?.invoice ?? owner?.staticAddress ?? null
  if (owner === null && gate.network.tag?.onDeposits)
    return sighting.tag === null ? 'missing_tag' : 'unknown_tag'
  if (rightful === null) return 'unassigned_address'
  if (rightful.gateId !== gate.id) return 'wrong_network'
  if (rightful.currency !== sighting.currency) return 'wrong_currency'
  return sighting.units < asset.dustUnits ? 'dust' : null
}

/** The merchant the payer meant to pay. A payment to an address of an earlier database has no known owner. */
function holderOf(reason: SuspenseReason, owner: AddressOwner | null): AddressHolder | null {
  const rightful = owner?.invoice ?? owner?.staticAddress ?? null
  if (rightful === null || reason === 'operator_float' || reason === 'recovered') return null
  return {
    merchantId: rightful.merchantId,
    invoiceId: owner?.invoice?.id ?? null,
    staticAddressId: owner?.staticAddress?.id ?? null,
  }
}

/** The invoice for a deposit to a static address, about its label: for exactly the amount that arrived, without checkout or window. */
async function depositInvoice(
  app: App,
  gate: Gate,
  address: Omit<AddressOwner, 'staticAddress'> & NonNullable<AddressOwner['staticAddress']>,
  asset: GateAsset,
  sighting: Sighting,
  stakedUnits: bigint,
  now: Date,
): Promise<Invoice> {
  const { merchantId, environment, currency, gateId, baseCurrency, toleranceBps, feeBps } = address
  const units = sighting.units
  return {
    id: uuidv7(app.now()),
    merchantId,
    environment,
    status: 'pending',
    source: 'static_address',
    staticAddressId: address.id,
    deferred: false,
    asset: {
      currency,
      network: asset.network.id,
      gateId,
      decimals: asset.decimals,
      amountUnits: units,
      requiredConfirmations: depthOf(gate.network, asset, stakedUnits),
      keychain: address.keychain,
      depositPosition: address.position,
      depositAddress: sighting.address,
      depositAddressTag: sighting.tag,
      depositAddressProof: address.proof,
      exchangeRate: null,
      rateLockedAt: null,
      liveAt: now,
    },
    amountFiat: null,
    fiatCurrency: null,
    baseCurrency,
    amountInBaseCurrency: await inBaseCurrency(
      app,
      environment,
      { currency, units, decimals: asset.decimals },
      baseCurrency,
    ),
    toleranceBps,
    feeBps,
    ...nothingPaid,
    description: address.label,
    externalId: null,
    metadata: null,
    redirectUrl: null,
    link: null,
    idempotencyKey: null,
    windowSeconds: null,
    expiresAt: null,
    dueAt: null,
    paidAt: null,
    cancelledAt: null,
    createdAt: now,
    updatedAt: now,
  }
}
