import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { Webhook } from 'standardwebhooks'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { App } from '../../src/app/app.ts'
import { createMerchant } from '../../src/app/merchants/create-merchant.ts'
import { createLog } from '../../src/log.ts'
import type { EmbeddedPostgres } from '../../src/postgres/embedded.ts'
import { readSettings } from '../../src/settings/settings.ts'
import { openApp } from '../../src/wire/app.ts'
import { Closers } from '../../src/wire/closers.ts'
import { answerOf, type Received, type Receiver, startReceiver } from '../outbound/webhook-receiver.ts'
import { query } from '../support/database/database.ts'
import { patienceMs } from '../support/patience.ts'
import { startOwnPostgres } from '../support/processes/data-folder.ts'
import { type SluiceProcess, startSluice } from '../support/processes/sluice-process.ts'
import { makeTemporaryFolder, type TemporaryFolder } from '../support/processes/temporary-folder.ts'
import { appendEvents, headerOf, makeEndpoint, webhookEnv } from '../support/shop/webhook-shop.ts'

const eventCount = Number(process.env.SLUICE_WEBHOOK_EVENTS ?? 300)
const kills = Number(process.env.SLUICE_WEBHOOK_KILLS ?? 1)
const perTransaction = 5

let folder: TemporaryFolder
let postgres: EmbeddedPostgres
let closers: Closers
let app: App
let merchantId: string
let receivers: Receiver[]
let workers: SluiceProcess[]
let started: number

beforeEach(async () => {
  receivers = []
  workers = []
  started = 0
  closers = new Closers()
  folder = await makeTemporaryFolder()
  const dataDir = join(folder.path, 'postgres')
  postgres = await startOwnPostgres(dataDir)
  const opened = await openApp(
    readSettings(env('test')),
    'command',
    createLog('silent', { write: () => {} }),
    closers,
  )
  app = opened.app
  merchantId = (await createMerchant(app, { name: 'Test shop' })).merchantId
})
afterEach(async () => {
  await Promise.all(workers.map((worker) => worker.end('SIGKILL')))
  await Promise.all(receivers.map((receiver) => receiver.close()))
  await closers.close()
  await postgres?.stop()
  await folder.remove()
})

const env = (name: string) => ({
  DATABASE_URL: postgres.url,
  SLUICE_DATA_DIR: join(folder.path, name),
  ...webhookEnv,
})

const startWorker = () => startSluice(env(`worker-${started++}`), ['--role', 'worker'])

/** What an endpoint received: every attempt with its signature checked, and the text of each event. */
type Inbox = {
  readonly endpointId: string
  readonly firstAt: Map<string, number>
  readonly accepted: Set<string>
  readonly bodies: Map<string, string>
  readonly wrong: string[]
  attempts: number
}

/** An endpoint whose receiver answers with the given status after the given delay. */
async function open(answer: () => { status: number; afterMs: number }): Promise<Inbox> {
  const receiver = await startReceiver()
  receivers.push(receiver)
  const endpoint = await makeEndpoint(app, merchantId, `http://127.0.0.1:${receiver.port}/hook`)
  const webhook = new Webhook(endpoint.secret)
  const inbox: Inbox = {
    endpointId: endpoint.id,
    firstAt: new Map(),
    accepted: new Set(),
    bodies: new Map(),
    wrong: [],
    attempts: 0,
  }
  receiver.answer = (socket, request) => {
    const id = read(inbox, webhook, request)
    const { status, afterMs } = answer()
    const say = () => {
      if (status === 200) inbox.accepted.add(id)
      if (!socket.destroyed) socket.write(answerOf(status))
    }
    if (afterMs === 0) say()
    else setTimeout(say, afterMs)
  }
  return inbox
}

function read(inbox: Inbox, webhook: Webhook, { head, body }: Received): string {
  const id = headerOf(head, 'webhook-id')
  const headers = Object.fromEntries(
    ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) => [name, headerOf(head, name)]),
  )
  inbox.attempts += 1
  try {
    const said = webhook.verify(body, headers) as { id: string }
    if (said.id !== id) inbox.wrong.push(`${id} says that it is ${said.id}`)
  } catch (error) {
    inbox.wrong.push(`${id}: ${error}`)
  }
  if ((inbox.bodies.get(id) ?? body) !== body) inbox.wrong.push(`${id} arrived with another text`)
  inbox.bodies.set(id, body)
  if (!inbox.firstAt.has(id)) inbox.firstAt.set(id, performance.now())
  return id
}

/** The URL of a receiver that is gone. */
async function deadUrl(): Promise<string> {
  const receiver = await startReceiver()
  await receiver.close()
  return `http://127.0.0.1:${receiver.port}/hook`
}

