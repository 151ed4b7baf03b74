import { type Language, languages } from '@sluice/web/checkout'
import { chooseLanguage } from '@sluice/web/ui/languages.ts'

/** The language in the URL, else the best match of `Accept-Language`, else English. */
export function languageFor(asked: string | null, accepted: string | null): Language {
  return chooseLanguage(languages, asked, accepted)
}
