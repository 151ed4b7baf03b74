import { once } from 'node:events'
import type { FastifyReply } from 'fastify'
import { csvRow } from '../csv.ts'
import { Streamed } from '../reply.ts'

export type CsvFile<Row> = {
  /** The file name without its extension. */
  readonly name: string
  /** Each column's title and how to get its cell from a row. */
  readonly columns: readonly (readonly [string, (row: Row) => string | null])[]
  /** Rows, read on demand. */
  readonly pages: AsyncGenerator<readonly Row[]>
  /** Called with the error that cut short a file already begun. */
  readonly onError: (error: unknown) => void
}

/**
 * An answer that is a CSV file, produced while it is sent: no faster than the client reads it, and no further once the
 * client is gone. The first page is read before anything is sent, so that an early error gets an ordinary error answer.
 */
export async function csvFile<Row>(file: CsvFile<Row>): Promise<Streamed> {
  const first = await file.pages.next()
  return new Streamed((request, reply) => {
    void send(file, request.method === 'HEAD' ? { done: true, value: undefined } : first, reply)
  })
}

async function send<Row>(
  { name, columns, pages, onError }: CsvFile<Row>,
  first: IteratorResult<readonly Row[]>,
  reply: FastifyReply,
): Promise<void> {
  reply.hijack()
  const response = reply.raw
  const gone = new AbortController()
  response.once('close', () => gone.abort())
  response.writeHead(200, {
    ...(reply.getHeaders() as Record<string, string>),
    'Content-Type': 'text/csv; charset=utf-8',
    'Content-Disposition': `attachment; filename="${name}.csv"`,
    'X-Content-Type-Options': 'nosniff',
  })
  try {
    response.write(csvRow(columns.map(([title]) => title)))
    for (let page = first; !page.done && !gone.signal.aborted; page = await pages.next()) {
      const text = page.value.map((row) => csvRow(columns.map(([, cell]) => cell(row)))).join('')
      if (!response.write(text)) await once(response, 'drain', { signal: gone.signal })
    }
    response.end()
  } catch (error) {
    // A truncated file must not look complete: the connection is destroyed, not closed.
    response.destroy()
    if (!gone.signal.aborted) onError(error)
  } finally {
    await pages.return(undefined)
  }
}
