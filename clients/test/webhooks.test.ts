import { randomBytes } from 'node:crypto'
import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeSecret, signedHeaders } from '../../server/src/domain/webhooks.ts'
import { type Language, languages, startLanguage } from './language.ts'

const secret = makeSecret(randomBytes)
const other = makeSecret(randomBytes)
const id = 'evt_019a8554-7c1e-7b3a-9f0e-3d2c1b0a9f8e'
const bodyOf = (event: string, data: object = { note: 'Grüße 🚰', amount: '0.01' }) =>
  JSON.stringify({ id, event, created_at: '2026-11-15T09:30:00.000Z', environment: 'test', data })
const body = bodyOf('invoice.paid')
const now = Math.floor(Date.now() / 1000)
const signed = (secrets: readonly string[], text = body, timestampSeconds = now) =>
  signedHeaders(secrets, { id, timestampSeconds, body: text })

describe.each(languages)('webhooks in $name', (settings) => {
  let language: Language
  beforeAll(() => {
    language = startLanguage(settings)
  })
  afterAll(() => language.end())

  const verify = (headers: object, { text = body, by = secret as unknown, options = {} } = {}) =>
    language.ask({ do: 'verify', body: text, headers, secret: by, options })
  const refused = { class: 'WebhookVerificationError' }

  it('accepts what the service signs, and gives the event with typed data', async () => {
    expect((await verify(signed([secret]))).data).toEqual({
      class: 'InvoicePaid',
      event: 'invoice.paid',
      of: 'Invoice',
    })
  })

  it.each([
    ['payout.failed', 'PayoutFailed', 'Payout'],
    ['refund.completed', 'RefundCompleted', 'Refund'],
    ['balance.credited', 'BalanceCredited', 'CreditedBalance'],
    ['payout.invented', 'UnknownEvent', settings.name === 'Python' ? 'dict' : 'array'],
  ])('%s is a %s', async (event, kind, of) => {
    const text = bodyOf(event)
    expect((await verify(signed([secret], text), { text })).data).toEqual({ class: kind, event, of })
  })

  it('accepts headers in any case, and as gateways spell them', async () => {
    const headers = Object.entries(signed([secret]))
    const renamed = (rename: (name: string) => string) =>
      Object.fromEntries(headers.map(([name, value]) => [rename(name), value]))
    expect((await verify(renamed((name) => name.toUpperCase()))).data).toBeDefined()
    const gateway = renamed((name) => `HTTP_${name.toUpperCase().replaceAll('-', '_')}`)
    expect((await verify(gateway)).data).toBeDefined()
  })

  it('accepts one of several signatures by one of several secrets', async () => {
    expect((await verify(signed([other, secret]))).data).toBeDefined()
    expect((await verify(signed([secret]), { by: [other, secret] })).data).toBeDefined()
    expect((await verify(signed([other]))).error).toMatchObject(refused)
  })

  it('refuses a body, an id or a time that was changed', async () => {
    const headers = signed([secret])
    for (const text of [`${body} `, body.replace('0.01', '9.01'), body.slice(1), ''])
      expect((await verify(headers, { text })).error).toMatchObject(refused)
    for (const changed of [
      { 'webhook-id': `${id}x` },
      { 'webhook-id': '' },
      { 'webhook-id': `${id}.1` },
      { 'webhook-timestamp': String(now + 1) },
      { 'webhook-timestamp': `0${now}` },
      { 'webhook-timestamp': `${now}.0` },
      { 'webhook-timestamp': 'now' },
      { 'webhook-timestamp': '' },
      { 'webhook-signature': '' },
      { 'webhook-signature': 'v1,' },
      { 'webhook-signature': headers['webhook-signature']?.replace('v1,', 'v2,') },
      { 'webhook-signature': headers['webhook-signature']?.slice(0, -1) },
      { 'webhook-signature': 'v1,ü' },
    ])
      expect((await verify({ ...headers, ...changed })).error, JSON.stringify(changed)).toMatchObject(refused)
    expect((await verify({})).error).toMatchObject(refused)
  })

  it('refuses what was signed long ago or for later, by the tolerance that the caller sets', async () => {
    const at = (seconds: number, tolerance = 300) =>
      verify(signed([secret]), { options: { now: now + seconds, tolerance } })
    expect((await at(300)).data).toBeDefined()
    expect((await at(-300)).data).toBeDefined()
    expect((await at(301)).error).toMatchObject(refused)
    expect((await at(-301)).error).toMatchObject(refused)
    expect((await at(11, 10)).error).toMatchObject(refused)
    expect((await at(301, 400)).data).toBeDefined()
  })

  it('refuses a signed body that is no event', async () => {
    for (const text of ['[]', '7', '{}', '{"event":1}', 'hello', '{"event":"invoice.paid"'])
      expect((await verify(signed([secret], text), { text })).error, text).toMatchObject(refused)
  })

  it('signs as the service and the published library do', async () => {
    const { data } = await language.ask({ do: 'sign', body, secret: [secret, other], id, timestamp: now })
    expect(data).toEqual(signed([secret, other]))
    expect(new Webhook(secret).verify(body, data)).toMatchObject({ id })
    const theirs = new Webhook(secret).sign(id, new Date(now * 1000), body)
    expect((await verify({ ...signed([other]), 'webhook-signature': theirs })).data).toBeDefined()
  })

  it('says that a secret is unusable, and does not show it', async () => {
    for (const by of [
      '',
      'whsec_',
      'whsec_short',
      secret.slice(6),
      `${secret}!`,
      `whsec_${'A'.repeat(100)}`,
      [],
    ]) {
      const { error } = await verify(signed([secret]), { by })
      expect(error, String(by)).toBeDefined()
      expect(error?.class).not.toBe('WebhookVerificationError')
      expect(error?.message).not.toContain(secret.slice(6))
    }
  })
})
