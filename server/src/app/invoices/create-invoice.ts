import type { Caller } from '../../domain/caller.ts'
import { depthOf } from '../../domain/confirmations.ts'
import { uuidv7 } from '../../domain/ids.ts'
import { type Invoice, type InvoiceAsset, nothingPaid } from '../../domain/invoices.ts'
import { redirectProblem } from '../../domain/redirects.ts'
import type { NewInvoice } from '../../store/invoices/invoice-rows.ts'
import type { Store } from '../../store/store.ts'
import type { App } from '../app.ts'
import { noteActOf } from '../audit/note-act.ts'
import { batch } from '../batch.ts'
import { invalid } from '../choose-asset.ts'
import { gateOffline, noAddress } from '../gates/gate-book.ts'
import { keyMismatch, requestHash } from '../idempotency.ts'
import { pricingOf, refuseWithoutRates } from '../rates/price.ts'
import { type InvoiceRequest, type PricedAsset, priceAsset, readShape } from './draft-invoice.ts'
import { invoiceDetails } from './invoice-details.ts'

export const defaultWindowSeconds = 30 * 60
const choiceWindowSeconds = 24 * 60 * 60

const linkBytes = 16
const maxBatch = 64
const maxRunning = 2

export type CreatedInvoice = { readonly invoice: Invoice; readonly replayed: boolean }

/** Creates an invoice; concurrent calls share statements. */
export type InvoiceCreator = (
  caller: Caller,
  request: InvoiceRequest,
  /** The body as sent, to tell a repeated request from a different one with the same key. */
  body: Readonly<Record<string, unknown>>,
) => Promise<CreatedInvoice>

/** Makes the use case, which queues calls so that they share statements. */
export function invoiceCreator(app: App): InvoiceCreator {
  const insertIn = (store: Store, drafts: readonly NewInvoice[]) =>
    store.invoices.insert(
      drafts,
      drafts.filter(({ asset }) => asset !== null).map((draft) => confirming(app, draft)),
    )
  const insertBatched = batch(
    async (drafts: readonly NewInvoice[]) => {
      const added = await insertIn(app.store, drafts)
      return drafts.map(({ id }) => added.has(id))
    },
    { maxBatch, maxRunning, subjectOf: ({ id }) => id },
  )

  const aheadOf = batch((owners: readonly Caller[]) => app.store.testClocks.aheadOf(owners), {
    maxBatch,
    maxRunning,
  })

  // A person's invoice gets its own transaction, which also records the act; invoices of API keys are batched.
  const insert = (caller: Caller, draft: NewInvoice): Promise<boolean> =>
    caller.person === null
      ? insertBatched(draft)
      : app.transaction(async (tx) => {
          if (!(await insertIn(tx, [draft])).has(draft.id)) return false
          const details = invoiceDetails(draft)
          await noteActOf(tx, caller, { action: 'invoice.created', subject: draft.id, details })
          return true
        })

  return async (caller, request, body) => {
    const shape = await readShape(app, request)
    const hash = request.idempotencyKey === null ? null : requestHash(body)
    const aheadMs = caller.environment === 'live' ? 0 : await aheadOf(caller)
    let draft: NewInvoice
    try {
      refuseRedirect(caller, request)
      const pricing = await pricingOf(app, caller, aheadMs)
      const priced =
        shape.kind === 'deferred'
          ? null
          : await priceAsset(
              app,
              { environment: caller.environment, baseCurrency: caller.merchant.baseCurrency },
              pricing,
              { ...shape, ask: shape.kind === 'crypto' ? shape.units : shape.price },
            )
      if (shape.kind === 'deferred') await refuseWithoutRates(app, pricing, shape.price.currency)
      const price = shape.kind === 'crypto' ? null : shape.price
      const now = new Date(app.now().getTime() + aheadMs)
      const live = priced === null ? null : await goLive(app, priced, now)
      draft = draftOf(caller, request, price, priced, live, hash, now)
    } catch (error) {
      // A repeated request gets its invoice even if rates or gates have failed since.
      const earlier = hash === null ? null : await replay(caller, request.idempotencyKey as string, hash)
      if (earlier !== null) return earlier
      throw error
    }
    if (await insert(caller, draft)) return { invoice: draft, replayed: false }

    const { asset } = draft
    if (asset !== null) giveAddressBack(app, asset)
    const earlier = hash === null ? null : await replay(caller, request.idempotencyKey as string, hash)
    if (earlier !== null) return earlier
    // The only other reason not to insert: the merchant has taken this test network offline.
    if (asset === null) throw new Error('An invoice was neither inserted nor found.')
    throw gateOffline(asset.network)
  }

  async function replay(caller: Caller, key: string, hash: Buffer): Promise<CreatedInvoice | null> {
    const { merchantId, environment } = caller
    const [earlier] = await app.store.invoices.findByKeys([{ merchantId, environment, idempotencyKey: key }])
    if (earlier === undefined) return null
    if (earlier.requestHash.equals(hash)) return { invoice: earlier.invoice, replayed: true }
    throw keyMismatch()
  }

  function draftOf(
    caller: Caller,
    request: InvoiceRequest,
    price: { amount: bigint; currency: string } | null,
    priced: PricedAsset | null,
    asset: InvoiceAsset | null,
    hash: Buffer | null,
    now: Date,
  ): NewInvoice {
    const windowSeconds = request.expiresIn ?? defaultWindowSeconds
    const openSeconds = asset === null ? choiceWindowSeconds : windowSeconds
    const expiresAt = new Date(now.getTime() + openSeconds * 1000)
    const { baseCurrency, toleranceBps, feeBps } = caller.merchant
    return {
      id: uuidv7(app.now()),
      merchantId: caller.merchantId,
      environment: caller.environment,
      status: 'pending',
      source: caller.person === null ? 'api' : 'dashboard',
      staticAddressId: null,
      deferred: asset === null,
      asset,
      amountFiat: price?.amount ?? null,
      fiatCurrency: price?.currency ?? null,
      baseCurrency,
      amountInBaseCurrency:
        priced === null
          ? price?.currency === baseCurrency
            ? price.amount
            : null
          : priced.amountInBaseCurrency,
      toleranceBps,
      feeBps,
      ...nothingPaid,
      description: request.description,
      externalId: request.externalId,
      metadata: request.metadata,
      redirectUrl: request.redirectUrl,
      link: app.random(linkBytes).toString('base64url'),
      idempotencyKey: request.idempotencyKey,
      requestHash: hash,
      createdBy: caller.actor,
      windowSeconds,
      expiresAt,
      dueAt: expiresAt,
      paidAt: null,
      cancelledAt: null,
      createdAt: now,
      updatedAt: now,
    }
  }
}

