import { createSluice } from '../src/client.ts'

/** A request as the service would see it. */
export type Sent = { method: string; url: string; body: Record<string, unknown> | null }

/** A service that answers each request with the next of `answers`, and repeats the last one. */
export function clientOf(sent: Sent[], answers: readonly (() => Response)[]) {
  return createSluice(
    {
      baseUrl: 'http://127.0.0.1:1/api',
      apiKey: `sk_test_${'ab'.repeat(32)}`,
      fetch: async (url, init) => {
        sent.push({
          method: init.method ?? '',
          url: url.replace('http://127.0.0.1:1/api', ''),
          body: init.body == null ? null : JSON.parse(String(init.body)),
        })
        return (answers[sent.length - 1] ?? (answers.at(-1) as () => Response))()
      },
    },
    { sleep: async () => {}, random: () => 0, now: () => 0 },
  )
}

/** An answer with one resource. */
export const one = (data: object) => () => Response.json({ data, meta: { request_id: 'req_1' } })
export const failure = () =>
  Response.json({ error: { code: 'internal_error', message: '' }, meta: {} }, { status: 500 })
/** An answer with a page of rows. */
export const page = (rows: object[], hasMore: boolean) => () =>
  Response.json({
    data: rows,
    meta: {
      request_id: 'req_1',
      pagination: {
        total: 3,
        limit: 100,
        offset: 0,
        has_more: hasMore,
        next_cursor: hasMore ? 'next' : null,
      },
    },
  })
