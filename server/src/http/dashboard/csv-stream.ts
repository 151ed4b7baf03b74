import { once } from 'node:events'
import type { FastifyReply } from 'fastify'
import { csvRow } from '../csv.ts'
import { Streamed } from '../reply.ts'

export type CsvFile<Row> = {
  /** Without its ending. */
  readonly name: string
  /** What each column is called and what a row has in it. */
  readonly columns: readonly (readonly [string, (row: Row) => string | null])[]
  /** Rows as they are asked for. */
  readonly pages: AsyncGenerator<readonly Row[]>
  /** Told of what broke off a file that was begun. */
  readonly onError: (error: unknown) => void
}

/**
 * An answer that is a CSV file, made while it is sent: no faster than it is read, and no further once nobody reads it. The
 * first page is read before anything is sent, so that what goes wrong at once is refused as usual.
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
    // A file that ends early must not look whole: the connection is cut instead of closed.
    response.destroy()
    if (!gone.signal.aborted) onError(error)
  } finally {
    await pages.return(undefined)
  }
}
