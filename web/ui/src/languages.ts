/** Languages as their speakers call them. */
export const languageNames = {
  en: 'English',
  de: 'Deutsch',
  es: 'Español',
  fr: 'Français',
  pt: 'Português',
  it: 'Italiano',
  nl: 'Nederlands',
  pl: 'Polski',
  tr: 'Türkçe',
  ja: '日本語',
  zh: '中文',
  ar: 'العربية',
} as const

// A browser's header is far shorter; a longer one is not genuine.
const mostAccepted = 40

/**
 * Of the page's languages the one asked for, else the best match of an `Accept-Language` (RFC 9110), else the first.
 */
export function chooseLanguage<Language extends string>(
  had: readonly [Language, ...Language[]],
  asked: string | null,
  accepted: string | null,
): Language {
  return known(had, asked ?? '') ?? preferred(had, accepted ?? '') ?? had[0]
}

function preferred<Language extends string>(had: readonly Language[], accepted: string): Language | null {
  const wishes = accepted.split(',', mostAccepted).map((part) => {
    const [range = '', ...parameters] = part.split(';')
    const quality = parameters.map((each) => /^\s*q\s*=\s*([\d.]+)\s*$/i.exec(each)?.[1]).find(Boolean)
    return { language: known(had, range), quality: quality === undefined ? 1 : Number(quality) }
  })
  const best = wishes
    .filter(({ language, quality }) => language !== null && quality > 0)
    .sort((a, b) => b.quality - a.quality)[0]
  return best?.language ?? null
}

function known<Language extends string>(had: readonly Language[], tag: string): Language | null {
  const primary = tag.trim().split('-')[0]?.toLowerCase()
  return had.find((language) => language === primary) ?? null
}
