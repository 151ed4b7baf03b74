import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { runInNewContext } from 'node:vm'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { ContractDocument } from './contract.ts'
import { acceptedEncoding, compress, type Encoding } from './encoding.ts'
import { inOpenApi30 } from './openapi-3-0.ts'
import { postmanCollection } from './postman.ts'
import { type Examples, withExamples } from './with-examples.ts'

// The page may load and call only this service, even if its script tries more. In a sandbox it has an origin of its own, so that
// a megabyte of foreign code never runs where the dashboard's session counts.
const contentSecurityPolicy = [
  'sandbox allow-scripts allow-downloads allow-popups allow-popups-to-escape-sandbox',
  "default-src 'self'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data: blob:",
  "font-src 'self' data:",
  "connect-src 'self'",
  "object-src 'none'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ')

const settings = {
  url: '/api/openapi.json',
  withDefaultFonts: false,
  defaultOpenAllTags: true,
  telemetry: false,
  hideClientButton: true,
  // From its own origin the page could not call the API.
  hideTestRequestButton: true,
  showDeveloperTools: 'never',
  agent: { disabled: true },
  mcp: { disabled: true },
}

// A sandboxed page has no storage, and the reference's script ends without one: this one lasts as long as the page.
const storageScript = `for (const name of ['localStorage', 'sessionStorage']) {
  const kept = new Map()
  const value = {
    get length() { return kept.size },
    key: (at) => [...kept.keys()][at] ?? null,
    getItem: (key) => kept.get(String(key)) ?? null,
    setItem: (key, text) => { kept.set(String(key), String(text)) },
    removeItem: (key) => { kept.delete(String(key)) },
    clear: () => { kept.clear() },
  }
  Object.defineProperty(window, name, { value })
}
`

// The dashboard hands a test key over in the fragment, which no server and no log sees. It is taken out of the address before
// the reference's script runs, is kept in this page alone, and stands in the code samples. A live key is never taken.
const keyScript = `const { hash, pathname, search } = location
if (/[#&]key=|sk_(test|live)_/.test(hash)) {
  history.replaceState(null, '', pathname + search)
  const [, key] = /^#key=(sk_test_[0-9a-f]{64})$/.exec(hash) ?? []
  if (key !== undefined) {
    const { dataset } = document.getElementById('api-reference')
    const authentication = { preferredSecurityScheme: 'apiKey', securitySchemes: { apiKey: { value: key } } }
    dataset.configuration = JSON.stringify({ ...JSON.parse(dataset.configuration), authentication })
  }
}
`

// The script finds its settings in the element before it, so the page needs no inline script.
const page = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Sluice API</title>
</head>
<body>
<script id="api-reference" type="application/json" data-configuration="${JSON.stringify(settings).replaceAll('"', '&quot;')}"></script>
<script src="js/storage.js"></script>
<script src="js/key.js"></script>
<script src="js/scalar.js"></script>
</body>
</html>
`

type Script = Readonly<Record<Encoding | 'plain', Buffer>>

/** The contract at `/api/openapi.json`, in other formats beside it, and reference pages made from it at `/docs`. */
export async function serveDocs(
  server: FastifyInstance,
  contract: ContractDocument,
  origin: { readonly url: string },
): Promise<void> {
  serveDescription('/api/openapi.json', shown)
  serveDescription('/api/openapi-3.0.json', async () => inOpenApi30(await shown()))
  // By the configured origin: behind a proxy that ends TLS, the request itself would name one without it.
  serveDescription('/api/postman.json', () => postmanCollection(contract, `${origin.url}/api`))

  // Loaded on demand: many times the size of what requests are checked against.
  async function shown(): Promise<ContractDocument> {
    const examples = await import('./examples.generated.json', { with: { type: 'json' } })
    return withExamples(contract, examples.default as Examples)
  }

  function serveDescription(url: string, describe: () => object | Promise<object>): void {
    // Made once, for the first request: it needs no key.
    let description: Promise<string> | undefined
    server.get(url, async (request, reply) => {
      request.operation = 'openapi'
      description ??= textOf(describe).catch((error) => {
        description = undefined
        throw error
      })
      return (
        reply
          .header('Content-Type', 'application/json; charset=utf-8')
          .header('Cache-Control', 'no-cache')
          // It is public, and the reference has an origin of its own.
          .header('Access-Control-Allow-Origin', '*')
          .send(await description)
      )
    })
  }

  async function textOf(describe: () => object | Promise<object>): Promise<string> {
    return JSON.stringify(await describe())
  }

  const begin = (request: FastifyRequest, reply: FastifyReply) => {
    request.operation = 'docs'
    return reply
      .header('Content-Security-Policy', contentSecurityPolicy)
      .header('Referrer-Policy', 'no-referrer')
      .header('X-Content-Type-Options', 'nosniff')
  }
  server.get('/docs', (request, reply) => begin(request, reply).redirect('/docs/', 301))
  server.get('/docs/', (request, reply) =>
    begin(request, reply).header('Content-Type', 'text/html; charset=utf-8').send(page),
  )

  for (const [name, text] of Object.entries({ storage: storageScript, key: keyScript }))
    server.get(`/docs/js/${name}.js`, (request, reply) =>
      begin(request, reply)
        .header('Content-Type', 'text/javascript; charset=utf-8')
        .header('Cache-Control', 'public, max-age=3600')
        .send(text),
    )

  // Loaded on demand: megabytes that most processes never serve.
  let script: Promise<Script> | null = null
  server.get('/docs/js/scalar.js', async (request, reply) => {
    begin(request, reply)
    script ??= readScript().catch((error) => {
      script = null
      throw error
    })
    const encoding = acceptedEncoding(request.headers['accept-encoding'])
    if (encoding !== null) reply.header('Content-Encoding', encoding)
    return reply
      .header('Content-Type', 'text/javascript; charset=utf-8')
      .header('Cache-Control', 'public, max-age=3600')
      .header('Vary', 'Accept-Encoding')
      .send((await script)[encoding ?? 'plain'])
  })
}

/**
 * Scalar's reference as one script. No package ships it alone: it is a string inside the package for Fastify, so we
 * extract it; the rest of that package and its dependencies stay unused and uninstalled (decision 0025).
 */
async function readScript(): Promise<Script> {
  const place = fileURLToPath(import.meta.resolve('@scalar/fastify-api-reference'))
  const line = /^var standalone_default = (".*");$/m.exec(await readFile(place, 'utf8'))?.[1]
  if (line === undefined) throw new Error(`The reference's script is missing from ${place}. Run "npm ci".`)
  // A JavaScript string literal, with escapes that JSON does not know.
  const plain = Buffer.from(runInNewContext(line) as string)
  const [br, gzip] = await Promise.all([compress(plain, 'br'), compress(plain, 'gzip')])
  return { plain, br, gzip }
}
