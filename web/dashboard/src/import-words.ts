import { RefusedError } from './api/errors.ts'
import type { Desk } from './desk.svelte.ts'
import type { FileProblem, RowProblem } from './payout-file.ts'
import { mostRows } from './payout-file.ts'
import { existsAlready, type ImportRow } from './payout-import.svelte.ts'
import { amountForField } from './typed-amounts.ts'

/** What is wrong with a cell: its column, if it is about one, and the words. */
export type SaidOfRow = { readonly column: string; readonly said: string }

/** What is wrong with a file as a whole. */
export function fileProblemText({ t }: Desk, problem: FileProblem | { readonly code: 'large' }): string {
  switch (problem.code) {
    case 'misquoted':
      return t('import_misquoted', { line: problem.line })
    case 'unknown':
    case 'double':
    case 'missing':
      return t(`import_${problem.code}`, { names: problem.names.join(', ') })
    case 'many':
      return t('import_many', { count: problem.count, most: mostRows })
    case 'empty':
    case 'large':
      return t(`import_${problem.code}`)
  }
}

/** Everything that is wrong with a row, by the page and by the service. */
export function problemsOf(desk: Desk, each: ImportRow): SaidOfRow[] {
  const { row, verdict, refused } = each
  const own = row.problems.map((problem) => ({ column: problem.field, said: cellText(desk, problem) }))
  if (existsAlready(each)) return own
  const error = verdict?.error ?? null
  // It came with the answers to others, so it has no status of its own.
  const refusal = error === null ? refused : new RefusedError(422, error, null, null)
  return refusal === null ? own : [...own, ...refusalTexts(desk, refusal)]
}

function cellText({ t, language }: Desk, problem: RowProblem): string {
  switch (problem.code) {
    case 'missing':
      return t('field_missing')
    case 'unclear':
      return t('amount_unclear', { example: amountForField(language, '1234.5') })
    case 'long':
      return t('import_long', { count: problem.most })
    case 'same_id':
      return t('import_same_id', { line: problem.other })
    case 'flag':
    case 'surplus':
      return t(`import_${problem.code}`)
  }
}

function refusalTexts(desk: Desk, refusal: RefusedError): SaidOfRow[] {
  const texts = refusal.problems.map(({ field }) => ({
    column: field.replace('/', '.'),
    said: desk.wrong(refusal, field) ?? desk.explain(refusal),
  }))
  if (texts.length === 0) return [{ column: '', said: desk.explain(refusal) }]
  // In languages other than English two fields may have the same words.
  return texts.filter(({ said }, at) => texts.findIndex((each) => each.said === said) === at)
}
