import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { appendFileSync, closeSync, openSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createInterface } from 'node:readline/promises'
import { parseArgs } from 'node:util'

/** What a shop may do: no more than its package needs. */
const permissions = 'invoices:read,invoices:write,refunds:read,refunds:write'
const waitMs = 10 * 60_000

export type Pairing = {
  readonly app: 'medusa' | 'vendure'
  /** The origin of Sluice, like `https://pay.example.com`. */
  readonly origin: string
  /** The shop's name, as staff will see it in Sluice. */
  readonly name: string
  /** The shop's address for webhooks. */
  readonly webhook: string
}

export type PairedShop = {
  readonly api_key: string
  readonly webhook_secret: string
  readonly merchant_name: string
  readonly environment: string
}

/** How the browser's answer gets here: where it is sent, and the address at which it arrives with this state. */
export type Return = { readonly url: string; readonly arrival: (state: string) => Promise<string> }

/**
 * Connects a shop: a person allows it in Sluice's dashboard, and this process exchanges the code that comes back for a key and
 * a webhook secret. The code is useless without the verifier (PKCE, RFC 7636), which never leaves this process until then.
 */
export async function pairShop(
  pairing: Pairing,
  back: Return,
  show: (address: string) => void,
): Promise<PairedShop> {
  const verifier = randomBytes(48).toString('base64url')
  const state = randomBytes(24).toString('base64url')
  const page = new URL('/dashboard/connect', pairing.origin)
  page.search = new URLSearchParams({
    app: pairing.app,
    name: pairing.name,
    return: back.url,
    webhook: pairing.webhook,
    state,
    challenge: createHash('sha256').update(verifier).digest('base64url'),
    permissions,
  }).toString()
  show(page.href)
  const answer = new URL(await back.arrival(state)).searchParams
  if (answer.get('state') !== state) throw new Error('The answer belongs to another attempt. Start again.')
  const code = answer.get('code')
  if (code === null) throw new Error(`Sluice did not allow it: ${answer.get('error') ?? 'there is no code'}.`)
  const response = await fetch(new URL('/api/v1/shop_connections', pairing.origin), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ code, verifier }),
    redirect: 'error',
    signal: AbortSignal.timeout(30_000),
  })
  const body = (await response.json()) as { data?: PairedShop; error?: { message?: string } }
  if (response.status !== 201 || body.data === undefined)
    throw new Error(`Sluice refused: ${body.error?.message ?? `status ${response.status}`}`)
  return body.data
}

/** `connect` of both packages: writes what the configuration reads to an env file. */
export async function connect(app: Pairing['app'], args: readonly string[]): Promise<void> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      url: { type: 'string' },
      webhook: { type: 'string' },
      name: { type: 'string', default: app },
      return: { type: 'string' },
      // Not `env-file`: Node takes that for its own, wherever it stands.
      'save-to': { type: 'string', default: '.env' },
    },
  })
  if (values.url === undefined || values.webhook === undefined)
    throw new Error(
      `Usage: sluice-${app} connect --url https://pay.example.com --webhook https://shop.example.com/… [--name NAME] [--return https://shop.example.com/] [--save-to .env]`,
    )
  const origin = originOf(values.url)
  const say = (text: string) => void process.stdout.write(`${text}\n`)
  // Before anybody is asked: both secrets are shown once.
  const file = openSync(values['save-to'], 'a', 0o600)
  const back = values.return === undefined ? await listen() : pasted(values.return)
  const paired = await pairShop(
    { app, origin, name: values.name, webhook: values.webhook },
    back,
    (address) => say(`Open this address and allow the shop:\n\n${address}\n`),
  )
  const lines = [
    `SLUICE_URL=${origin}/api`,
    `SLUICE_API_KEY=${paired.api_key}`,
    `SLUICE_WEBHOOK_SECRET=${paired.webhook_secret}`,
  ]
  appendFileSync(file, `\n${lines.join('\n')}\n`)
  closeSync(file)
  say(`Connected to ${paired.merchant_name} (${paired.environment}). The key is in ${values['save-to']}.`)
}

/** The origin of Sluice. Plain http is for one on this machine: elsewhere, others on the way could read both secrets. */
function originOf(url: string): string {
  const { origin, protocol, hostname } = new URL(url)
  const isHere = ['127.0.0.1', 'localhost', '[::1]'].includes(hostname)
  if (protocol !== 'https:' && !(protocol === 'http:' && isHere))
    throw new Error(`--url must be an https address, and ${url} is not.`)
  return origin
}

/** The browser comes back to this machine. In live, Sluice wants a public address: see `pasted`. */
async function listen(): Promise<Return> {
  let awaited: string | null = null
  let came: (address: string) => void
  let gaveUp: (error: Error) => void
  const arrival = new Promise<string>((resolve, reject) => {
    came = resolve
    gaveUp = reject
  })
  const server = createServer((request, response) => {
    const address = new URL(request.url ?? '/', 'http://127.0.0.1')
    // Any page that the browser shows can call this address.
    if (awaited === null || address.searchParams.get('state') !== awaited) {
      response.writeHead(404).end()
      return
    }
    response.writeHead(200, { 'content-type': 'text/plain', connection: 'close' })
    response.end('You can close this window.')
    came(address.href)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const timer = setTimeout(() => gaveUp(new Error('No answer came within ten minutes.')), waitMs)
  const close = () => {
    clearTimeout(timer)
    server.close()
  }
  arrival.then(close, close)
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    arrival: (state) => {
      awaited = state
      return arrival
    },
  }
}

/** The browser comes back to some page of the shop; its address is pasted here. */
function pasted(url: string): Return {
  return {
    url,
    async arrival() {
      const terminal = createInterface({ input: process.stdin, output: process.stdout })
      const answer = await terminal.question('Paste the address that the browser came back to: ')
      terminal.close()
      return answer.trim()
    },
  }
}
