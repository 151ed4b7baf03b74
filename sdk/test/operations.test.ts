import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { sdkOperations } from '../../scripts/sdk-operations.ts'
import { sdkWebhookEvents } from '../../scripts/sdk-webhook-events.ts'
import { eventNames } from '../src/webhooks/events.generated.ts'

const read = (path: string) => readFileSync(new URL(path, import.meta.url), 'utf8')

it('the SDK knows every operation of the contract', () => {
  const contract = JSON.parse(read('../../server/src/http/contract.generated.json'))
  expect(read('../src/operations.generated.ts')).toBe(sdkOperations(contract))
})

it('an operation needs a key unless it says otherwise, and its header parameters are found through references', () => {
  const text = sdkOperations({
    security: [{ apiKey: [] }],
    paths: {
      '/v1/refunds': {
        summary: 'Not an operation',
        post: { operationId: 'createRefund', parameters: [{ $ref: '#/components/parameters/Idempotency' }] },
        get: { operationId: 'listRefunds', security: [] },
      },
    },
    components: { parameters: { Idempotency: { in: 'header', name: 'Idempotency-Key' } } },
  })
  const at = (method: string) => `method: '${method}', path: '/v1/refunds'`
  expect(text).toContain(`listRefunds: { ${at('GET')}, needsKey: false, idempotency: null }`)
  expect(text).toContain(`createRefund: { ${at('POST')}, needsKey: true, idempotency: 'header' }`)
})

it('the SDK has the type and the name of every webhook of the contract', () => {
  const contract = JSON.parse(read('../../server/src/http/contract.generated.json'))
  expect(read('../src/webhooks/events.generated.ts')).toBe(sdkWebhookEvents(contract))
  expect([...eventNames].sort()).toEqual([...contract.components.schemas.EventName.enum].sort())
})
