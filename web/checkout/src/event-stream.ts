/** One server-sent event. */
export type StreamEvent = { readonly name: string; readonly data: string }

// An event is one view of an invoice, a few kilobytes; anything far larger is not from our service.
const largestEvent = 1_000_000

/**
 * Reads server-sent events (WHATWG HTML, 9.2) from chunks of text as they arrive, wherever they were cut. This page
 * does not use `id` and `retry`, so they are ignored.
 */
export function eventStreamReader(): (piece: string) => StreamEvent[] {
  let rest = ''
  let name = ''
  let data: string[] = []
  let started = false

  const finish = (): StreamEvent[] => {
    const event = { name: name === '' ? 'message' : name, data: data.join('\n') }
    const complete = data.length > 0
    name = ''
    data = []
    return complete ? [event] : []
  }

  const readLine = (line: string): StreamEvent[] => {
    if (line === '') return finish()
    const colon = line.indexOf(':')
    const field = colon === -1 ? line : line.slice(0, colon)
    const value = colon === -1 ? '' : line.slice(colon + 1).replace(/^ /, '')
    if (field === 'event') name = value
    else if (field === 'data') data.push(value)
    return []
  }

  return (piece) => {
    rest += started ? piece : piece.replace(/^\uFEFF/, '')
    started ||= piece !== ''
    const events: StreamEvent[] = []
    // A carriage return at the very end may be the first half of a line end, so it waits.
    for (let end = lineEnd.exec(rest); end !== null; end = lineEnd.exec(rest)) {
      events.push(...readLine(rest.slice(0, end.index)))
      rest = rest.slice(end.index + end[0].length)
    }
    if (rest.length > largestEvent) throw new Error('An event of the stream is too large.')
    return events
  }
}

const lineEnd = /\r\n|\n|\r(?=[\s\S])/
