import { type Answer, get, post } from '../client.ts'
import { anyone, type Fuzz } from '../fuzz.ts'
import { type Invoice, isPriced, type Merchant } from '../model.ts'
import { toText } from '../money.ts'
import { assessNetwork } from '../settlement.ts'
import { learnInvoice } from './invoices.ts'
import { destinationOn } from './payouts.ts'

const unknownId = '01890000-0000-7000-8000-000000000000'

type Probe = { method: string; theirs: string; unknown: string; body?: object }

/** A resource of another merchant or environment is answered exactly like one that does not exist. */
export async function probeIsolation(fuzz: Fuzz): Promise<void> {
  const { random, findings, merchants, live } = fuzz
  const [first, second] = merchants
  if (first === undefined || second === undefined) return
  const [owner, stranger] = random.hits(0.5) ? [first, second] : [second, first]
  const invoice = random.pick([...owner.invoices.values()])
  const probes = probesOf(fuzz, owner, invoice?.id)
  const bare = ({ text }: Answer) => text.replace(/"request_id":"[^"]*"/, '').replaceAll(unknownId, '')
  for (const asker of [stranger.api, ...(live === null ? [] : [live])]) {
    const probe = random.pick(probes)
    if (probe === undefined) break
    const { method, theirs, unknown, body } = probe
    const [one, other] = [await asker.call(method, theirs, body), await asker.call(method, unknown, body)]
    if (asker === live && theirs.includes('/test/')) {
      findings.same(one.status, 401, 'isolation', `${method} ${theirs} with a live key`)
      continue
    }
    findings.check(
      one.status === 404 && other.status === 404 && bare(one) === bare(other),
      'isolation',
      `${method} ${theirs} from outside: ${one.status} against ${other.status}`,
      [one.text, other.text],
    )
  }
  if (invoice !== undefined) await meddle(fuzz, stranger, invoice)
  if (live === null) return
  const shown = JSON.stringify((await get(live, '/v1/balances')).data)
  findings.same(shown, '[]', 'isolation', 'balances of the live environment')
  for (const list of ['invoices', 'events']) {
    const { page } = await get(live, `/v1/${list}`)
    findings.same(page?.total, 0, 'isolation', `${list} of the live environment`)
  }
}

function probesOf({ random }: Fuzz, owner: Merchant, invoiceId: string | undefined): Probe[] {
  const payout = random.pick([...owner.payouts.values()])
  const refund = random.pick([...owner.refunds.values()])
  const address = random.pick([...owner.addresses.values()])
  const event = random.pick(owner.events)
  const probes: Probe[] = []
  const add = (method: string, path: string, id: string | undefined, unknown = unknownId, body?: object) => {
    if (id === undefined) return
    const [theirs, no] = [path.replace('{}', id), path.replace('{}', unknown)]
    probes.push({ method, theirs, unknown: no, ...(body === undefined ? {} : { body }) })
  }
  add('GET', '/v1/invoices/{}', invoiceId)
  add('POST', '/v1/invoices/{}/cancel', invoiceId)
  add('POST', '/v1/test/invoices/{}/expire', invoiceId)
  add('POST', '/v1/test/invoices/{}/activate', invoiceId, unknownId, { currency: 'BTC' })
  add('GET', '/v1/payouts/{}', payout?.id)
  add('POST', '/v1/payouts/{}/cancel', payout?.id)
  for (const decision of ['approve', 'reject', 'fail'])
    add('POST', `/v1/test/payouts/{}/${decision}`, payout?.id)
  add('GET', '/v1/refunds/{}', refund?.id)
  add('GET', '/v1/addresses/{}', address?.id)
  add('GET', '/v1/addresses/{}/invoices', address?.id)
  add('GET', '/v1/events/{}', event?.id, `evt_${unknownId}`)
  add('POST', '/v1/events/{}/redeliver', event?.id, `evt_${unknownId}`, {})
  add('GET', '/v1/webhook_endpoints/{}', owner.endpoint)
  add('POST', '/v1/webhook_endpoints/{}/rotate_secret', owner.endpoint)
  add('DELETE', '/v1/webhook_endpoints/{}', owner.endpoint)
  return probes
}

/** A merchant can neither refund nor pay nor drop what belongs to another. */
async function meddle(fuzz: Fuzz, stranger: Merchant, invoice: Invoice): Promise<void> {
  const { random, findings, chains } = fuzz
  if (!isPriced(invoice)) return
  const { asset, id, address, tag } = invoice
  const { currency, network } = asset
  const refund = await post(stranger.api, '/v1/refunds', {
    invoice_id: id,
    currency,
    network,
    amount: '1',
    ...destinationOn(fuzz, asset, '1'),
  })
  findings.same(refund.status, 404, 'isolation', 'refund of a foreign invoice')
  const deposit = await post(stranger.api, '/v1/test/deposits', {
    address,
    ...(tag ? { address_tag: tag } : {}),
    amount: '1',
    currency,
    network,
  })
  findings.same(deposit.status, 404, 'isolation', 'deposit to a foreign address')
  const payment = random.pick(invoice.payments)
  if (payment === undefined) return
  const body = { network, depth: 1, drop: [payment.hash] }
  const { status, data } = await post(stranger.api, '/v1/test/reorgs', body)
  findings.check(status === 400, 'isolation', `dropping a foreign transaction answered ${status}`)
  if (status !== 200) return
  chains.of(network).tip = data.height
  payment.isDropped = true
  assessNetwork(fuzz, network)
}

const maxOffline = 3

/** Takes a network offline or online for one merchant; others do not notice. */
export async function switchGate(fuzz: Fuzz): Promise<void> {
  const { random, findings, assets, merchants } = fuzz
  const merchant = anyone(fuzz)
  const network = random.pick([...new Set(assets.map((asset) => asset.network))])
  if (network === undefined) return
  const isGoing = !merchant.offline.has(network)
  if (isGoing && merchant.offline.size >= maxOffline) return
  const wanted = { network, status: isGoing ? 'offline' : 'online' }
  const { status, error } = await post(merchant.api, '/v1/test/gates', wanted)
  if (!findings.check(status === 200, 'gate', `answered ${status}`, error)) return
  if (isGoing) merchant.offline.add(network)
  else merchant.offline.delete(network)
  const asset = random.pick(assets.filter((each) => each.network === network))
  if (asset === undefined) return
  const body = { currency: asset.currency, network, amount: toText(asset.minimum, asset.decimals) }
  const invoice = await post(merchant.api, '/v1/invoices', body)
  if (!isGoing) {
    const what = `back online, creating answered ${invoice.status}`
    if (findings.check(invoice.status === 201, 'gate', what)) learnInvoice(fuzz, merchant, invoice, body)
    return
  }
  const { currency } = asset
  const address = await post(merchant.api, '/v1/addresses', { currency, network })
  for (const [what, answer] of Object.entries({ invoice, address })) {
    const isRefused = answer.status === 503 && answer.code === 'gate_offline'
    findings.check(isRefused, 'gate', `${what} on an offline network answered ${answer.status}`)
  }
  const other = merchants.find((each) => each !== merchant && !each.offline.has(network))
  if (other === undefined) return
  const theirs = await post(other.api, '/v1/invoices', body)
  findings.check(theirs.status === 201, 'gate', `another merchant noticed: ${theirs.status}`)
  learnInvoice(fuzz, other, theirs, body)
}
