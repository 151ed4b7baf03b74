import { createHash, createHmac } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Row } from './client.ts'
import type { Findings } from './findings.ts'
import type { Measures } from './measures.ts'

/** A delivered event: its content the first time, how often it arrived, and how often it was accepted. */
export type Received = {
  readonly who: string
  readonly event: Row
  readonly body: string
  times: number
  accepted: number
}

export type Receiver = {
  readonly url: string
  readonly received: ReadonlyMap<string, Received>
  /** The secret of the endpoint at the path with this name. */
  readonly secrets: Map<string, string>
  close(): Promise<void>
}

/** Some events are refused the first time: they must be delivered again, with the same id and body. */
const refusedPercent = 3
const maxSkewSeconds = 120

/** The merchants' webhook server. It verifies every signature as Standard Webhooks describes it, with code of its own. */
export async function startReceiver(findings: Findings, measures: Measures): Promise<Receiver> {
  const received = new Map<string, Received>()
  const secrets = new Map<string, string>()
  const server = createServer(async (request, response) => {
    const parts: Buffer[] = []
    for await (const part of request) parts.push(part)
    response.writeHead(take(request, Buffer.concat(parts).toString('utf8')) ? 204 : 500).end()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    received,
    secrets,
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }

  /** Whether the delivery is accepted. */
  function take({ url = '', headers }: IncomingMessage, body: string): boolean {
    const who = url.slice(1)
    measures.count('deliveries')
    verify(findings, headers as Row, body, secrets.get(who) ?? '')
    const event = parsed(body)
    const id = headers['webhook-id']
    if (!findings.check(event?.id === id, 'webhook-id', 'header and body differ', { id, body })) return false
    let known = received.get(event.id)
    if (known === undefined) {
      known = { who, event, body, times: 0, accepted: 0 }
      received.set(event.id, known)
      time(measures, event)
    }
    const context = { id }
    const isSame = known.body === body
    findings.check(isSame, 'webhook-body-changed', 'the same event came with another body', context)
    const isOwn = known.who === who
    findings.check(isOwn, 'webhook-wrong-merchant', 'one event went to two merchants', context)
    known.times++
    const isRefused = known.times === 1 && lotOf(event.id) < refusedPercent
    if (!isRefused) known.accepted++
    return !isRefused
  }
}

export function verify(
  findings: Findings,
  headers: Readonly<Record<string, string>>,
  body: string,
  secret: string,
): void {
  const { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signature } = headers
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64')
  const want = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')
  const isSigned = (signature ?? '').split(' ').includes(`v1,${want}`)
  findings.check(isSigned, 'webhook-signature', 'a delivery has an invalid signature', { id })
  const skew = Math.abs(Date.now() / 1000 - Number(timestamp))
  findings.check(skew < maxSkewSeconds, 'webhook-timestamp', 'timestamp far from now', timestamp)
}

function time(measures: Measures, { event, data }: Row): void {
  const now = performance.now()
  if (event === 'invoice.payment_detected') {
    const since = measures.deposited.get(data.id)
    measures.deposited.delete(data.id)
    if (since !== undefined) measures.took('deposit → invoice.payment_detected', now - since)
  }
  if (event === 'invoice.paid') {
    const since = measures.minedAt.get(data.network)
    if (since !== undefined) measures.took('block → invoice.paid', now - since)
  }
}

/** From 0 to 99, the same for the same id. */
function lotOf(id: string): number {
  return createHash('md5').update(id).digest().readUInt16BE(0) % 100
}

function parsed(body: string): Row {
  try {
    return JSON.parse(body)
  } catch {
    return null
  }
}
