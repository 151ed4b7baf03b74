/**
 * Opens payment pages as bare sockets, in a process of its own so that the crowd costs the test no time. After `Orders` it
 * sends `open` once every page has received its invoice, and `Arrivals` once every page has received the awaited phase.
 */
import { connect } from 'node:net'

export type Orders = { readonly port: number; readonly tokens: readonly string[]; readonly phase: string }
export type Arrivals = { readonly firstMs: number; readonly lastMs: number }

const atOnce = 50
// As many from one IP address as the service allows, with room to spare.
const pagesOfIp = 40

process.once('message', async ({ port, tokens, phase }: Orders) => {
  let arrived = 0
  let firstMs = 0
  const waiting = tokens.map((token, at) => ({ token, at }))
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) await open(next.token, next.at)
    }),
  )
  process.send?.('open')

  function open(token: string, at: number): Promise<void> {
    return new Promise((resolve, reject) => {
      const socket = connect(port, '127.0.0.1')
      let text = ''
      socket.on('error', reject)
      socket.on('close', () => reject(new Error(`a page was closed: ${text}`)))
      socket.on('data', (chunk) => {
        text += chunk.toString('latin1')
        const end = text.lastIndexOf('\n\n')
        if (end === -1) return
        const whole = text.slice(0, end)
        text = text.slice(end)
        if (whole.includes('event: checkout')) resolve()
        if (whole.includes(`"phase":"${phase}"`)) arrive()
      })
      const ip = `10.9.${Math.floor(at / pagesOfIp) >> 8}.${Math.floor(at / pagesOfIp) & 255}`
      socket.write(
        `GET /checkout-api/invoice/stream HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\nX-Forwarded-For: ${ip}\r\n\r\n`,
      )
    })
  }

  function arrive(): void {
    if (arrived === 0) firstMs = Date.now()
    if (++arrived < tokens.length) return
    process.send?.({ firstMs, lastMs: Date.now() } satisfies Arrivals)
  }
})
