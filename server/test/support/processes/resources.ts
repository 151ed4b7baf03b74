import { randomUUID } from 'node:crypto'
import { expect } from 'vitest'
import type { Environment } from '../../../src/domain/environment.ts'
import { uuidv7 } from '../../../src/domain/ids.ts'
import { gateId } from '../../../src/domain/networks/network.ts'
import type { Payout } from '../../../src/domain/payouts.ts'
import { query } from '../database/database.ts'
import { call } from '../shop/contract-client.ts'
import type { TestService } from '../shop/service.ts'

type Maker = (service: TestService, merchantId: string, environment: Environment) => Promise<string>
/** How to create each kind of resource that a path addresses by id, and what is not a valid id of one. */
export const resources: Record<string, { make: Maker; unknown: () => string; malformed: readonly string[] }> =
  {
    eventID: {
      make: async ({ app }, merchantId, environment) => {
        const id = uuidv7(app.now())
        await app.store.events.append({
          id,
          merchantId,
          environment,
          event: 'invoice.paid',
          data: {},
          resourceId: null,
        })
        return `evt_${id}`
      },
      unknown: () => `evt_${randomUUID()}`,
      malformed: [
        'x',
        'evt_',
        `evt_${randomUUID()}0`,
        randomUUID(),
        `evt_${randomUUID()}\0`,
        '%',
        '../events',
        'é'.repeat(300),
      ],
    },
    invoiceID: {
      make: (service, merchantId, environment) =>
        madeBy(service, merchantId, environment, {
          operation: 'createInvoice',
          body: { currency: 'BTC', amount: '0.01' },
          table: 'invoices',
        }),
      unknown: randomUUID,
      malformed: malformedUuids('invoices'),
    },
    addressID: {
      make: (service, merchantId, environment) =>
        madeBy(service, merchantId, environment, {
          operation: 'createAddress',
          body: { currency: 'BTC' },
          table: 'static_addresses',
        }),
      unknown: randomUUID,
      malformed: malformedUuids('addresses'),
    },
    payoutID: {
      make: async (service, merchantId, environment) =>
        (await insertPayout(service, merchantId, environment, null)).id,
      unknown: randomUUID,
      malformed: malformedUuids('payouts'),
    },
    refundID: {
      make: async (service, merchantId, environment) => {
        const invoiceId = await madeBy(service, merchantId, 'test', {
          operation: 'createInvoice',
          body: { currency: 'BTC', amount: '0.01' },
        })
        const id = uuidv7(service.app.now())
        const payout = await insertPayout(service, merchantId, environment, id)
        const { amountUnits } = payout
        const refund = { id, merchantId, environment, invoiceId, payoutId: payout.id, amountUnits }
        await service.app.store.refunds.insert({ ...refund, idempotencyKey: null, requestHash: null })
        return id
      },
      unknown: randomUUID,
      malformed: malformedUuids('refunds'),
    },
    endpointID: {
      // Nothing listens on the port of the discard protocol: a delivery is refused at once, and stays on this machine. The
      // service under test has to allow 127.0.0.1 with SLUICE_WEBHOOK_ALLOW.
      make: (service, merchantId, environment) =>
        madeBy(service, merchantId, environment, {
          operation: 'createWebhookEndpoint',
          body: { url: 'https://127.0.0.1:9/hook' },
        }),
      unknown: randomUUID,
      malformed: malformedUuids('webhook_endpoints'),
    },
  }

/** Path parameters whose values are the same for everyone, so that nothing has to be created. */
export const codes: Record<string, { good: readonly string[]; wrong: readonly string[] }> = {
  currency: {
    good: ['BTC', 'btc', 'Usdt'],
    wrong: ['NOPE', 'USD', 'B-C', 'B C', 'B\0C', '%', 'É', '../BTC', 'X'.repeat(21), 'é'.repeat(300)],
  },
}

/** The body that each operation on a resource is sent, if it takes one. */
export const bodies: Record<string, object> = {
  activateTestInvoice: { currency: 'BTC' },
  redeliverEvent: {},
}

function malformedUuids(collection: string): string[] {
  const id = randomUUID()
  return [
    'x',
    `${id}0`,
    id.slice(1),
    id.replaceAll('-', ''),
    `{${id}}`,
    `evt_${id}`,
    `${id}\0`,
    `${id} `,
    '%',
    `../../${collection}`,
    'é'.repeat(300),
  ]
}

// A payout's details never change, so one of the other environment has to be created there; nothing is booked for it.
async function insertPayout(
  { app }: TestService,
  merchantId: string,
  environment: Environment,
  refundId: string | null,
): Promise<Payout> {
  const id = uuidv7(app.now())
  const made = await app.store.payouts.insert([
    {
      id,
      merchantId,
      environment,
      refundId,
      currency: 'BTC',
      network: 'bitcoin',
      decimals: 8,
      gateId: gateId('bitcoin', environment),
      amountUnits: 1_000_000n,
      feeUnits: 0n,
      networkFeeUnits: 2_000n,
      baseCurrency: 'USD',
      amountInBaseCurrency: null,
      destination: 'somewhere',
      destinationTag: null,
      allowProgramAddress: false,
      description: null,
      metadata: null,
      idempotencyKey: null,
      requestHash: null,
      createdBy: 'cli:test',
    },
  ])
  return made.get(id) as Payout
}

// There is no live gate in a test, so a resource that needs one is created in test and moved over in its `table`.
async function madeBy(
  service: TestService,
  merchantId: string,
  environment: Environment,
  how: { operation: string; body: object; table?: string },
): Promise<string> {
  const { key } = await service.makeKey(merchantId, {
    environment: how.table === undefined ? environment : 'test',
  })
  const answer = await call(service.url, how.operation, { key, body: JSON.stringify(how.body) })
  expect(answer.status, answer.text).toBe(201)
  const { id } = answer.body.data
  if (environment !== 'test' && how.table !== undefined) {
    await query(service.database.url, `update ${how.table} set environment = $1 where id = $2`, [
      environment,
      id,
    ])
  }
  return id
}
