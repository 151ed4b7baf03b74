import type { PageNotice, PageProblem, PageRenderer, PageState } from '@sluice/web/checkout'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { App } from '../../app/app.ts'
import type { OfferLister } from '../../app/checkout/list-offers.ts'
import type { CheckoutOpener } from '../../app/checkout/open-checkout.ts'
import { simulatedActions, simulatePayment } from '../../app/checkout/simulate-payment.ts'
import { activateInvoice } from '../../app/invoices/activate-invoice.ts'
import { changeAsset } from '../../app/invoices/change-asset.ts'
import { ServiceError } from '../../domain/errors.ts'
import type { Log } from '../../log.ts'
import type { Visit } from '../../store/invoices/visits.ts'
import { acceptedEncoding, compress } from '../encoding.ts'
import { answerFor } from '../errors.ts'
import type { Observer } from '../metrics.ts'
import { type CheckoutViewer, checkoutOfferView, checkoutTokenView } from '../resources/checkout/view.ts'
import type { CheckoutGatekeeper } from './gatekeeper.ts'
import { sayPageHeaders } from './page-headers.ts'

const nonceBytes = 16
const maxFormBytes = 4 * 1024
const notices: readonly PageNotice[] = ['gate_offline', 'rate_unavailable', 'amount_too_small', 'not_done']

