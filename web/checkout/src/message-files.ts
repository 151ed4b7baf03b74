import type { Language } from '@sluice/web/checkout'
import type { Messages } from './messages.ts'

/** The texts of every language, each in its own file that is loaded on demand. */
export const messageFiles: Readonly<Record<Language, () => Promise<{ default: Messages }>>> = {
  en: () => import('../messages/en.json'),
  de: () => import('../messages/de.json'),
  es: () => import('../messages/es.json'),
  fr: () => import('../messages/fr.json'),
  pt: () => import('../messages/pt.json'),
  it: () => import('../messages/it.json'),
  nl: () => import('../messages/nl.json'),
  pl: () => import('../messages/pl.json'),
  tr: () => import('../messages/tr.json'),
  ja: () => import('../messages/ja.json'),
  zh: () => import('../messages/zh.json'),
  ar: () => import('../messages/ar.json'),
}
