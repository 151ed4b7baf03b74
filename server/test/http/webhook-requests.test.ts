import { expect, it } from 'vitest'
import { ServiceError } from '../../src/domain/errors.ts'
import contract from '../../src/http/contract.generated.json' with { type: 'json' }
import type { ContractDocument } from '../../src/http/contract.ts'
import { readOperations } from '../../src/http/contract.ts'

const operations = readOperations(contract as unknown as ContractDocument)
const id = '019a8554-7c1e-7b3a-9f0e-3d2c1b0a9f8e'

/** How the operation reads a request: its input, or the problems found. */
function read(operationId: string, raw: { path?: object; query?: object; body?: unknown }) {
  const operation = operations.find((each) => each.id === operationId)
  try {
    return operation?.readInput({ path: {}, query: {}, headers: {}, body: undefined, ...raw })
  } catch (error) {
    if (error instanceof ServiceError) return error.details
    throw error
  }
}

it('a redelivery without a body, with an empty one or with a null field goes to every endpoint', () => {
  const path = { eventID: `evt_${id}` }
  for (const body of [undefined, {}, { endpoint_id: null }]) {
    expect(read('redeliverEvent', { path, body })).toMatchObject({ body: {} })
  }
  expect(read('redeliverEvent', { path, body: [] })).toEqual(['/: must be an object'])
  expect(read('redeliverEvents', {})).toEqual(['/: a JSON body is required'])
})

it('an endpoint subscribes to each event once, by its name in the catalogue, or to all by naming none', () => {
  const url = 'https://shop.example.com/hook'
  const problems = (events: unknown) => read('createWebhookEndpoint', { body: { url, events } })
  expect(problems(['invoice.paid', 'webhook.test'])).toHaveProperty('body.events.length', 2)
  expect(problems(null)).toMatchObject({ body: { url } })
  expect(problems([])).toEqual(['/events: must not be empty'])
  expect(problems(['invoice.paid', 'invoice.paid'])).toEqual([
    '/events: must not contain the same item twice',
  ])
  expect(problems(['invoice.sold'])).toEqual([
    expect.stringMatching(/^\/events\/0: must be one of invoice\.confirming, /),
  ])
})

it.each(['0', '1', '18446744073709551615', '9'.repeat(39)])('%s is a position', (after) => {
  expect(read('listEvents', { query: { after } })).toHaveProperty('query.after', after)
})

it.each(['', '00', '01', '-1', '+1', '1.0', '1e3', ' 1', 'x', '٣'])('%j is not a position', (after) => {
  expect(read('listEvents', { query: { after } })).toEqual([
    '/after: must be a whole number as digits, at most 39 of them',
  ])
})

it.each(['2026-11-15T09:30:00Z', '2026-11-15T09:30:00.5Z', '2026-11-15T23:59:59.999Z'])(
  '%s is a time',
  (time) => {
    expect(read('listEvents', { query: { created_after: time } })).toHaveProperty('query.created_after', time)
  },
)

it.each([
  '2026-11-15',
  '2026-11-15T09:30:00',
  '2026-11-15T09:30:00+01:00',
  '2026-11-15T24:00:00Z',
  '2026-13-01T00:00:00Z',
  '2026-11-15T09:30:60Z',
  '0000-01-01T00:00:00Z',
  '+012026-11-15T09:30:00Z',
  '1763199000',
])('%s is not a time', (time) => {
  expect(read('listEvents', { query: { created_after: time } })).toEqual([
    '/created_after: must be a time in UTC such as 2026-11-15T09:30:00.000Z',
  ])
})
