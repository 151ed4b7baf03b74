/** A text, or its plural forms by the categories of Intl.PluralRules. */
export type Message = string | Readonly<Record<string, string>>

/** Every text of a page in one language, by its key. */
export type MessagesOf<Key extends string> = Readonly<Record<Key, Message>>
export type MessageValues = Readonly<Record<string, string | number>>

/**
 * The text of a key with its placeholders filled in. `count` decides the plural form. Values keep their own writing
 * direction: an amount stays readable inside Arabic.
 */
export function translate<Key extends string>(
  language: string,
  messages: MessagesOf<Key>,
  key: Key,
  values: MessageValues = {},
): string {
  return fill(pluralForm(language, messages[key], values.count), values, isRightToLeft(language))
}

/** Whether a language is written from right to left. */
export function isRightToLeft(language: string): boolean {
  return language === 'ar'
}

function pluralForm(language: string, message: Message, count: string | number | undefined): string {
  if (typeof message === 'string') return message
  const form = message[new Intl.PluralRules(language).select(Number(count))] ?? message.other
  if (form === undefined) throw new Error(`A message in ${language} has no form for ${count}.`)
  return form
}

// U+2068 and U+2069 isolate a value of unknown direction (Unicode Standard Annex 9).
function fill(text: string, values: MessageValues, isolated: boolean): string {
  return text.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = String(values[name] ?? '')
    return isolated ? `\u2068${value}\u2069` : value
  })
}