/** Gives a priced asset its own deposit address, so that it can be paid. */
export async function goLive(
  app: Pick<App, 'addresses'>,
  { currency, asset, gate, units, exchangeRate }: PricedAsset,
  now: Date,
): Promise<InvoiceAsset> {
  const { keychain } = gate
  const taken = await app.addresses.take(keychain, 1)
  const address = taken?.[0]
  if (address === undefined) throw noAddress(asset.network.id)
  return {
    currency,
    network: asset.network.id,
    gateId: gate.id,
    decimals: asset.decimals,
    amountUnits: units,
    requiredConfirmations: depthOf(gate.network, asset, units),
    keychain,
    depositPosition: BigInt(address.position),
    depositAddress: address.address,
    depositAddressTag: address.tag,
    depositAddressProof: address.proof,
    exchangeRate,
    rateLockedAt: exchangeRate === null ? null : now,
    liveAt: now,
  }
}

/** Returns the deposit address of an asset that did not end up on an invoice. */
export function giveAddressBack(app: Pick<App, 'addresses'>, asset: InvoiceAsset): void {
  app.addresses.giveBack(asset.keychain, {
    position: Number(asset.depositPosition),
    address: asset.depositAddress,
    tag: asset.depositAddressTag,
    proof: asset.depositAddressProof,
  })
}

/** The event that an invoice went live. */
export function confirming(app: Pick<App, 'now' | 'present'>, invoice: Invoice) {
  return {
    id: uuidv7(app.now()),
    merchantId: invoice.merchantId,
    environment: invoice.environment,
    event: 'invoice.confirming' as const,
    data: app.present.invoice(invoice),
    resourceId: invoice.id,
  }
}

function refuseRedirect({ environment }: Caller, { redirectUrl }: InvoiceRequest): void {
  const problem = redirectProblem(redirectUrl, environment)
  if (problem !== null) throw invalid(`/redirect_url: ${problem}`)
}
