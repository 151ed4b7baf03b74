import { RefusedError } from './api/errors.ts'
import type { AwayWords } from './components/service-away.svelte'
import type { Desk } from './desk.svelte.ts'

/** For as long as the words of the page's language are not there. */
export const englishAwayWords: AwayWords = {
  title: 'The service does not answer',
  text: 'It may be down for a moment, or your connection is. This page keeps trying, and opens as soon as it can.',
  again: 'Try again',
  trying: 'Trying again …',
}

/** The same in the language of the page. A refusal of the service itself says more. */
export function awayWords({ t, explain }: Desk, error: unknown): AwayWords {
  const isAnswer = error instanceof RefusedError && (error.status < 500 || error.requestId !== null)
  return {
    title: t(isAnswer ? 'problem_title' : 'away_title'),
    text: isAnswer ? explain(error) : t('away_text'),
    again: t('try_again'),
    trying: t('away_trying'),
  }
}
