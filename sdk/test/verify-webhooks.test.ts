import { randomBytes } from 'node:crypto'
import { inspect } from 'node:util'
import fc from 'fast-check'
import { Webhook } from 'standardwebhooks'
import { describe, expect, expectTypeOf, it } from 'vitest'
import { signature, webhookBody } from '../../server/src/domain/webhooks.ts'
import {
  type CreditedBalance,
  type Invoice,
  isKnownEvent,
  type Payout,
  type Refund,
  SluiceWebhookError,
  type UnknownWebhookEvent,
  type WebhookEvent,
  type WebhookHeaders,
  webhooks,
} from '../src/client.ts'

const secretOf = (bytes: Uint8Array) => `whsec_${Buffer.from(bytes).toString('base64')}`
const secret = secretOf(randomBytes(32))
const other = secretOf(randomBytes(32))
const id = 'evt_019a8554-7c1e-7b3a-9f0e-3d2c1b0a9f8e'
const fields = { id, created_at: '2026-01-01T00:00:00.000Z', environment: 'test' }
const body = JSON.stringify({ ...fields, event: 'invoice.paid', data: { id: 'i', note: 'é ✓' } })

const refusal = async (promise: Promise<unknown>): Promise<SluiceWebhookError> =>
  promise.then(
    () => expect.unreachable('it should have been refused'),
    (error: unknown) => {
      expect(error).toBeInstanceOf(SluiceWebhookError)
      return error as SluiceWebhookError
    },
  )

describe('a webhook', () => {
  it('is accepted as the service signs it', async () => {
    const sent = webhookBody({
      eventId: id.slice(4),
      event: 'payout.completed',
      eventCreatedAt: new Date(0),
      environment: 'test',
      data: '{"id":"p"}',
    })
    const now = Date.parse('2026-01-01T00:00:00Z')
    const headers = {
      'Webhook-Id': id,
      'Webhook-Timestamp': String(now / 1000),
      'Webhook-Signature': signature(secret, id, now / 1000, sent),
    }
    expect(await webhooks.verify(sent, headers, secret, { now })).toMatchObject({
      id,
      event: 'payout.completed',
      data: { id: 'p' },
    })
  })

  it('is accepted with headers and bodies in the form of any framework', async () => {
    const signed = await webhooks.sign(body, secret)
    const bytes = new TextEncoder().encode(body)
    const upper = Object.fromEntries(
      Object.entries(signed).map(([name, value]) => [name.toUpperCase(), value]),
    )
    const lists = Object.fromEntries(Object.entries(signed).map(([name, value]) => [name, [value]]))
    const shifted = new Uint8Array(bytes.length + 2).subarray(2)
    shifted.set(bytes)
    for (const headers of [signed, new Headers(signed), upper, lists] as WebhookHeaders[])
      for (const raw of [body, bytes, Buffer.from(body), shifted, bytes.buffer])
        expect(await webhooks.verify(raw, headers, secret)).toEqual(JSON.parse(body))
  })

  it('is accepted while a secret rotates, on either side', async () => {
    const both = await webhooks.sign(body, [other, secret])
    expect(both['webhook-signature'].split(' ')).toHaveLength(2)
    for (const mine of [secret, other, [secret, other]])
      expect(await webhooks.verify(body, both, mine)).toMatchObject({ id })
    const one = await webhooks.sign(body, other)
    expect(await webhooks.verify(body, one, [secret, other])).toMatchObject({ id })
  })

  it('with an event of a newer server is returned, and is not known', async () => {
    const newer = JSON.stringify({ ...fields, event: 'invoice.frozen', data: { cold: true } })
    const event = await webhooks.verify(newer, await webhooks.sign(newer, secret), secret)
    expect(isKnownEvent(event)).toBe(false)
    expect(event).toEqual(JSON.parse(newer))
    expect(isKnownEvent(await webhooks.verify(body, await webhooks.sign(body, secret), secret))).toBe(true)
  })
})

