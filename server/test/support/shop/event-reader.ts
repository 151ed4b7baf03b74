import { expect } from 'vitest'
import { readContract } from './contract.ts'

const contract = readContract('contract.generated.json')

export type ReadEvent = {
  readonly id: string
  readonly position: string
  readonly event: string
  readonly data: Record<string, unknown>
}

/** An open event stream, with everything received so far. */
export type EventReader = {
  /** Each was checked against the contract. */
  readonly events: ReadEvent[]
  /** The last id, which an `EventSource` would send after a cut. */
  lastId(): string
  /** How many heartbeats came. */
  beats(): number
  /** Resolves once the service or the test has ended it. */
  readonly ended: Promise<void>
  close(): void
}

/** Reads the event stream of a key. `pace` is awaited before each chunk is taken. */
export async function readEvents(
  { url, key }: { readonly url: string; readonly key: string },
  options: { query?: Record<string, string>; lastEventId?: string; pace?: () => Promise<void> } = {},
): Promise<EventReader> {
  const stop = new AbortController()
  const query = new URLSearchParams(options.query).toString()
  const response = await fetch(`${url}/api/v1/events/stream${query === '' ? '' : `?${query}`}`, {
    headers: {
      'X-API-Key': key,
      ...(options.lastEventId !== undefined && { 'Last-Event-ID': options.lastEventId }),
    },
    signal: stop.signal,
  })
  if (response.status !== 200 || response.body === null)
    throw new Error(`the stream was refused: ${response.status} ${await response.text()}`)
  const events: ReadEvent[] = []
  let lastId = ''
  let beats = 0
  return {
    events,
    lastId: () => lastId,
    beats: () => beats,
    ended: read(response.body),
    close: () => stop.abort(),
  }

  async function read(body: ReadableStream<Uint8Array>): Promise<void> {
    let text = ''
    try {
      for await (const chunk of body.pipeThrough(new TextDecoderStream())) {
        text += chunk
        const blocks = text.split('\n\n')
        text = blocks.pop() ?? ''
        for (const block of blocks) take(block)
        await options.pace?.()
      }
    } catch (error) {
      // Cut, by us or by the service: nothing more will come.
      if (!(error instanceof Error) || error.name === 'AssertionError') throw error
    }
  }

  function take(block: string): void {
    lastId = /^id: (.*)$/m.exec(block)?.[1] ?? lastId
    if (block.startsWith(':')) beats++
    const data = /^data: (.*)$/m.exec(block)?.[1]
    if (data === undefined) return
    const event = JSON.parse(data) as ReadEvent
    contract.expectSchema('Event', event)
    expect(lastId).toBe(event.position)
    expect(/^event: (.*)$/m.exec(block)?.[1]).toBe(event.event)
    events.push(event)
  }
}
