import type { Caller } from '../../../src/domain/caller.ts'
import { bindContract } from '../../../src/http/bind-contract.ts'
import { type ContractDocument, readOperations } from '../../../src/http/contract.ts'
import { createGatekeeper, keyAdmission, maxFailedAuthentications } from '../../../src/http/gatekeeper.ts'
import { createRollingLog } from '../../../src/http/rate-limit/rolling-log.ts'
import type { Reply } from '../../../src/http/reply.ts'
import { createServer } from '../../../src/http/server.ts'
import { createLog } from '../../../src/log.ts'

export const goodKey = `sk_test_${'ab'.repeat(32)}`

/** A contract with everything that a body can contain, so that the HTTP shell is tested apart from any resource. */
export const echoContract: ContractDocument = {
  paths: {
    '/v1/things': {
      get: {
        operationId: 'listThings',
        security: [{ apiKey: ['invoices:write'] }],
        parameters: [
          { name: 'limit', in: 'query', schema: { type: 'integer', minimum: 1, default: 20 } },
          { name: 'environment', in: 'query', 'x-ignored': true, schema: { type: 'string' } },
        ],
      },
      post: {
        operationId: 'createThing',
        security: [{ apiKey: ['invoices:write'] }],
        requestBody: {
          required: true,
          content: { 'application/json': { schema: { $ref: '#/components/schemas/NewThing' } } },
        },
      },
    },
    '/v1/things/{thingID}/cancel': {
      post: {
        operationId: 'cancelThing',
        security: [{ apiKey: ['invoices:write'] }],
        parameters: [
          { name: 'thingID', in: 'path', required: true, schema: { type: 'string', maxLength: 10 } },
        ],
      },
    },
    '/v1/test/things': {
      post: {
        operationId: 'createTestThing',
        security: [{ apiKey: ['invoices:write'] }],
        'x-environment': 'test',
      },
    },
  },
  components: {
    schemas: {
      NewThing: {
        type: 'object',
        required: ['currency', 'amount'],
        additionalProperties: false,
        properties: {
          currency: { type: 'string', maxLength: 20 },
          amount: {
            type: 'string',
            maxLength: 50,
            pattern: '^(0|[1-9][0-9]*)(\\.[0-9]+)?$',
            'x-form': 'a decimal such as 0.01, without sign or exponent',
          },
          deferred: { type: 'boolean' },
          count: { type: 'integer', minimum: 1, maximum: 10 },
          description: { type: 'string', maxLength: 1000 },
          metadata: {
            type: 'object',
            maxProperties: 50,
            propertyNames: { minLength: 1, maxLength: 64 },
            additionalProperties: { type: ['string', 'number', 'boolean', 'null'], maxLength: 1000 },
          },
        },
      },
    },
  },
}

export type EchoServer = {
  readonly url: string
  readonly port: number
  /** What reached the handlers. */
  readonly received: unknown[]
  readonly logged: string[]
  close(): Promise<void>
}

/** The HTTP shell alone, listening on a free port; its handlers echo their input. */
export async function startEchoServer(
  options: {
    trustedProxies?: readonly string[]
    handle?: (request: unknown) => Reply<unknown> | Promise<Reply<unknown>>
    findCaller?: (key: string) => Caller | null | Promise<Caller | null>
    keyLimit?: number
    now?: () => number
  } = {},
): Promise<EchoServer> {
  const received: unknown[] = []
  const logged: string[] = []
  const now = options.now ?? (() => performance.now())
  const log = (limit: number) => createRollingLog({ limit, windowMs: 60_000, maxSubjects: 1000, now })
  const caller: Caller = {
    actor: 'key:key',
    person: null,
    merchantId: 'merchant',
    environment: 'test',
    permissions: new Set(['invoices:write'] as const),
    merchant: { baseCurrency: 'USD', feeBps: 0, payoutFeeBps: 0, refundFeeBps: 0, toleranceBps: 0 },
  }
  const handle = (request: unknown): Reply<unknown> | Promise<Reply<unknown>> => {
    received.push((request as { body: unknown }).body)
    return options.handle?.(request) ?? { status: 201, data: (request as { body: unknown }).body ?? null }
  }
  const observer = () => () => {}
  const server = createServer({
    log: createLog('trace', { write: (line) => logged.push(line) }),
    observer,
    trustedProxies: options.trustedProxies ?? [],
  })
  bindContract(server, {
    operations: readOperations(echoContract),
    prefix: '/api',
    handlers: { createThing: handle, cancelThing: handle, listThings: handle, createTestThing: handle },
    admissionTo: keyAdmission(
      createGatekeeper({
        findCaller: options.findCaller ?? ((key) => (key === goodKey ? caller : null)),
        keyLimiter: log(options.keyLimit ?? 1_000_000),
        ipLimiter: log(1_000_000),
        failures: log(maxFailedAuthentications + 1),
      }),
    ),
    observer,
  })
  const url = await server.listen({ host: '127.0.0.1', port: 0 })
  return { url, port: Number(new URL(url).port), received, logged, close: () => server.close() }
}
