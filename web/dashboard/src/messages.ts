import type { MessagesOf } from '@sluice/web/ui/messages.ts'
import type english from '../messages/en.json'

/** Every text of the dashboard has a key in `messages/en.json`; the other languages have exactly the same keys. */
export type MessageKey = keyof typeof english
export type Messages = MessagesOf<MessageKey>

/** The languages of the dashboard. */
export const languages = ['en', 'de', 'es', 'fr', 'pt'] as const
export type Language = (typeof languages)[number]

const files: Readonly<Record<Language, () => Promise<{ default: Messages }>>> = {
  en: () => import('../messages/en.json'),
  de: () => import('../messages/de.json'),
  es: () => import('../messages/es.json'),
  fr: () => import('../messages/fr.json'),
  pt: () => import('../messages/pt.json'),
}

/** Whether the dashboard has a language: an account may name one of another version. */
export function isLanguage(text: string): text is Language {
  return languages.some((language) => language === text)
}

export async function loadMessages(language: Language): Promise<Messages> {
  return (await files[language]()).default
}
