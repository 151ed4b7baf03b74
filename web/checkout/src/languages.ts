import { type Language, languages } from '@sluice/web/checkout'
import { chooseLanguage } from '@sluice/web/ui/languages.ts'

/** The language that the address asks for, else the best of `Accept-Language` that we have, else English. */
export function languageFor(asked: string | null, accepted: string | null): Language {
  return chooseLanguage(languages, asked, accepted)
}
