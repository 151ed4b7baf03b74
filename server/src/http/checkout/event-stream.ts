import type { ServerResponse } from 'node:http'
import type { FastifyReply } from 'fastify'

// Whoever reads so slowly that this much waits is cut off, and may come back.
const maxWaitingBytes = 64 * 1024

/** Server-sent events (WHATWG HTML) on a connection that stays open. */
export class EventStream {
  readonly #response: ServerResponse

  /** Takes the connection over and begins to answer. */
  constructor(reply: FastifyReply) {
    reply.hijack()
    this.#response = reply.raw
    this.#response.writeHead(200, {
      ...(reply.getHeaders() as Record<string, string>),
      'Content-Type': 'text/event-stream; charset=utf-8',
      'Cache-Control': 'no-store',
      // Says to a proxy that each event is to be passed on at once.
      'X-Accel-Buffering': 'no',
    })
  }

  /** Sends an event; the data is one line. */
  send(event: string, data: string): void {
    this.#write(`event: ${event}\ndata: ${data}\n\n`)
  }

  /** A comment: keeps whatever lies between from taking the connection for dead. */
  beat(): void {
    this.#write(':\n\n')
  }

  end(): void {
    this.#response.end()
  }

  /** Runs when the connection is gone, however it went. */
  onClose(run: () => void): void {
    this.#response.once('close', run)
  }

  #write(text: string): void {
    if (this.#response.destroyed || this.#response.writableEnded) return
    // Judged by what still waits from before: one event may be larger than that by itself.
    if (this.#response.writableLength > maxWaitingBytes) this.#response.destroy()
    else this.#response.write(text)
  }
}
