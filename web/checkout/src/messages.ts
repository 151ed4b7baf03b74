import type { MessagesOf } from '@sluice/web/ui/messages.ts'
import type english from '../messages/en.json'

/** Every text of the page has a key in `messages/en.json`; the other languages have exactly the same keys. */
export type MessageKey = keyof typeof english
export type Messages = MessagesOf<MessageKey>
