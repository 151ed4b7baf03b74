import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import {
  AuthenticationError,
  ConflictError,
  IdempotencyError,
  NotFoundError,
  PermissionError,
  RateLimitError,
  ServerError,
  SluiceError,
  UnprocessableError,
  ValidationError,
} from '../src/client.ts'
import { clientOf } from './answering-client.ts'

const refusedBy = async (status: number, error: object | string, headers: Record<string, string> = {}) => {
  const body = typeof error === 'string' ? error : JSON.stringify({ error, meta: { request_id: 'req_1' } })
  const sluice = clientOf([], [() => new Response(body, { status, headers })])
  return sluice.currencies.list({}, { maxRetries: 0 }).then(
    () => expect.unreachable('the call should have failed'),
    (thrown: unknown) => thrown as SluiceError,
  )
}

describe('the class of an error', () => {
  it('follows its code', async () => {
    const classes = { ValidationError, AuthenticationError, PermissionError, NotFoundError, ConflictError }
    const others = { IdempotencyError, UnprocessableError, RateLimitError, ServerError }
    const expected = {
      validation_error: 'ValidationError',
      invalid_state: 'ConflictError',
      unauthorized: 'AuthenticationError',
      forbidden: 'PermissionError',
      not_found: 'NotFoundError',
      conflict: 'ConflictError',
      idempotency_key_mismatch: 'IdempotencyError',
      amount_too_small: 'UnprocessableError',
      insufficient_balance: 'UnprocessableError',
      rate_limited: 'RateLimitError',
      internal_error: 'ServerError',
      gate_offline: 'ServerError',
    }
    for (const [code, name] of Object.entries(expected)) {
      const thrown = await refusedBy(499, { code, message: 'No.' })
      const found = Object.entries({ ...classes, ...others }).filter(([, one]) => thrown instanceof one)
      expect([code, thrown.name, found.map(([each]) => each)]).toEqual([code, name, [name]])
      expect(thrown).toBeInstanceOf(SluiceError)
    }
  })

  it('is a subclass for every code in the catalogue of the contract', async () => {
    const contract = new URL('../../server/src/http/contract.generated.json', import.meta.url)
    const codes: string[] = JSON.parse(readFileSync(contract, 'utf8')).components.schemas.ErrorCode.enum
    expect(codes.length).toBeGreaterThan(15)
    for (const code of codes)
      expect([code, (await refusedBy(499, { code, message: 'No.' })).name]).not.toEqual([code, 'SluiceError'])
  })

  it.each([
    [400, 'ValidationError'],
    [401, 'AuthenticationError'],
    [403, 'PermissionError'],
    [404, 'NotFoundError'],
    [409, 'ConflictError'],
    [422, 'UnprocessableError'],
    [429, 'RateLimitError'],
    [500, 'ServerError'],
    [503, 'ServerError'],
    [418, 'SluiceError'],
  ])('follows the status %d if a newer server sends an unknown code', async (status, name) => {
    for (const code of ['brand_new', 'constructor'])
      expect(await refusedBy(status, { code, message: 'No.' })).toMatchObject({ name, code, status })
  })

  it('does not take the 404 of a proxy for a missing resource, but its 502 and 429 for what they are', async () => {
    const page = '<h1>Nothing here</h1>'
    expect(await refusedBy(404, page)).toMatchObject({ name: 'SluiceError', code: 'unexpected_answer' })
    expect(await refusedBy(502, page)).toMatchObject({ name: 'ServerError', code: 'unexpected_answer' })
    expect(await refusedBy(429, page, { 'retry-after': '9' })).toMatchObject({
      name: 'RateLimitError',
      retryAfter: 9,
    })
  })
})

describe('the message of an error', () => {
  it('names each invalid field, what is wrong with it, and the request', async () => {
    const thrown = await refusedBy(400, {
      code: 'validation_error',
      message: 'The request is not valid. Correct the problems listed in details.',
      details: [
        '/amount: must be a decimal string',
        '/metadata/a~1b~0/0: is required',
        '/: must be an object',
        'odd',
      ],
    })
    expect(thrown.message).toBe(
      'amount: must be a decimal string; metadata.a/b~.0: is required; body: must be an object; odd (request req_1)',
    )
    expect(thrown.details).toHaveLength(4)
    expect(String(thrown)).toMatch(/^ValidationError: amount: /)
  })

  it('is that of the service with the details, if it is not about validation', async () => {
    const error = { code: 'invalid_destination', message: 'It cannot be paid.' }
    expect((await refusedBy(422, error)).message).toBe('It cannot be paid. (request req_1)')
    expect((await refusedBy(422, { ...error, details: ['/destination: has no tag'] })).message).toBe(
      'It cannot be paid: destination: has no tag (request req_1)',
    )
  })

  it('of a failed validation without details is that of the service', async () => {
    const error = { code: 'validation_error', message: 'Too large.', details: [] }
    expect((await refusedBy(413, error)).message).toBe('Too large. (request req_1)')
  })
})
