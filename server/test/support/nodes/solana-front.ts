import { once } from 'node:events'
import { Agent, createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'

type Call = { readonly method: string }
type Answer = { readonly id: unknown; readonly result?: unknown }

// A block is complete when two more have begun.
const slotsBehind = 2
const pollMs = 10
const sending: ReadonlySet<string> = new Set(['sendTransaction', 'requestAirdrop'])
const slotCall = JSON.stringify({ jsonrpc: '2.0', id: 0, method: 'getSlot', params: [] })

/**
 * A proxy that makes the blocks of our validator those of a real network. On its own the validator names a slot whose block
 * still grows as the newest final one; and of several transactions in a slot, `getBlock` shows only one, although each was
 * executed. So the newest slots are not named, and transactions are sent one in a slot. The sender gets the answer once
 * its slot is named.
 */
export async function startSolanaFront(
  nodePort: number,
): Promise<{ readonly url: string; close(): Promise<void> }> {
  const agent = new Agent({ keepAlive: true })
  let last: Promise<unknown> = Promise.resolve()
  let isOpen = true

  async function forward(body: string): Promise<string> {
    const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }
    const asked = request({ host: '127.0.0.1', port: nodePort, method: 'POST', agent, headers })
    asked.end(body)
    try {
      const [answer] = await once(asked, 'response')
      return await text(answer)
    } catch (error) {
      // The node may close an idle connection just as it is used again.
      if (isOpen && asked.reusedSocket) return forward(body)
      throw error
    }
  }

  async function slotNow(): Promise<number> {
    return JSON.parse(await forward(slotCall)).result
  }

  async function untilSlot(slot: number): Promise<void> {
    while (isOpen && (await slotNow()) < slot) await sleep(pollMs)
  }

  async function sendAlone(body: string): Promise<string> {
    const sent = last.then(async () => {
      const answer = await forward(body)
      const slot = await slotNow()
      await untilSlot(slot + 1)
      return { answer, slot }
    })
    last = sent.catch(() => {})
    const { answer, slot } = await sent
    await untilSlot(slot + slotsBehind)
    return answer
  }

  function namedLater(answer: Answer, { method }: Call): Answer {
    const { result } = answer
    return method === 'getSlot' && typeof result === 'number'
      ? { ...answer, result: Math.max(0, result - slotsBehind) }
      : answer
  }

  async function answerTo(body: string): Promise<string> {
    const asked: Call | readonly Call[] = JSON.parse(body)
    const calls = [asked].flat()
    if (calls.some(({ method }) => sending.has(method))) {
      if (calls.length > 1) throw new Error('Transactions are sent one by one.')
      return sendAlone(body)
    }
    const answer = await forward(body)
    if (!calls.some(({ method }) => method === 'getSlot')) return answer
    const answers = [JSON.parse(answer)].flat() as Answer[]
    const changed = answers.map((each, at) => namedLater(each, calls[at] ?? { method: '' }))
    return JSON.stringify(Array.isArray(asked) ? changed : changed[0])
  }

  const server = createServer(async (incoming, response) => {
    try {
      const answer = await answerTo(await text(incoming))
      response.setHeader('content-type', 'application/json').end(answer)
    } catch {
      // The node is unreachable.
      response.destroy()
    }
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      isOpen = false
      agent.destroy()
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
