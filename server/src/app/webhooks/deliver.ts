import { say } from '../../domain/reasons/reasons.ts'
import { unseal } from '../../domain/seal.ts'
import { nextAttemptDelayMs, plainHeaders, signedHeaders, webhookBody } from '../../domain/webhooks.ts'
import type { Outcome } from '../../outbound/webhooks/webhook-client.ts'
import type { AttemptResult, ClaimedDelivery } from '../../store/webhooks/webhook-deliveries.ts'
import { type Span, within } from '../../tracing/span.ts'
import { readTraceparent, writeTraceparent } from '../../tracing/traceparent.ts'
import { inSpan } from '../../tracing/tracer.ts'
import type { App } from '../app.ts'
import { batch } from '../batch.ts'
import { secretPurpose } from './create-endpoint.ts'

/**
 * How many deliveries this process runs at once. A delivery that waits long for an answer gives up its place among the quick
 * ones, so that receivers that hang do not hold up the others.
 */
const maxQuick = 64
const maxUnderWay = 256
const slowAfterMs = 500
/** The limit per endpoint. A failing endpoint gets few places, since it would only occupy them. */
const perEndpoint = { sound: 32, failing: 4 }
/** An endpoint with this many slow deliveries gets no more until one has ended. */
const maxSlowPerEndpoint = 16
// A claim is renewed while its attempt runs. After a worker dies, others take over its deliveries within this time.
const claimMs = 5_000
const renewEveryMs = 1_500
const disableAfterDays = 5
const maxSaved = 200
const secretsKnownMs = 2_000
const busyWaitMs = 1_000

type UnderWay = {
  readonly endpointId: string
  readonly startedAt: number
  /** The result is being written. */
  answered: boolean
  done: Promise<void>
}

export type Deliverer = {
  /** Starts due deliveries while there is room. Returns how many were started. */
  start(): Promise<number>
  /** Resolves once no delivery is running. */
  settled(): Promise<void>
}

/**
 * Sends deliveries. Each attempt is signed with its own timestamp; the body is always identical. An answer of 2xx is
 * success; anything else is retried on the schedule.
 */
export function createDeliverer(
  app: App,
  options: { readonly onFinished: () => void; readonly onError: (error: unknown) => void },
): Deliverer {
  const underWay = new Map<string, UnderWay>()
  let renewing: NodeJS.Timeout | null = null
  const save = batch(
    async (results: readonly AttemptResult[]) => {
      await app.transaction((tx) => tx.webhookDeliveries.saveResults(results, disableAfterDays))
      return results.map(() => null)
    },
    { maxBatch: maxSaved, maxRunning: 1 },
  )
  const secrets = secretBook(app)

  /** Attempts a delivery in the trace of what caused its event. */
  function attempt(delivery: ClaimedDelivery, onAnswer: () => void): Promise<void> {
    if (!app.tracer.isOn) return attemptIn(null, delivery, onAnswer)
    const options = {
      kind: 'client',
      parent: readTraceparent(delivery.traceparent),
      attributes: {
        'sluice.event': delivery.event,
        'sluice.event_id': delivery.eventId,
        'sluice.environment': delivery.environment,
        'sluice.attempt': delivery.tries + 1,
      },
    } as const
    return inSpan(app.tracer, `deliver ${delivery.event}`, options, (span) =>
      within(span, () => attemptIn(span, delivery, onAnswer)),
    )
  }

  async function attemptIn(
    span: Span | null,
    delivery: ClaimedDelivery,
    onAnswer: () => void,
  ): Promise<void> {
    const signing = await secrets(delivery.endpointId)
    if (signing === null) throw new Error('This SLUICE_SECRET_KEY cannot open the secrets of an endpoint.')
    const body = webhookBody(delivery)
    const id = `evt_${delivery.eventId}`
    const timestampSeconds = Math.floor(app.now().getTime() / 1000)
    const signed = signedHeaders(signing, { id, timestampSeconds, body })
    const headers = {
      ...plainHeaders,
      ...signed,
      ...(span !== null && { traceparent: writeTraceparent(span.context) }),
    }
    const outcome = await app.webhooks.client.post({ url: delivery.url, body, headers })
    if (outcome.kind === 'answered') span?.set('http.response.status_code', outcome.status)
    if (!isSuccess(outcome)) span?.fail(outcome.kind === 'answered' ? String(outcome.status) : 'no_answer')
    onAnswer()
    // The client had no room, so the receiver was never called: this does not count as an attempt.
    if (outcome.kind === 'failed' && outcome.reason === 'busy')
      await app.store.webhookDeliveries.putBack(delivery.id, busyWaitMs)
    else
      await save({
        ...resultOf(app, delivery, outcome),
        signedAt: timestampSeconds,
        signature: signed['webhook-signature'] ?? '',
      })
  }

  const isOlder = (ms: number) => {
    const before = performance.now() - ms
    return ({ startedAt }: UnderWay) => startedAt < before
  }

  async function renew(): Promise<void> {
    const old = isOlder(renewEveryMs / 2)
    const ids = [...underWay].filter(([, each]) => old(each)).map(([id]) => id)
    if (ids.length > 0) await app.store.webhookDeliveries.renew(ids, claimMs)
  }

  function begin(delivery: ClaimedDelivery): void {
    // The process stalled for longer than its claim, and the earlier attempt is still running.
    if (underWay.has(delivery.id)) return
    const own: UnderWay = {
      endpointId: delivery.endpointId,
      startedAt: performance.now(),
      answered: false,
      done: Promise.resolve(),
    }
    // The place is free for the next delivery while this result is being written.
    const onAnswer = () => {
      own.answered = true
      options.onFinished()
    }
    own.done = attempt(delivery, onAnswer)
      // After any failure the claim expires and the delivery is retried.
      .catch(options.onError)
      .finally(() => {
        underWay.delete(delivery.id)
        if (underWay.size === 0 && renewing !== null) {
          clearInterval(renewing)
          renewing = null
        }
        options.onFinished()
      })
    underWay.set(delivery.id, own)
    renewing ??= setInterval(() => void renew().catch(options.onError), renewEveryMs)
  }

  return {
    async start() {
      const asking = [...underWay.values()].filter(({ answered }) => !answered)
      const slow = asking.filter(isOlder(slowAfterMs))
      const room = Math.min(maxQuick + slow.length - asking.length, maxUnderWay - underWay.size)
      if (room <= 0) return 0
      const full = [...byEndpoint(slow)].filter(([, count]) => count >= maxSlowPerEndpoint).map(([id]) => id)
      const limits = { ...perEndpoint, underWay: byEndpoint(asking), full }
      const claimed = await app.store.webhookDeliveries.claim(room, claimMs, limits)
      for (const delivery of claimed) begin(delivery)
      return claimed.length
    },
    settled: async () => {
      while (underWay.size > 0) await Promise.all([...underWay.values()].map(({ done }) => done))
    },
  }
}

