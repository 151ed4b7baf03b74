/** One block of server-sent events (WHATWG HTML), as far as ours use them. */
export type EventStreamBlock = {
  /** Null: it does not change the position. */
  readonly id: string | null
  /** Null: it is no event. */
  readonly data: string | null
  readonly comment: string | null
}

const maxBlockLength = 4 * 1024 * 1024

/** Reads a stream block by block. Ends when it ends, and fails when it is cut. */
export async function* readBlocks(body: ReadableStream<Uint8Array>): AsyncGenerator<EventStreamBlock> {
  let text = ''
  for await (const chunk of body.pipeThrough(new TextDecoderStream())) {
    text += chunk
    for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
      const block = text.slice(0, end)
      text = text.slice(end + 2)
      yield readBlock(block)
    }
    if (text.length > maxBlockLength) throw new Error('The server sent something that is no event.')
  }
}

function readBlock(block: string): EventStreamBlock {
  let id: string | null = null
  let data: string | null = null
  let comment: string | null = null
  for (const line of block.split('\n')) {
    const colon = line.indexOf(':')
    const name = colon < 0 ? line : line.slice(0, colon)
    const value = colon < 0 ? '' : line.slice(colon + 1).replace(/^ /, '')
    if (name === '') comment = value
    else if (name === 'id') id = value
    else if (name === 'data') data = data === null ? value : `${data}\n${value}`
  }
  return { id, data, comment }
}
