import { Agent, request } from 'node:http'
import { signedHeaders } from '../../server/src/domain/webhooks.ts'

/** Posts each message once over kept-alive connections, this many at a time, and nothing else. */
export async function postAll(
  url: string,
  messages: readonly { readonly id: string; readonly body: string }[],
  secret: string,
  concurrency: number,
): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: concurrency })
  const queue = messages.values()
  const lane = async () => {
    for (const message of queue) await post(url, message, secret, agent)
  }
  await Promise.all(Array.from({ length: concurrency }, lane))
  agent.destroy()
}

function post(url: string, message: { id: string; body: string }, secret: string, agent: Agent) {
  const bytes = Buffer.from(message.body)
  const timestampSeconds = Math.floor(Date.now() / 1000)
  const headers = {
    'content-type': 'application/json',
    'content-length': bytes.length,
    ...signedHeaders([secret], { ...message, timestampSeconds }),
  }
  return new Promise<void>((resolve, reject) => {
    const sending = request(url, { method: 'POST', agent, headers }, (response) => {
      response.resume()
      response.once('end', resolve)
    })
    sending.once('error', reject)
    sending.end(bytes)
  })
}
