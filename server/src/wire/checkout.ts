import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { PageRenderer } from '@sluice/web/checkout'
import type { FastifyInstance } from 'fastify'
import type { App } from '../app/app.ts'
import { feeHints } from '../app/checkout/fee-hints.ts'
import { offerLister } from '../app/checkout/list-offers.ts'
import { checkoutOpener } from '../app/checkout/open-checkout.ts'
import { nativeAsset } from '../app/spends/hot-wallet/native-asset.ts'
import { bindContract } from '../http/bind-contract.ts'
import { callsPerInvoice, checkoutGatekeeper, maxGuesses } from '../http/checkout/gatekeeper.ts'
import { type CheckoutHub, createCheckoutHub } from '../http/checkout/hub.ts'
import { serveLogos } from '../http/checkout/logos.ts'
import { serveCheckoutPage } from '../http/checkout/page.ts'
import { answerPreflights } from '../http/checkout/preflights.ts'
import { type ContractDocument, readOperations } from '../http/contract.ts'
import contract from '../http/internal-contract.generated.json' with { type: 'json' }
import type { Metrics } from '../http/metrics.ts'
import { readPageFiles, servePageFiles } from '../http/page-files.ts'
import type { RateLimiter } from '../http/rate-limit/rate-limiter.ts'
import type { RollingLog } from '../http/rate-limit/rolling-log.ts'
import { checkout } from '../http/resources/checkout/routes.ts'
import { checkoutViewer } from '../http/resources/checkout/view.ts'
import { solanaPay } from '../http/resources/solana-pay/routes.ts'
import type { Log } from '../log.ts'
import type { Settings } from '../settings/settings.ts'

/** Where `npm run build` puts the payment page. */
export const builtPage = new URL('../../../web/checkout/dist/', import.meta.url)

/** The payment page and its API, on a server that does not listen yet. */
export async function assembleCheckout(
  server: FastifyInstance,
  settings: Settings,
  parts: {
    app: App
    metrics: Metrics
    log: Log
    limiter: (prefix: string, limit: number) => Promise<RateLimiter>
    localLog: (limit: number) => RollingLog
    /** The folder of the built page. */
    page: URL
  },
): Promise<CheckoutHub> {
  const { app, metrics, log } = parts
  const observer = metrics.requestObserver
  const opener = checkoutOpener(app)
  const hints = feeHints()
  // Fetched now, so that the first payer who has to choose already sees fees.
  for (const gate of app.gates.list()) hints.of(gate, nativeAsset(gate))
  const listOffers = offerLister(app, hints)
  const view = checkoutViewer(app)
  const gatekeeper = checkoutGatekeeper({
    opener,
    ipLimiter: await parts.limiter('checkout-ip', settings.config.limits.checkout_per_minute),
    invoiceLimiter: await parts.limiter('checkout-invoice', callsPerInvoice),
    guesses: parts.localLog(maxGuesses + 1),
  })
  const hub = createCheckoutHub({
    read: (ids) => app.store.visits.byIds(ids),
    view,
    now: app.now,
    onReadFailed: (error) => log.warn({ err: error }, 'cannot update open payment pages'),
  })
  metrics.gauge('sluice_checkout_streams', 'Open payment pages that receive updates.', () => hub.size)
  bindContract(server, {
    operations: readOperations(contract as unknown as ContractDocument, '/checkout-api/'),
    prefix: '',
    handlers: checkout({ app, opener, listOffers, view, hub }),
    admissionTo: gatekeeper.admissionTo,
    observer,
  })
  bindContract(server, {
    operations: readOperations(contract as unknown as ContractDocument, '/solana-pay/'),
    prefix: '',
    handlers: solanaPay(app),
    admissionTo: () => gatekeeper.admitWallet,
    observer,
  })
  answerPreflights(server, { path: '/solana-pay/:ticket', gatekeeper, observer })
  const renderer = await loadRenderer(parts.page, log)
  serveCheckoutPage(server, { app, opener, listOffers, view, gatekeeper, renderer, observer, log })
  const files =
    renderer === null ? new Map() : await readPageFiles(fileURLToPath(new URL('client/', parts.page)))
  servePageFiles(server, { path: '/checkout-assets/', operation: 'checkout_file', files, observer })
  const findLogo = (sha256: string) => app.store.merchantBrands.findLogo(sha256)
  serveLogos(server, { findLogo, gatekeeper, observer })
  return hub
}

async function loadRenderer(page: URL, log: Log): Promise<PageRenderer | null> {
  const url = new URL('server/render.js', page)
  if (existsSync(url)) return (await import(url.href)) as PageRenderer
  log.error(
    { path: fileURLToPath(url) },
    'THE PAYMENT PAGE IS NOT BUILT: /pay answers 503 until it is. Run: npm run build',
  )
  return null
}