const notBuilt = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>Not available</title>
<h1>This payment page is not available right now</h1>
<p>The operator of this service has to build the page first: <code>npm run build</code>. Do not send anything until you
see the page.</p>
</html>
`

type PageRequest = FastifyRequest<{ Params: { '*': string }; Querystring: Record<string, unknown> }>

export type PageParts = {
  app: App
  opener: CheckoutOpener
  listOffers: OfferLister
  view: CheckoutViewer
  gatekeeper: CheckoutGatekeeper
  /** Null: the page is not built. */
  renderer: PageRenderer | null
  observer: Observer
  log: Log
}

/**
 * The payment page at `/pay/{link}`: complete HTML that shows everything without a script, and forms for browsers
 * without one. Apart from its own link, the page repeats nothing from the request, so its compressed size reveals
 * nothing about the token.
 */
export function serveCheckoutPage(server: FastifyInstance, parts: PageParts): void {
  const { app, opener, listOffers, view, gatekeeper, renderer } = parts
  const observe = parts.observer('checkout_page')

  server.register((scope, _options, done) => {
    scope.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string', bodyLimit: maxFormBytes },
      (_request, body, parsed) => parsed(null, new URLSearchParams(body as string)),
    )
    scope.addHook('onRequest', async (request, reply) => {
      request.operation = 'checkout_page'
      request.observe = observe
      reply.header('X-Request-Id', request.id)
      await gatekeeper.admitVisitor(request, reply)
    })
    scope.setErrorHandler((error, request, reply) => showError(error, request as PageRequest, reply))
    scope.get('/pay/*', (request, reply) => show(request as PageRequest, reply))
    scope.post('/pay/*', (request, reply) => act(request as PageRequest, reply))
    done()
  })

  async function show(request: PageRequest, reply: FastifyReply): Promise<FastifyReply> {
    if (renderer === null) return sendNotBuilt(reply)
    const opened = await open(request)
    if (opened === null) return send(request, reply.code(404), problemState(request, 'unknown'), null)
    const { visit, ended } = opened
    if (ended) return send(request, reply.code(410), problemState(request, 'ended'), visit)
    const checkout = view(visit)
    const { invoice } = visit
    const isChoosing =
      checkout.phase === 'choose' || (request.query.change === '1' && checkout.can_change_asset)
    const offers = isChoosing ? await listOffers(invoice) : null
    const state: PageState = {
      ...frame(request),
      checkout,
      offers: offers?.map((offer) => checkoutOfferView(offer, invoice.fiatCurrency)) ?? null,
      token: checkoutTokenView(invoice, app.now(), visit),
      problem: null,
      notice: notices.find((notice) => notice === request.query.notice) ?? null,
    }
    return send(request, reply.code(200), state, visit)
  }

  /** Performs a form's action and redirects back to the page. */
  async function act(request: PageRequest, reply: FastifyReply): Promise<FastifyReply> {
    if (renderer === null) return sendNotBuilt(reply)
    const opened = await open(request)
    if (opened === null) return send(request, reply.code(404), problemState(request, 'unknown'), null)
    if (opened.ended) return send(request, reply.code(410), problemState(request, 'ended'), opened.visit)
    const form = request.body instanceof URLSearchParams ? request.body : new URLSearchParams()
    const notice = await perform(opened.visit, form)
    const query = new URLSearchParams()
    for (const name of ['lang', 'embed']) {
      const value = form.get(name) ?? request.query[name]
      if (typeof value === 'string') query.set(name, value)
    }
    if (notice !== null) query.set('notice', notice)
    sayHeaders(request, reply, opened.visit)
    return reply
      .code(303)
      .header('Location', `${pathOf(request)}${query.size === 0 ? '' : `?${query}`}`)
      .send('')
  }

  async function perform(visit: Visit, form: URLSearchParams): Promise<PageNotice | null> {
    const { invoice } = visit
    const asset = form.get('asset')
    const action = simulatedActions.find((each) => each === form.get('simulate'))
    try {
      if (asset !== null) {
        const before = form.get('instead_of')
        if (before === null) await activateInvoice(app, invoice, invoice.id, choiceOf(asset))
        else await changeAsset(app, invoice, invoice.id, { from: choiceOf(before), to: choiceOf(asset) })
      } else if (action !== undefined) {
        await simulatePayment(app, visit, action)
      } else {
        return 'not_done'
      }
      return null
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error
      return notices.find((notice) => notice === error.code) ?? 'not_done'
    }
  }

  async function open(request: PageRequest) {
    const opened = await opener.byLink(request.params['*'])
    if (opened === null) gatekeeper.noteGuess(request)
    else request.visit = opened.visit
    return opened
  }

  async function showError(error: unknown, request: PageRequest, reply: FastifyReply): Promise<FastifyReply> {
    const { status, bug, retryAfterSeconds } = answerFor(error)
    if (bug !== undefined) parts.log.error({ request_id: request.id, err: bug }, 'request failed')
    if (retryAfterSeconds !== undefined) reply.header('Retry-After', retryAfterSeconds)
    if (renderer === null) return sendNotBuilt(reply)
    return send(
      request,
      reply.code(status),
      problemState(request, status === 429 ? 'busy' : 'unavailable'),
      null,
    )
  }

  async function send(
    request: PageRequest,
    reply: FastifyReply,
    state: PageState,
    visit: Visit | null,
  ): Promise<FastifyReply> {
    if (renderer === null) return sendNotBuilt(reply)
    const nonce = sayHeaders(request, reply, visit)
    const html = Buffer.from(renderer.render(state, nonce))
    const encoding = acceptedEncoding(request.headers['accept-encoding'])
    if (encoding === null) return reply.send(html)
    return reply.header('Content-Encoding', encoding).send(await compress(html, encoding))
  }

  function sayHeaders(request: PageRequest, reply: FastifyReply, visit: Visit | null): string {
    const nonce = app.random(nonceBytes).toString('base64')
    const embedOrigins = visit !== null && isEmbedded(request) ? visit.shop.embedOrigins : []
    sayPageHeaders(reply, { nonce, embedOrigins })
    return nonce
  }

  function frame(request: PageRequest): Pick<PageState, 'language' | 'path' | 'embedded'> {
    const { lang } = request.query
    const accepted = request.headers['accept-language'] ?? null
    return {
      language: (renderer as PageRenderer).languageFor(typeof lang === 'string' ? lang : null, accepted),
      path: pathOf(request),
      embedded: isEmbedded(request),
    }
  }

  function problemState(request: PageRequest, problem: PageProblem): PageState {
    return { ...frame(request), checkout: null, offers: null, token: null, problem, notice: null }
  }
}

/** An asset as forms name it: `USDT@ethereum`. */
function choiceOf(name: string): { currency: string; network: string } {
  const [currency = '', network = ''] = name.split('@')
  return { currency, network }
}

function isEmbedded(request: PageRequest): boolean {
  return request.query.embed === '1'
}

// Text that cannot be a link is not repeated.
function pathOf(request: PageRequest): string {
  const link = request.params['*']
  return /^[\w-]{1,64}$/.test(link) ? `/pay/${link}` : '/pay/unknown'
}

function sendNotBuilt(reply: FastifyReply): FastifyReply {
  sayPageHeaders(reply, { nonce: 'none', embedOrigins: [] })
  return reply.code(503).header('Retry-After', 60).send(notBuilt)
}
