import type { ServerResponse } from 'node:http'
import type { FastifyReply } from 'fastify'

// A reader this far behind is disconnected, and may reconnect.
const maxWaitingBytes = 64 * 1024

/** Server-sent events (WHATWG HTML) on a connection that stays open. */
export class EventStream {
  readonly #response: ServerResponse

  /** Takes over the connection and begins the answer. */
  constructor(reply: FastifyReply) {
    reply.hijack()
    this.#response = reply.raw
    this.#response.writeHead(200, {
      ...(reply.getHeaders() as Record<string, string>),
      'Content-Type': 'text/event-stream; charset=utf-8',
      'Cache-Control': 'no-store',
      // Tells proxies to pass on each event at once.
      'X-Accel-Buffering': 'no',
    })
  }

  /** Sends an event; the data is one line. */
  send(event: string, data: string): void {
    this.#write(`event: ${event}\ndata: ${data}\n\n`)
  }

  /** Sends a comment, so that proxies in between do not take the connection for dead. */
  beat(): void {
    this.#write(':\n\n')
  }

  end(): void {
    this.#response.end()
  }

  /** Runs when the connection is closed, for any reason. */
  onClose(run: () => void): void {
    this.#response.once('close', run)
  }

  #write(text: string): void {
    if (this.#response.destroyed || this.#response.writableEnded) return
    // Judged by what is still waiting from before: a single event may be larger than the limit.
    if (this.#response.writableLength > maxWaitingBytes) this.#response.destroy()
    else this.#response.write(text)
  }
}