/** How many of these deliveries go to each endpoint. */
function byEndpoint(deliveries: Iterable<UnderWay>): Map<string, number> {
  const counts = new Map<string, number>()
  for (const { endpointId } of deliveries) counts.set(endpointId, (counts.get(endpointId) ?? 0) + 1)
  return counts
}

function resultOf(
  app: App,
  delivery: ClaimedDelivery,
  outcome: Outcome,
): Omit<AttemptResult, 'signedAt' | 'signature'> {
  const answered = outcome.kind === 'answered' ? outcome : null
  const succeeded = isSuccess(outcome)
  const jitter = app.random(4).readUInt32BE() / 2 ** 32
  const retryInMs = nextAttemptDelayMs(delivery.tries + 1, jitter, answered?.retryAfterMs ?? null)
  return {
    deliveryId: delivery.id,
    endpointId: delivery.endpointId,
    succeeded,
    retryInMs: succeeded ? null : retryInMs,
    disableReason: answered?.status === 410 ? say('endpoint_gone') : null,
    statusCode: answered?.status ?? null,
    durationMs: Math.round(outcome.durationMs),
    error: outcome.kind === 'failed' ? inWords(outcome) : succeeded ? null : say('endpoint_refused'),
    answer: answered === null || answered.head === '' ? null : answered.head,
  }
}

function isSuccess(outcome: Outcome): boolean {
  return outcome.kind === 'answered' && outcome.status >= 200 && outcome.status < 300
}

function inWords({ reason, code }: Extract<Outcome, { kind: 'failed' }>): string {
  return code === null
    ? say('endpoint_no_answer', { detail: reason })
    : say('endpoint_no_answer', { detail: `${reason} (${code})` })
}

/** The unsealed signing secrets of an endpoint, re-read every other second. Null when they cannot be opened. */
function secretBook(app: App): (endpointId: string) => Promise<readonly string[] | null> {
  const read = batch(
    async (ids: readonly string[]) => {
      const sealed = await app.store.webhookEndpoints.secrets([...new Set(ids)])
      return ids.map((id) => sealed.get(id) ?? [])
    },
    { maxBatch: maxUnderWay, maxRunning: 1 },
  )
  const known = new Map<string, { secrets: readonly string[] | null; readAt: number }>()
  return async (endpointId) => {
    const held = known.get(endpointId)
    if (held !== undefined && performance.now() - held.readAt < secretsKnownMs) return held.secrets
    const readAt = performance.now()
    const { sealKey } = app.webhooks
    const opened = (await read(endpointId)).map((sealed) =>
      sealKey === null ? null : unseal(sealKey, sealed, secretPurpose(endpointId)),
    )
    const readable = opened.filter((secret) => secret !== null)
    const secrets = readable.length === 0 ? null : readable
    if (known.size > 10_000) known.clear()
    known.set(endpointId, { secrets, readAt })
    return secrets
  }
}