it(`${eventCount} events reach every working endpoint, signed and unchanged, while workers are killed with -9 ${kills} times`, {
  timeout: 600_000 + kills * 20_000 + eventCount * 20,
}, async () => {
  const healthy = await open(() => ({ status: 200, afterMs: 0 }))
  const slow = await open(() => ({ status: 200, afterMs: 200 }))
  const failing = await open(() => ({ status: Math.random() < 0.5 ? 500 : 200, afterMs: 0 }))
  const dead = await makeEndpoint(app, merchantId, await deadUrl())
  const living = { healthy, slow, failing }
  workers = await Promise.all([startWorker(), startWorker()])

  const appendedAt = new Map<string, number>()
  let killed = 0
  const dueForKill = (nth: number) => (eventCount * nth) / (kills + 1)
  const appending = (async () => {
    while (appendedAt.size < eventCount) {
      // The kills happen between the events, however long a worker takes to start.
      if (appendedAt.size < dueForKill(killed + 2)) {
        const at = performance.now()
        const count = Math.min(perTransaction, eventCount - appendedAt.size)
        for (const id of await appendEvents(app, merchantId, count)) appendedAt.set(id, at)
      }
      await delay(20)
    }
  })()
  const killing = (async () => {
    for (; killed < kills; killed++) {
      while (appendedAt.size < dueForKill(killed + 1)) await delay(5)
      await delay(Math.random() * 200)
      const victim = Math.floor(Math.random() * workers.length)
      await workers[victim]?.end('SIGKILL')
      workers[victim] = await startWorker()
    }
  })()
  await Promise.all([appending, killing])

  // The schedule waits for minutes and hours; here a failed delivery is due at once.
  const hurry = () =>
    query(
      postgres.url,
      `update webhook_deliveries set due_at = clock_timestamp(), tries = least(tries, 1)
       where status = 'pending' and not claimed and endpoint_id = $1`,
      [failing.endpointId],
    )
  const missing = () =>
    Object.values(living).map(
      (inbox) => eventCount - [...appendedAt.keys()].filter(hasAccepted(inbox)).length,
    )
  await expect
    .poll(async () => hurry().then(missing), { timeout: patienceMs + eventCount * 20, interval: 300 })
    .toEqual([0, 0, 0])
  await expect
    .poll(() => hurry().then(statuses), { interval: 300 })
    .toEqual({
      [healthy.endpointId]: { succeeded: eventCount },
      [slow.endpointId]: { succeeded: eventCount },
      [failing.endpointId]: { succeeded: eventCount },
      [dead.id]: { pending: eventCount },
    })
  for (const inbox of Object.values(living)) {
    expect(inbox.wrong).toEqual([])
    expect([...inbox.bodies.keys()].filter((id) => !appendedAt.has(id))).toEqual([])
  }
  for (const id of appendedAt.keys()) {
    expect(slow.bodies.get(id)).toBe(healthy.bodies.get(id))
    expect(failing.bodies.get(id)).toBe(healthy.bodies.get(id))
  }
  const delays = [...healthy.firstAt].map(([id, at]) => at - (appendedAt.get(id) ?? 0)).sort((a, b) => a - b)
  const quantile = (part: number) => delays[Math.floor(delays.length * part)] ?? Number.POSITIVE_INFINITY
  report(
    `healthy endpoint: median ${quantile(0.5).toFixed(0)} ms, p99 ${quantile(0.99).toFixed(0)} ms; sent again: ` +
      `${healthy.attempts - eventCount} healthy, ${slow.attempts - eventCount} slow, of ${eventCount}`,
  )
})

/** Printed for the reader, without a limit. */
const report = (text: string) => process.stdout.write(`${text}\n`)

const hasAccepted = (inbox: Inbox) => (id: string) => inbox.accepted.has(id)

/** How many deliveries of each endpoint have each status. */
async function statuses(): Promise<Record<string, Record<string, number>>> {
  const rows = await query<{ id: string; status: string; count: number }>(
    postgres.url,
    'select endpoint_id as id, status, count(*)::integer from webhook_deliveries group by 1, 2',
  )
  const found: Record<string, Record<string, number>> = {}
  for (const { id, status, count } of rows) found[id] = { ...found[id], [status]: count }
  return found
}

it('a claim lasts as long as its worker lives, and another worker repeats a killed worker’s deliveries within seconds', async () => {
  let afterMs = 60_000
  const inbox = await open(() => ({ status: 200, afterMs }))
  const claimedUntil = async () =>
    (
      await query<{ until: Date }>(
        postgres.url,
        'select due_at as until from webhook_deliveries where claimed order by id',
      )
    ).map(({ until }) => until.getTime())
  workers = [await startWorker()]
  const ids = await appendEvents(app, merchantId, 3)
  await expect.poll(() => inbox.firstAt.size).toBe(3)
  const claimed = await claimedUntil()
  expect(claimed).toHaveLength(3)
  await expect
    .poll(async () => (await claimedUntil()).every((until, at) => until > (claimed[at] ?? 0)))
    .toBe(true)
  workers.push(await startWorker())

  await workers[0]?.end('SIGKILL')
  afterMs = 0
  const killedAt = performance.now()
  await expect.poll(() => ids.every(hasAccepted(inbox)), { interval: 50 }).toBe(true)
  report(`taken over after ${((performance.now() - killedAt) / 1000).toFixed(1)} s`)
  expect(inbox.wrong).toEqual([])
})
