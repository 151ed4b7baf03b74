import { createSluice, type Sluice, SluiceConnectionError, SluiceError } from '@sluice/sdk'
import type { Connection } from './connection.ts'
import { type FollowOptions, followEvents, type Told } from './follow-events.ts'
import { type EventStreamBlock, readBlocks } from './read-blocks.ts'

/** The API as these commands call it. */
export type ApiClient = Connection & {
  readonly sluice: Sluice
  /** Every event from a position on, and each later one, over any number of connections. */
  follow(options: FollowOptions): AsyncGenerator<Told, void, undefined>
}

export function createApiClient(connection: Connection): ApiClient {
  const { url, key } = connection
  const sluice = createSluice({ baseUrl: `${url}/api`, apiKey: key, maxRetries: 1 })

  return {
    ...connection,
    sluice,
    follow: (options) => followEvents({ open, waitMsAfter }, options),
  }

  async function open(
    query: { readonly events: readonly string[] | null; readonly after: string | null },
    signal: AbortSignal,
  ): Promise<AsyncGenerator<EventStreamBlock>> {
    const names = query.events === null ? '' : `?${new URLSearchParams({ events: query.events.join(',') })}`
    const response = await fetch(`${url}/api/v1/events/stream${names}`, {
      headers: {
        accept: 'text/event-stream',
        'x-api-key': key,
        ...(query.after !== null && { 'last-event-id': query.after }),
      },
      redirect: 'manual',
      signal,
    }).catch((error: unknown) => {
      signal.throwIfAborted()
      throw new SluiceConnectionError(`No answer from ${url}: ${reasonOf(error)}`, false)
    })
    const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') === true
    if (response.status === 200 && isStream && response.body !== null) return readBlocks(response.body)
    throw await refusalFrom(response)
  }
}

/** How long the service asks to wait before the same call may succeed; null if it never will. */
function waitMsAfter(error: unknown): number | null {
  if (!(error instanceof SluiceError)) return 0
  // What a proxy answers while Sluice restarts is not a refusal of Sluice.
  const isPassing = error.status === 429 || error.status >= 500 || error.code === 'unexpected_answer'
  return isPassing ? (error.retryAfter ?? 0) * 1000 : null
}

async function refusalFrom(response: Response): Promise<SluiceError> {
  const { status } = response
  const body = (await response.json().catch(() => null)) as {
    error?: { code?: string; message?: string; details?: string[] }
  } | null
  const code = body?.error?.code ?? 'unexpected_answer'
  const message =
    body?.error?.message ?? `The server answered with status ${status} and no event stream. Check SLUICE_URL.`
  return new SluiceError({
    status,
    code,
    message,
    details: body?.error?.details ?? [],
    requestId: response.headers.get('x-request-id'),
    retryAfter: Number(response.headers.get('retry-after')) || null,
  })
}

/** `fetch` hides the useful part, such as ECONNREFUSED, in its cause. */
function reasonOf(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
  const { code } = cause as { code?: unknown }
  return typeof code === 'string' ? code : cause instanceof Error ? cause.message : 'unknown reason'
}
