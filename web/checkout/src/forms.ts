import type { PageState } from '@sluice/web/checkout'

/** The target of a form without script: back to this page, in its language and its frame. */
export function formAction({
  path,
  language,
  embedded,
}: Pick<PageState, 'path' | 'language' | 'embedded'>): string {
  return `${path}?lang=${language}${embedded ? '&embed=1' : ''}`
}
