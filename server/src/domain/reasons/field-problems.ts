import { fieldSentences } from './fields.ts'
import { readersOf } from './readers.ts'

export type FieldCode = keyof typeof fieldSentences

/** What is wrong with one field. `code` is `other` for words that the catalogue does not have. */
export type FieldProblem = {
  /** The JSON pointer of the field. */
  readonly pointer: string
  readonly code: FieldCode | 'other'
  readonly message: string
  readonly values: Readonly<Record<string, string>>
}

// Where several sentences fit, the one with the most words of its own says the most.
const readers = readersOf(fieldSentences, { whole: true }).sort((one, other) => other.weight - one.weight)

// Far longer than any detail.
const mostRead = 4_000

/** A detail of a refusal, `<json pointer>: <what is wrong>`, in parts and with the code of its words. */
export function fieldProblem(detail: string): FieldProblem {
  const [, pointer = '', message = detail] = /^(\/[^:]*): (.*)$/s.exec(detail) ?? []
  for (const { code, read } of message.length > mostRead ? [] : readers) {
    const found = read(message)
    if (found !== null) return { pointer, code, ...found }
  }
  return { pointer, code: 'other', message, values: {} }
}
