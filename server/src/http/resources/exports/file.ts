import type { App } from '../../../app/app.ts'
import type { Environment } from '../../../domain/environment.ts'
import { type CsvFile, csvFile } from '../../dashboard/csv-stream.ts'
import type { Streamed } from '../../reply.ts'

/** What a file holds; its name says it. */
export type Exported = {
  readonly kind: string
  /** Null for a list of both environments. */
  readonly environment: Environment | null
  readonly filters?: readonly (string | null)[]
  readonly from?: Date | null
  readonly to?: Date | null
}

/** Answers with a list as a file. */
export type AnswerFile = <Row>(
  exported: Exported,
  columns: CsvFile<Row>['columns'],
  pages: CsvFile<Row>['pages'],
) => Promise<Streamed>

export function answersFiles(app: Pick<App, 'now'>, onFailed: (error: unknown) => void): AnswerFile {
  return (exported, columns, pages) =>
    csvFile({ name: fileName(exported, app.now()), columns, pages, onError: onFailed })
}

/**
 * The name of a file: kind, filters, environment, span of time and the day of the export, in UTC. A filter may be any text; one
 * that could break a file name is left out.
 */
function fileName({ kind, environment, filters = [], from = null, to = null }: Exported, now: Date): string {
  return [
    kind,
    ...filters.filter((each) => each !== null && /^[\w.]{1,32}$/.test(each)),
    ...(environment === null ? [] : [environment]),
    ...(from === null ? [] : [`from-${moment(from)}`]),
    ...(to === null ? [] : [`before-${moment(to)}`]),
    now.toISOString().slice(0, 10),
  ].join('-')
}

/** A day, or a minute where a day begins at another time than in UTC; without characters that a file name must not have. */
function moment(at: Date): string {
  const [day, time = ''] = at.toISOString().split('T')
  return time.startsWith('00:00:00.000') ? `${day}` : `${day}T${time.slice(0, 5).replace(':', '')}Z`
}

/** Rows as they are shown elsewhere. */
export async function* viewed<Row, View>(
  pages: AsyncGenerator<readonly Row[]>,
  view: (row: Row) => View,
): AsyncGenerator<readonly View[]> {
  for await (const rows of pages) yield rows.map(view)
}

/** Columns named as the members of what is shown. */
export function columnsOf<View>(names: readonly (keyof View & string)[]): CsvFile<View>['columns'] {
  return names.map((name) => [name, (view) => cellOf(view[name])])
}

function cellOf(value: unknown): string | null {
  if (value === null || value === undefined) return null
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}
