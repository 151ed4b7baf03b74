import type { ServerResponse } from 'node:http'
import type { FastifyReply } from 'fastify'

// A reader this far behind is disconnected, and may reconnect.
const maxWaitingBytes = 64 * 1024
// A reader that is waited for and takes nothing for this long is disconnected, and may reconnect.
const maxStallMs = 60_000

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

  /**
   * Sends an event with its id as soon as the reader has taken what was sent before, so that little waits in memory however
   * slow it is. False if the reader is gone.
   */
  async deliver(id: string, event: string, data: string): Promise<boolean> {
    if (!(await this.#ready())) return false
    this.#response.write(`id: ${id}\nevent: ${event}\ndata: ${data}\n\n`)
    return true
  }

  /** Sends a comment, so that proxies in between do not take the connection for dead. */
  beat(): void {
    this.#write(':\n\n')
  }

  /** Sends a comment and from where to continue after a cut. False: the reader is being waited for, and gets none. */
  mark(id: string, comment = ''): boolean {
    if (this.#response.writableNeedDrain) return false
    this.#write(`: ${comment}\nid: ${id}\n\n`)
    return true
  }

  end(): void {
    this.#response.end()
  }

  /** Runs when the connection is closed, for any reason; at once if that is so already. */
  onClose(run: () => void): void {
    // A reader may leave while its request is still being answered, and closing is not announced a second time.
    if (this.#response.destroyed) run()
    else this.#response.once('close', run)
  }

  #write(text: string): void {
    if (this.#isOver()) return
    // Judged by what is still waiting from before: a single event may be larger than the limit.
    if (this.#response.writableLength > maxWaitingBytes) this.#response.destroy()
    else this.#response.write(text)
  }

  async #ready(): Promise<boolean> {
    const response = this.#response
    if (!this.#isOver() && response.writableNeedDrain) {
      await new Promise<void>((resolve) => {
        const stalled = setTimeout(() => response.destroy(), maxStallMs)
        const settle = () => {
          clearTimeout(stalled)
          response.off('drain', settle).off('close', settle)
          resolve()
        }
        response.on('drain', settle).on('close', settle)
      })
    }
    return !this.#isOver()
  }

  #isOver(): boolean {
    return this.#response.destroyed || this.#response.writableEnded
  }
}
