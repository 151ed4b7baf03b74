import { readFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { basename, extname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import type { Overview, TestClock } from '@sluice/web/contract'
import { fieldProblem } from '../../../server/src/domain/reasons/field-problems.ts'
import { auditLog } from './audit-fixtures.ts'
import * as basic from './fixtures.ts'
import * as more from './more-fixtures.ts'
import * as operator from './operator-fixtures.ts'
import { overview } from './overview-fixtures.ts'
import { policy } from './policy-fixtures.ts'
import * as told from './timeline-fixtures.ts'

const dist = join(import.meta.dirname, '../dist')
const contentPolicy =
  "default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self'; img-src 'self' data:; connect-src 'self'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types svelte-trusted-html"

export type StandIn = {
  readonly url: string
  /** Every call so far: `POST /sign-in {"email":…}`. */
  readonly asked: string[]
  /** No one is signed in while this is true. */
  signedOut: boolean
  /** The refusal of the next call that changes something, once. */
  refuseOnce: { readonly status: number; readonly code: string; readonly details?: readonly string[] } | null
  /** How far the test clock is ahead. */
  aheadSeconds: number
  /** The answer of the overview, if another than usual. */
  overview: Overview | null
  /** Answers about anything but the session wait for it. */
  held: Promise<void> | null
  /** Lists have no rows while this is true. */
  empty: boolean
  /** How many rows lists claim to have, if more than they return. */
  total: number | null
  close(): Promise<void>
}

/** The service's side of the dashboard, on a real socket and under its content security policy, with canned answers. */
export async function startStandIn(): Promise<StandIn> {
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://stand-in')
    if (pathname.startsWith('/dashboard-api/'))
      void api(request, response, pathname.slice('/dashboard-api'.length))
    else if (pathname === '/api/v1/currencies') answer(response, 200, { data: basic.currencies, meta: {} })
    else if (pathname.startsWith('/dashboard-assets/')) void file(response, basename(pathname))
    else if (pathname.startsWith('/dashboard')) void page(response)
    else response.writeHead(404).end()
  })

  const api = async (request: IncomingMessage, response: ServerResponse, path: string) => {
    const body = await text(request)
    if (path !== '/session') await standIn.held
    standIn.asked.push(`${request.method} ${path}${body === '' ? '' : ` ${body}`}`)
    const changes = request.method !== 'GET'
    const refused = changes && !path.startsWith('/step-up') ? standIn.refuseOnce : null
    if (refused !== null) {
      standIn.refuseOnce = null
      const { status, code, details } = refused
      const error = { code, message: `Refused: ${code}.`, details, problems: details?.map(fieldProblem) }
      return answer(response, status, { error, meta: {} })
    }
    if (path === '/sign-in') standIn.signedOut = false
    if (standIn.signedOut)
      return answer(response, 401, { error: { code: 'unauthorized', message: 'Sign in.' }, meta: {} })
    const said = !isInContract(request.method ?? '', path)
      ? undefined
      : path.endsWith('/test/test/clock')
        ? clockAt(standIn.aheadSeconds)
        : standIn.overview !== null && path.endsWith('/overview')
          ? standIn.overview
          : answerTo(request.method ?? '', path)
    if (said === undefined)
      return answer(response, 404, {
        error: { code: 'not_found', message: 'There is no such thing.' },
        meta: {},
      })
    const rows = Array.isArray(said) && standIn.empty ? [] : isToApprove(request) ? basic.waiting : said
    const pagination = pageOf(request, standIn.total ?? (Array.isArray(rows) ? rows.length : 0))
    const paged = !path.endsWith('/balances')
    answer(response, 200, { data: rows, meta: { request_id: 'req', ...(paged && { pagination }) } })
  }

  const standIn: StandIn = {
    url: '',
    asked: [],
    signedOut: false,
    refuseOnce: null,
    aheadSeconds: 0,
    overview: null,
    held: null,
    empty: false,
    total: null,
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return Object.assign(standIn, { url: `http://localhost:${(server.address() as AddressInfo).port}` })
}

function pageOf({ url = '' }: IncomingMessage, total: number) {
  const { searchParams } = new URL(url, 'http://stand-in')
  const [limit, offset] = ['limit', 'offset'].map((name) => Number(searchParams.get(name))) as [
    number,
    number,
  ]
  return { total, limit, offset, has_more: offset + limit < total }
}

/** Whether only the payouts that need an approval are requested. */
function isToApprove({ url = '' }: IncomingMessage): boolean {
  return url.includes('/payouts?') && url.includes('status=pending_approval')
}

const contract = JSON.parse(
  await readFile(
    join(import.meta.dirname, '../../../server/src/http/internal-contract.generated.json'),
    'utf8',
  ),
) as { paths: Record<string, Record<string, unknown>> }
const known = Object.entries(contract.paths).flatMap(([path, item]) =>
  Object.keys(item).map((method) => ({
    method: method.toUpperCase(),
    path: new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`),
  })),
)

/** Whether the contract has it: the stand-in makes up no operation of its own. */
function isInContract(method: string, path: string): boolean {
  return known.some((each) => each.method === method && each.path.test(`/dashboard-api${path}`))
}

function clockAt(aheadSeconds: number): TestClock {
  return { now: new Date(Date.now() + aheadSeconds * 1000).toISOString(), ahead_seconds: aheadSeconds }
}

/** The answer of each path, below merchant and environment if it has them. */
function answerTo(method: string, path: string): unknown {
  const within = path.replace(/^\/merchants\/[^/]+(\/(test|live))?/, '')
  const [, collection, one, part] = within.split('/')
  if (method !== 'GET') return answerToChange(path, within)
  if (path === '/session') return basic.session
  if (path === '/account/passkeys') return more.passkeys
  if (path === '/account/sessions') return more.sessions
  if (path === '/operator/gates') return operator.gates
  if (path === '/operator/alerts') return operator.alerts
  if (path === '/operator/merchants') return operator.merchants
  if (path === '/operator/suspense') return operator.allSuspense
  if (collection === 'invoices' && part === 'timeline') return told.invoiceTimeline
  if (collection === 'invoices')
    return one === undefined ? basic.invoices : basic.invoices.find(({ id }) => id === one)
  if (collection === 'payouts' && one === undefined) return basic.payouts
  if (collection === 'payouts' && one === 'quote') return more.payoutQuote
  if (collection === 'payouts') {
    const payout = basic.payouts.find(({ id }) => id === one)
    if (payout !== undefined && part === 'timeline') return told.payoutTimeline(payout)
    return payout === undefined ? undefined : part === 'approval' ? basic.review(payout) : payout
  }
  if (collection === 'refunds' && part === 'timeline') return told.refundTimeline(basic.refund)
  if (collection === 'addresses' && part === 'invoices') return basic.invoices.slice(0, 2)
  if (collection === 'balances' && part === 'ledger') return more.ledger
  if (within === '/lists/views') return more.savedViews
  if (collection === 'shops' && one === 'request') return more.shopReview
  if (collection === 'webhook_endpoints' && part === 'deliveries') return more.deliveries
  if (collection === 'webhook_endpoints' && part === 'range') return more.deliveryRange
  if (collection === 'webhook_figures') return more.endpointFigures
  const lists: Readonly<Record<string, readonly [readonly unknown[], unknown]>> = {
    refunds: [[basic.refund], basic.refund],
    addresses: [[basic.staticAddress], basic.staticAddress],
    balances: [basic.balances, undefined],
    ledger: [more.ledger, undefined],
    suspense: [operator.suspense, undefined],
    events: [[more.event], more.event],
    webhook_endpoints: [[more.endpoint], more.endpoint],
    keys: [more.keys, undefined],
    shops: [more.shops, undefined],
    search: [more.found, undefined],
    destinations: [more.destinations, undefined],
    passkeys: [more.merchantPasskeys, undefined],
    'audit-log': [auditLog, undefined],
  }
  const listed = lists[collection ?? '']
  if (listed !== undefined) return one === undefined ? listed[0] : listed[1]
  const days = 30
  const single = {
    overview: overview(days),
    settings: more.settings,
    team: more.team,
    policy,
  }
  return single[collection as keyof typeof single]
}

function answerToChange(path: string, within: string): unknown {
  if (path === '/sign-in') return { stage: 'signed_in' }
  if (path === '/step-up') return { proof_fresh_until: new Date().toISOString() }
  if (path === '/invitation')
    return {
      email: 'dee@example.com',
      merchant_name: 'Alpenglühen Coffee',
      role: 'finance',
      is_yours: false,
      expires_at: '',
    }
  if (path === '/account/totp')
    return {
      secret: 'JBSWY3DPEHPK3PXP',
      uri: 'otpauth://totp/x',
      qr_code: { size: 21, path: 'M0 0h7v7h-7z' },
    }
  if (path === '/account/totp/confirm' || path === '/account/recovery-codes')
    return { recovery_codes: ['abcd-efgh-ijkl-mnop', 'qrst-uvwx-yz23-4567'] }
  if (within.startsWith('/lists/views')) return more.savedViews[0]
  if (within.startsWith('/team/invitations')) return more.invitationMade
  if (within === '/invoices') return basic.invoices[0]
  if (within === '/destinations') return { destination: more.destinations[0], pending_change: null }
  if (within === '/events/redeliver') return { count: 3, continue_from: null }
  if (within === '/shops') return { redirect_to: '/returned?code=abc&state=def', expires_at: '' }
  if (within === '/keys') return { key: `sk_test_${'0'.repeat(64)}`, details: more.keys[0] }
  if (path === '/account/passkeys/options') return more.passkeyCreation
  if (within.endsWith('/rotate_secret')) return { ...more.endpoint, secret: `whsec_${'A'.repeat(43)}=` }
  if (within === '/webhook_endpoints') return { ...more.endpoint, secret: `whsec_${'A'.repeat(43)}=` }
  if (within === '/payouts/approval')
    return [
      {
        id: basic.payouts[0]?.id,
        outcome: 'approved',
        payout: { ...basic.payouts[0], status: 'approved' },
        error: null,
      },
    ]
  return {}
}

function answer(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' })
  response.end(JSON.stringify(body))
}

async function page(response: ServerResponse): Promise<void> {
  const headers = { 'content-type': 'text/html; charset=utf-8', 'content-security-policy': contentPolicy }
  response.writeHead(200, { ...headers, 'cache-control': 'no-store' })
  response.end(await readFile(join(dist, 'page.html')))
}

async function file(response: ServerResponse, name: string): Promise<void> {
  const types: Readonly<Record<string, string>> = {
    '.js': 'text/javascript',
    '.css': 'text/css',
    '.woff2': 'font/woff2',
  }
  const bytes = await readFile(join(dist, 'client', name)).catch(() => null)
  if (bytes === null) response.writeHead(404).end()
  else response.writeHead(200, { 'content-type': types[extname(name)] ?? '' }).end(bytes)
}
