import { alertSentences } from './alerts.ts'
import { approvingSentences } from './approving.ts'
import { attemptSentences } from './attempts.ts'
import { changeSentences } from './changes.ts'
import { endSentences } from './ends.ts'
import { ledgerSentences } from './ledger.ts'
import { nodeSentences } from './nodes.ts'
import { nodeCallSentences } from './nodes-calls.ts'
import { nodeChainSentences } from './nodes-chains.ts'
import { otherSentences } from './other.ts'
import { readersOf } from './readers.ts'
import { refusalSentences } from './refusals.ts'
import { signerSentences } from './signer.ts'
import { waitingSentences } from './waiting.ts'

/**
 * Every sentence with which the service explains itself to the people of the dashboard, by its code. Rows keep the sentence
 * alone, and its code is read from it: so a row of any age has one, and code and sentence cannot disagree.
 */
export const catalogue = {
  ...waitingSentences,
  ...approvingSentences,
  ...signerSentences,
  ...endSentences,
  // Before the general sentence of otherSentences, which fits the same words.
  ...attemptSentences,
  ...otherSentences,
  ...changeSentences,
  ...alertSentences,
  ...refusalSentences,
  ...ledgerSentences,
  ...nodeSentences,
  ...nodeCallSentences,
  ...nodeChainSentences,
} as const

export type ReasonCode = keyof typeof catalogue
type Placeholders<Text extends string> = Text extends `${string}{${infer Name}}${infer Rest}`
  ? Name | Placeholders<Rest>
  : never
type Values<Code extends ReasonCode> = Readonly<
  Record<Placeholders<(typeof catalogue)[Code]>, string | bigint | number>
>

/** One sentence of a reason; `code` is `other` for words that the catalogue does not have, such as a node's. */
export type Reason = {
  readonly code: ReasonCode | 'other'
  readonly message: string
  readonly values: Readonly<Record<string, string>>
}

/** A sentence of the catalogue. */
export function say<Code extends ReasonCode>(
  code: Code,
  ...[values]: Placeholders<(typeof catalogue)[Code]> extends never ? [] : [Values<Code>]
): string {
  const given = (values ?? {}) as Readonly<Record<string, string | bigint | number>>
  return catalogue[code].replace(/\{(\w+)\}/g, (_, name: string) => String(given[name] ?? ''))
}

/** Several sentences as one text. Empty ones are left out. */
export function sayAll(...sentences: readonly (string | null)[]): string {
  return sentences.filter((sentence) => sentence !== null && sentence !== '').join(' ')
}

/** The sentences of a text, in order, each with its code. Joined by blanks, their messages are the text. */
export function reasonsIn(text: string | null): Reason[] {
  const found: Reason[] = []
  let strange: string[] = []
  const tellStrange = () => {
    if (strange.length > 0) found.push({ code: 'other', message: strange.join(' '), values: {} })
    strange = []
  }
  if (text !== null && text.length > mostRead) return [{ code: 'other', message: text, values: {} }]
  let rest = text ?? ''
  while (rest !== '') {
    const known = firstIn(rest)
    if (known !== null) {
      tellStrange()
      found.push(known)
    }
    // Words that are in no sentence of ours end where one begins.
    const blank = rest.indexOf(' ')
    const next = known?.message ?? (blank === -1 ? rest : rest.slice(0, blank))
    if (known === null) strange.push(next)
    rest = rest.slice(next.length + 1)
  }
  tellStrange()
  return found
}

// Far longer than anything the service says: such a text is a node's, and looking through it would hold up other requests.
const mostRead = 4_000

const readers = readersOf(catalogue)

/** The sentence that a text begins with; the longest one where several fit, as the most is said by it. */
function firstIn(text: string): Reason | null {
  let best: Reason | null = null
  for (const { code, read } of readers) {
    const found = read(text)
    if (found !== null && found.message.length > (best?.message.length ?? 0)) best = { code, ...found }
  }
  return best
}
