import type { CheckoutPhase } from '@sluice/web/contract'
import type { Session } from './session.svelte.ts'

/** The look of a status: something to do, on its way, done, or over. */
export type Tone = 'open' | 'busy' | 'done' | 'attention' | 'over'

const tones: Readonly<Record<CheckoutPhase, Tone>> = {
  choose: 'open',
  pay: 'open',
  closing: 'attention',
  detected: 'busy',
  confirming: 'busy',
  underpaid: 'attention',
  paid: 'done',
  overpaid: 'done',
  expired: 'over',
  cancelled: 'over',
}

/** The phase in words: a title, and what comes next. */
export function statusOf({
  checkout,
  phase,
  canSend,
  changing,
  t,
}: Session): { tone: Tone; title: string; text: string } | null {
  if (checkout === null || phase === null) return null
  const tone = tones[phase]
  if (changing) return { tone, title: t('choose_title'), text: t('choose_text') }
  const { asset } = checkout
  const currency = asset?.currency ?? ''
  if (asset !== null && phase === 'underpaid')
    return {
      tone,
      title: t('underpaid_title', { amount: asset.amount_missing, currency }),
      text: t('underpaid_text', { paid: asset.amount_paid, amount: asset.amount, currency }),
    }
  if (asset !== null && phase === 'overpaid')
    return {
      tone,
      title: t('overpaid_title'),
      text: t('overpaid_text', { amount: asset.amount_overpaid, currency }),
    }
  if ((phase === 'detected' || phase === 'confirming') && canSend)
    return { tone: 'attention', title: t(`${phase}_title`), text: t('partial_text') }
  return { tone, title: t(`${phase}_title`), text: t(`${phase}_text`) }
}

/** The title of the browser tab. */
export function pageTitle(session: Session): string {
  const { checkout, problem, t } = session
  if (problem !== null || checkout === null) return t(`${problem ?? 'unavailable'}_title`)
  return `${statusOf(session)?.title} · ${checkout.shop.name}`
}