describe('a webhook is refused', () => {
  const now = Date.parse('2026-01-01T00:00:00Z')
  const signed = () => webhooks.sign(body, secret, { now })

  it.each(['webhook-id', 'webhook-timestamp', 'webhook-signature'])('without the header %s', async (name) => {
    const { [name]: _, ...rest } = (await signed()) as Record<string, string>
    const error = await refusal(webhooks.verify(body, rest, secret, { now }))
    expect(error).toMatchObject({ reason: 'missing_header', message: expect.stringContaining(name) })
    const empty = await refusal(webhooks.verify(body, { ...rest, [name]: '' }, secret, { now }))
    expect(empty.reason).toBe('missing_header')
  })

  it.each([
    [-301, 'timestamp_too_new'],
    [301, 'timestamp_too_old'],
  ])('%d seconds after it was sent', async (seconds, reason) => {
    const headers = await signed()
    const at = (offset: number) => ({ now: now + offset * 1000 })
    expect((await refusal(webhooks.verify(body, headers, secret, at(seconds)))).reason).toBe(reason)
    const within = seconds - Math.sign(seconds)
    expect(await webhooks.verify(body, headers, secret, at(within))).toMatchObject({ id })
    const strict = { ...at(within), toleranceSeconds: 299 }
    expect((await refusal(webhooks.verify(body, headers, secret, strict))).reason).toBe(reason)
  })

  it.each(['', 'soon', '1.5', '-1', '1e9', ' 1', '9'.repeat(13)])(
    'with the timestamp "%s"',
    async (timestamp) => {
      const headers = { ...(await signed()), 'webhook-timestamp': timestamp }
      const { reason } = await refusal(webhooks.verify(body, headers, secret, { now }))
      expect(reason).toBe(timestamp === '' ? 'missing_header' : 'malformed_header')
    },
  )

  it('with an id that takes the place of the time', async () => {
    const headers = await webhooks.sign(body, secret, { now, id: `${id}.1` })
    expect(await refusal(webhooks.verify(body, headers, secret, { now }))).toMatchObject({
      reason: 'malformed_header',
    })
  })

  it('with a signature of another kind, form or body', async () => {
    const headers = await signed()
    const right = headers['webhook-signature']
    const wrong = [
      right.replace('v1,', 'v1a,'),
      right.slice(3),
      right.replace('=', ''),
      `${right}x`,
      'v1,',
      'v1',
    ]
    for (const value of [...wrong, right.toUpperCase(), right.replace(',', ', ')]) {
      const changed = { ...headers, 'webhook-signature': value }
      expect((await refusal(webhooks.verify(body, changed, secret, { now }))).reason).toBe('wrong_signature')
    }
    const again = JSON.stringify(JSON.parse(body), null, 1)
    expect((await refusal(webhooks.verify(again, headers, secret, { now }))).reason).toBe('wrong_signature')
  })

  it.each(['', 'x', 'null', '"a"', '[]', '{}', '{"id":"e","event":1,"data":{}}', '{"id":"e","event":"a"}'])(
    'if it is signed but is no event: %s',
    async (text) => {
      const headers = await webhooks.sign(text, secret, { now })
      expect((await refusal(webhooks.verify(text, headers, secret, { now }))).reason).toBe('malformed_body')
    },
  )

  it('with other bits behind the last byte of its signature', async () => {
    const signed = await webhooks.sign(body, secret)
    const right = signed['webhook-signature']
    const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'
    // 32 bytes fill 42 characters and four bits: the last character has two more, which a lenient decoder ignores.
    const last = right.at(-2) ?? ''
    const twin = alphabet[alphabet.indexOf(last) + 1] ?? ''
    const altered = `${right.slice(0, -2)}${twin}=`
    expect(Buffer.from(altered.slice(3), 'base64')).toEqual(Buffer.from(right.slice(3), 'base64'))
    await refusal(webhooks.verify(body, { ...signed, 'webhook-signature': altered }, secret))
  })

  it('without showing the secret or the signature that would be right', async () => {
    const headers = await webhooks.sign(body, secret)
    const error = await refusal(webhooks.verify(body, headers, other))
    const shown = inspect(error, { showHidden: true })
    for (const text of [secret, other, headers['webhook-signature']])
      expect(shown).not.toContain(text.slice(8))
  })
})

