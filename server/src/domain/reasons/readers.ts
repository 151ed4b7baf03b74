type Found = { readonly message: string; readonly values: Readonly<Record<string, string>> }

/** Finds one sentence, with the values that fill its braces. `weight` counts the letters that are the sentence's own. */
export type Reader<Code extends string> = {
  readonly code: Code
  readonly weight: number
  readonly read: (text: string) => Found | null
}

// What a node says ends with the text, or where a sentence of ours follows it.
const afterSaid =
  'The (?:node|nodes|server|payout) |None of |Nothing is |Meanwhile, |It is (?:signed|sent|checked) '

// Values hold no blanks, except these. A reason that quotes others has them after it, as sentences of their own.
const forms: Readonly<Record<string, string>> = {
  network: '[^.:,;]{1,60}?',
  detail: '[^]+?',
  // A person's own words, up to the end: none of them is a sentence of ours.
  note: '[^]+',
  said: `[^]+?(?=\\.?(?:$| (?:${afterSaid})))`,
  coins: '.+?',
  hosts: '\\S+(?:, \\S+)*?',
  others: '.+?',
  called: '.{1,60}?',
  right: '.{1,60}?',
  ranges: '.+?',
  state: '.{1,200}?',
  path: '.+?',
  actor: '.+?',
  limit: '.+?',
  amount: '\\S+ \\S+?',
  available: '\\S+ \\S+?',
  seen: '\\S+ \\S+?',
  approved: '\\S+ \\S+?',
  refunded: '\\S+ \\S+?',
  least: '\\S+(?: \\S+?)?',
  most: '\\S+(?: \\S+?)?',
  setting: '.{1,400}?',
  currencies: '\\S+(?: or \\S+)*?',
  choices: '\\S+(?:, \\S+)*?',
  names: '[^]+?',
  pattern: '[^]+?',
  permission: '[^]+?',
  merchant: '.{1,255}?',
  place: '\\S+(?: tag \\S+)? on \\S+',
  permissions: '\\S+(?:, \\S+)*?',
  there: '(?:is|are) \\d+',
}

const escaped = (text: string) => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')

/** Readers of the sentences of a catalogue: at the start of a text up to a blank, or of a text as a `whole`. */
export function readersOf<Code extends string>(
  catalogue: Readonly<Record<Code, string>>,
  { whole = false } = {},
): Reader<Code>[] {
  return (Object.entries(catalogue) as [Code, string][]).map(([code, sentence]) => {
    const parts = sentence.split(/\{(\w+)\}/)
    const names = parts.filter((_, at) => at % 2 === 1)
    const source = parts.map((part, at) => (at % 2 === 1 ? `(${forms[part] ?? '\\S+?'})` : escaped(part)))
    const pattern = new RegExp(`^${source.join('')}${whole ? '$' : '(?= |$)'}`)
    const own = parts.filter((_, at) => at % 2 === 0)
    // Most sentences are ruled out by how they begin, which costs less than the expression.
    const start = own[0] ?? ''
    return {
      code,
      weight: own.join('').length,
      read: (text) => {
        const match = text.startsWith(start) ? pattern.exec(text) : null
        if (match === null) return null
        const values = Object.fromEntries(names.map((name, at) => [name, match[at + 1] ?? '']))
        return { message: match[0], values }
      },
    }
  })
}
