import type { Span } from '../../tracing/span.ts'
import type { App } from '../app.ts'
import { orNothing } from './or-nothing.ts'

/**
 * Shows in the traces of a spend's payouts that its transaction is being sent, and how long it waited for the signer, which
 * exports nothing itself. Returns what ends these spans.
 */
export async function traceSending(
  app: Pick<App, 'tracer' | 'store'>,
  spendId: string,
  attempt: number,
  gateId: string,
): Promise<() => void> {
  if (!app.tracer.isOn) return () => {}
  const spans: Span[] = []
  const payouts = await orNothing(app.store.traces.ofAttempt(spendId, attempt), [])
  for (const { payoutId, context, plannedAt, signedAt } of payouts) {
    const attributes = { 'sluice.payout_id': payoutId, 'sluice.gate': gateId, 'sluice.attempt': attempt }
    if (signedAt !== null)
      app.tracer.start('wait for signature', { parent: context, attributes, from: plannedAt, to: signedAt })
    spans.push(app.tracer.start('broadcast', { kind: 'client', parent: context, attributes }))
  }
  return () => {
    for (const span of spans) span.end()
  }
}
