import { readdir, readFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { ServiceError } from '../../domain/errors.ts'
import type { Logo } from '../../store/merchant-brands.ts'
import type { Observer } from '../metrics.ts'
import { acceptedEncoding, compress, type Encoding } from './encoding.ts'
import type { CheckoutGatekeeper } from './gatekeeper.ts'

const mediaTypes: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.webp': 'image/webp',
  '.woff2': 'font/woff2',
}
const compressible = new Set(['.js', '.css', '.json', '.svg'])
const forEver = 'public, max-age=31536000, immutable'
const hashPattern = /^[0-9a-f]{64}$/

type PageFile = { readonly mediaType: string; readonly bytes: Readonly<Record<Encoding | 'plain', Buffer>> }

/** The built page's files by name, each in every encoding we serve. Their names say what they hold. */
export async function readPageFiles(folder: string): Promise<ReadonlyMap<string, PageFile>> {
  const entries = await readdir(folder, { withFileTypes: true })
  const named = entries.filter((entry) => entry.isFile() && extname(entry.name) in mediaTypes)
  return new Map(
    await Promise.all(
      named.map(async ({ name }): Promise<[string, PageFile]> => {
        const plain = await readFile(join(folder, name))
        const kind = extname(name)
        const isText = compressible.has(kind)
        const [br, gzip] = isText
          ? await Promise.all([compress(plain, 'br', 'best'), compress(plain, 'gzip', 'best')])
          : [plain, plain]
        return [name, { mediaType: mediaTypes[kind] as string, bytes: { plain, br, gzip } }]
      }),
    ),
  )
}

/** What payment pages load: their script at `/checkout-assets/`, and merchants' pictures at `/checkout-assets/logo/`. */
export function servePageFiles(
  server: FastifyInstance,
  parts: {
    files: ReadonlyMap<string, PageFile>
    findLogo: (sha256: string) => Promise<Logo | null>
    gatekeeper: CheckoutGatekeeper
    observer: Observer
  },
): void {
  const { files, findLogo, gatekeeper, observer } = parts
  const observeFile = observer('checkout_file')
  const observeLogo = observer('checkout_logo')

  server.get('/checkout-assets/:file', (request, reply) => {
    request.operation = 'checkout_file'
    request.observe = observeFile
    const file = files.get((request.params as { file: string }).file)
    if (file === undefined) throw new ServiceError('not_found', 'There is no such file.')
    const encoding = acceptedEncoding(request.headers['accept-encoding'])
    const bytes = file.bytes[encoding ?? 'plain']
    if (encoding !== null && bytes !== file.bytes.plain) reply.header('Content-Encoding', encoding)
    return reply
      .header('Content-Type', file.mediaType)
      .header('Cache-Control', forEver)
      .header('Vary', 'Accept-Encoding')
      .header('X-Content-Type-Options', 'nosniff')
      .send(bytes)
  })

  server.get('/checkout-assets/logo/:sha256', async (request, reply) => {
    request.operation = 'checkout_logo'
    request.observe = observeLogo
    await gatekeeper.admitVisitor(request, reply)
    const { sha256 } = request.params as { sha256: string }
    const logo = hashPattern.test(sha256) ? await findLogo(sha256) : null
    if (logo === null) throw new ServiceError('not_found', 'There is no such picture.')
    // Whoever opens it by itself gets a picture and nothing that could run.
    return reply
      .header('Content-Type', logo.mediaType)
      .header('Cache-Control', forEver)
      .header('X-Content-Type-Options', 'nosniff')
      .header('Content-Security-Policy', "default-src 'none'; sandbox")
      .send(logo.bytes)
  })
}
