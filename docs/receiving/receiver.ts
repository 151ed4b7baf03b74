// Receives Sluice's webhooks. Run it with Node 24:  SLUICE_WEBHOOK_SECRET=whsec_… PORT=3000 node receiver.ts
import { createHmac, timingSafeEqual } from 'node:crypto'
import { createServer, type IncomingMessage } from 'node:http'

const secret = process.env.SLUICE_WEBHOOK_SECRET ?? ''
const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64')
if (key.length < 24) throw new Error('Set SLUICE_WEBHOOK_SECRET to the secret of the endpoint: whsec_…')

const toleranceSeconds = 5 * 60
const maxBodyBytes = 1024 * 1024

/** Whether this body was signed with our secret within five minutes of our clock. Pass the raw bytes, unparsed. */
function isGenuine(headers: IncomingMessage['headers'], body: Buffer): boolean {
  const id = String(headers['webhook-id'] ?? '')
  const timestamp = String(headers['webhook-timestamp'] ?? '')
  if (id === '' || !/^\d{1,12}$/.test(timestamp)) return false
  if (Math.abs(Date.now() / 1000 - Number(timestamp)) > toleranceSeconds) return false
  const expected = createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest()
  // While a secret is rotated there are two signatures, separated by a space. One match is enough.
  const signatures = String(headers['webhook-signature'] ?? '').split(' ')
  return signatures.some((signature) => {
    const given = Buffer.from(signature.replace(/^v1,/, ''), 'base64')
    return signature.startsWith('v1,') && given.length === expected.length && timingSafeEqual(given, expected)
  })
}

/** The raw body, or null if it is far larger than any event. */
async function readBody(request: IncomingMessage): Promise<Buffer | null> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of request) {
    length += chunk.length
    if (length > maxBodyBytes) return null
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

// Store these in your database, in the transaction that makes the changes for the event.
const handled = new Set<string>()

const server = createServer(async (request, response) => {
  const body = request.method === 'POST' ? await readBody(request).catch(() => null) : null
  if (body === null || !isGenuine(request.headers, body)) {
    response.writeHead(400).end('not a valid webhook\n')
    return
  }
  const event = JSON.parse(body.toString('utf8'))
  // The same event may arrive more than once, always with the same id.
  if (!handled.has(event.id)) {
    handled.add(event.id)
    console.log(`${event.event} ${event.id}`)
  }
  // Respond at once, and do the slow part afterwards.
  response.writeHead(204).end()
})

server.listen(Number(process.env.PORT ?? 3000), '127.0.0.1', () => {
  const address = server.address()
  console.log(`listening on ${typeof address === 'object' ? address?.port : address}`)
})