describe('a mistake in the call is a TypeError, not a bad webhook', () => {
  it.each(['', 'whsec_', 'whsec_c2hvcnQ=', secret.slice(0, -5), `${secret}\n`, 'sk_test_1'])(
    'the secret "%s", which is not shown',
    async (bad) => {
      const shown = /^The secret must be that of the webhook endpoint: whsec_ and base64\. Was [a-z ]+\?$/
      await expect(webhooks.sign(body, bad)).rejects.toThrow(shown)
      await expect(webhooks.verify(body, {}, bad)).rejects.toThrow(TypeError)
    },
  )

  it('no secret at all, or a body that was parsed', async () => {
    const headers = await webhooks.sign(body, secret)
    await expect(webhooks.verify(body, headers, [])).rejects.toThrow(TypeError)
    // @ts-expect-error an unset environment variable
    await expect(webhooks.verify(body, headers, undefined)).rejects.toThrow(TypeError)
    // @ts-expect-error a parsed body
    await expect(webhooks.verify(JSON.parse(body) as object, headers, secret)).rejects.toThrow('express.raw')
  })
})

describe('compared with the standard library', () => {
  const keys = fc.uint8Array({ minLength: 24, maxLength: 64 }).map(secretOf)
  const events = fc
    .record({ id: fc.constant(id), event: fc.string(), data: fc.object() })
    .map((event) => JSON.stringify(event))
  const ids = fc.stringMatching(/^[a-z0-9_-]{1,40}$/)

  it('each accepts what the other signs', async () => {
    await fc.assert(
      fc.asyncProperty(keys, events, ids, async (key, text, msgId) => {
        const at = new Date(Math.floor(Date.now() / 1000) * 1000)
        const ours = await webhooks.sign(text, key, { id: msgId, now: at.getTime() })
        expect(ours['webhook-signature']).toBe(new Webhook(key).sign(msgId, at, text))
        expect(new Webhook(key).verify(text, ours)).toEqual(JSON.parse(text))
        expect(await webhooks.verify(text, ours, key)).toEqual(JSON.parse(text))
      }),
    )
  })

  it('both refuse the same changes', async () => {
    const change = fc.record({
      place: fc.constantFrom('body', 'webhook-id', 'webhook-timestamp', 'webhook-signature', 'none'),
      at: fc.nat(),
      to: fc.constantFrom('0', '1', 'a', 'Z', '/', '=', ' ', ','),
    })
    await fc.assert(
      fc.asyncProperty(keys, events, change, async (key, text, { place, at, to }) => {
        const headers: Record<string, string> = await webhooks.sign(text, key)
        const changed = (value: string) => {
          const where = at % value.length
          return value.slice(0, where) + to + value.slice(where + 1)
        }
        const sent = place === 'body' ? changed(text) : text
        const altered = Object.hasOwn(headers, place)
          ? { ...headers, [place]: changed(headers[place] ?? '') }
          : headers
        // The library reads the number at the start of a timestamp; we require the whole of it to be one.
        fc.pre(place !== 'webhook-timestamp' || /^\d+$/.test(altered[place] ?? ''))
        const theirs = await accepts(async () => new Webhook(key).verify(sent, altered, { jsonParse: false }))
        const ours = await accepts(() => webhooks.verify(sent, altered, key))
        expect(ours).toBe(theirs)
      }),
      { numRuns: 300 },
    )
  })
})

async function accepts(verify: () => Promise<unknown>): Promise<boolean> {
  return verify().then(
    () => true,
    () => false,
  )
}

it('the name of an event narrows its data', () => {
  const amountOf = (event: WebhookEvent) => {
    switch (event.event) {
      case 'invoice.paid':
      case 'invoice.expired':
        expectTypeOf(event.data).toEqualTypeOf<Invoice>()
        return event.data.amount
      case 'balance.credited':
        expectTypeOf(event.data).toEqualTypeOf<CreditedBalance>()
        return event.data.available
      case 'payout.failed':
        expectTypeOf(event.data).toEqualTypeOf<Payout>()
        return event.data.id
      case 'refund.failed':
        expectTypeOf(event.data).toEqualTypeOf<Refund>()
        return event.data.id
      default:
        return event.event
    }
  }
  const unknown = { ...fields, event: 'invoice.frozen', data: null } as UnknownWebhookEvent
  if (isKnownEvent(unknown)) expectTypeOf(unknown).toExtend<WebhookEvent>()
  expect(amountOf(unknown as WebhookEvent)).toBe('invoice.frozen')
})
