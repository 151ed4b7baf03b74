import { type Language, languages } from '@sluice/web/checkout'

/** The languages as their speakers call them. */
export const languageNames: Readonly<Record<Language, string>> = {
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
}

// Longer headers are somebody's game; what a browser sends is far shorter.
const mostAccepted = 40

/** The language that the address asks for, else the best of `Accept-Language` (RFC 9110) that we have, else English. */
export function languageFor(asked: string | null, accepted: string | null): Language {
  return known(asked ?? '') ?? preferred(accepted ?? '') ?? 'en'
}

function preferred(accepted: string): Language | null {
  const wishes = accepted.split(',', mostAccepted).map((part) => {
    const [range = '', ...parameters] = part.split(';')
    const quality = parameters.map((each) => /^\s*q\s*=\s*([\d.]+)\s*$/i.exec(each)?.[1]).find(Boolean)
    return { language: known(range), quality: quality === undefined ? 1 : Number(quality) }
  })
  const best = wishes
    .filter(({ language, quality }) => language !== null && quality > 0)
    .sort((a, b) => b.quality - a.quality)[0]
  return best?.language ?? null
}

function known(tag: string): Language | null {
  const primary = tag.trim().split('-')[0]?.toLowerCase()
  return languages.find((language) => language === primary) ?? null
}
