import type { MessagesOf } from '@sluice/web/ui/messages.ts'
import type english from '../messages/en.json'

/** Every text of the dashboard has a key in `messages/en.json`; the other languages have exactly the same. */
export type MessageKey = keyof typeof english
export type Messages = MessagesOf<MessageKey>

/** The languages of the dashboard. */
export const languages = ['en', 'de'] as const
export type Language = (typeof languages)[number]

const files = import.meta.glob<Messages>('../messages/*.json', { import: 'default' })

export async function loadMessages(language: Language): Promise<Messages> {
  const load = files[`../messages/${language}.json`]
  if (load === undefined) throw new Error(`There are no messages in ${language}.`)
  return load()
}
