import { afterEach, beforeEach, expect, it } from 'vitest'
import { type Receiver, startReceiver } from '../../outbound/webhook-receiver.ts'
import { query } from '../../support/database/database.ts'
import { startTestService, type TestService } from '../../support/shop/service.ts'
import { appendEvents, headerOf, makeEndpoint } from '../../support/shop/webhook-shop.ts'

let service: TestService
let receivers: Receiver[]

beforeEach(async () => {
  service = await startTestService()
  receivers = []
})
afterEach(async () => {
  await Promise.all(receivers.map((receiver) => receiver.close()))
  await service.stop()
})

async function open(merchantId: string): Promise<Receiver & { endpointId: string }> {
  const receiver = await startReceiver()
  receivers.push(receiver)
  const { id } = await makeEndpoint(service.app, merchantId, `http://127.0.0.1:${receiver.port}/hook`)
  return Object.assign(receiver, { endpointId: id })
}

/** A receiver that never answers. */
async function openHanging(merchantId: string) {
  const receiver = await open(merchantId)
  receiver.answer = () => {}
  return receiver
}

const idsAt = (receiver: Receiver) => receiver.requests.map(({ head }) => headerOf(head, 'webhook-id'))

async function expectToArrive(receiver: Receiver, ids: readonly string[]): Promise<void> {
  await expect.poll(() => idsAt(receiver), { interval: 20 }).toEqual(ids)
}

/** Attempts that have ended: none, as long as no delivery had to wait for a hanging one. */
const endedAttempts = (endpointIds: readonly string[]) =>
  query(
    service.database.url,
    `select from webhook_attempts join webhook_deliveries on id = delivery_id where endpoint_id = any ($1)`,
    [endpointIds],
  )

// Many times more than are ever sent at once; `npm run soak` has more.
const deliveries = Number(process.env.SLUICE_WEBHOOK_EVENTS ?? 1_000)

it(`${deliveries} deliveries to a hanging endpoint delay no other endpoint, of the same merchant or another`, async () => {
  const [merchantId, otherId] = [await service.makeMerchant(), await service.makeMerchant()]
  const hanging = await openHanging(merchantId)
  // All at once: the first hanging request is given up after a while, and nothing else may take that long.
  await service.app.transaction(async (tx) => {
    for (let made = 0; made < deliveries; made += 500)
      await appendEvents({ ...service.app, store: tx }, merchantId, 500)
  })
  await expect.poll(() => hanging.requests.length).toBeGreaterThan(3)

  const [same, other] = [await open(merchantId), await open(otherId)]
  const ofOther = await appendEvents(service.app, otherId, 1)
  const ofSame = await appendEvents(service.app, merchantId, 1)
  await expectToArrive(other, ofOther)
  await expectToArrive(same, ofSame)
  expect(await endedAttempts([hanging.endpointId])).toEqual([])
})

it('ten hanging endpoints with full queues do not delay an event to one that answers', async () => {
  const [merchantId, otherId] = [await service.makeMerchant(), await service.makeMerchant()]
  const healthy = await open(otherId)
  const hanging: Receiver[] = []
  for (let n = 0; n < 10; n++) hanging.push(await openHanging(merchantId))
  await appendEvents(service.app, merchantId, 100)
  const asked = () => hanging.reduce((sum, { requests }) => sum + requests.length, 0)
  await expect.poll(asked).toBeGreaterThanOrEqual(160)

  const ids = await appendEvents(service.app, otherId, 1)
  await expectToArrive(healthy, ids)
  // However long they hang, they never take all the places there are.
  const claimed = `select from webhook_deliveries where claimed and due_at > clock_timestamp()`
  expect((await query(service.database.url, claimed)).length).toBeLessThan(256)
})

it('an endpoint that accepts nothing gets few places, and all of them again once it accepts', async () => {
  const merchantId = await service.makeMerchant()
  const receiver = await open(merchantId)
  const held: (() => void)[] = []
  let status = 500
  receiver.answer = (socket) => socket.write(`HTTP/1.1 ${status} X\r\ncontent-length: 0\r\n\r\n`)
  await appendEvents(service.app, merchantId, 1)
  const failing = `select from webhook_endpoints where failing_since is not null`
  await expect.poll(() => query(service.database.url, failing)).toHaveLength(1)

  status = 200
  receiver.answer = (socket) =>
    held.push(() => socket.write(`HTTP/1.1 ${status} X\r\ncontent-length: 0\r\n\r\n`))
  await appendEvents(service.app, merchantId, 200)
  await expect.poll(() => held.length).toBe(4)
  const claimed = `select from webhook_deliveries where claimed`
  expect(await query(service.database.url, claimed)).toHaveLength(4)
  for (const answer of held.splice(0)) answer()
  await expect.poll(() => held.length).toBe(32)
  expect(await query(service.database.url, failing)).toEqual([])
})
