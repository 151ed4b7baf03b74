import { readdir, readFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { ServiceError } from '../domain/errors.ts'
import { acceptedEncoding, type Encoding } from './encoding.ts'
import type { Observer } from './metrics.ts'

const mediaTypes: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.webp': 'image/webp',
  '.woff2': 'font/woff2',
}
/** For files named by their content: they never change. */
export const forEver = 'public, max-age=31536000, immutable'

export type PageFile = {
  readonly mediaType: string
  readonly bytes: Readonly<Record<Encoding | 'plain', Buffer>>
}

/** A built page's files by name, each in the encodings it was built in. */
export async function readPageFiles(folder: string): Promise<ReadonlyMap<string, PageFile>> {
  const entries = await readdir(folder, { withFileTypes: true })
  const present = new Set(entries.filter((entry) => entry.isFile()).map(({ name }) => name))
  const named = [...present].filter((name) => extname(name) in mediaTypes)
  return new Map(
    await Promise.all(
      named.map(async (name): Promise<[string, PageFile]> => {
        const plain = await readFile(join(folder, name))
        const encoded = async (ending: string) =>
          present.has(`${name}${ending}`) ? readFile(join(folder, `${name}${ending}`)) : plain
        const [br, gzip, kind] = [await encoded('.br'), await encoded('.gz'), extname(name)]
        return [name, { mediaType: mediaTypes[kind] as string, bytes: { plain, br, gzip } }]
      }),
    ),
  )
}

/** Serves the files of a page's build, below a path that ends with a slash. */
export function servePageFiles(
  server: FastifyInstance,
  parts: { path: string; operation: string; files: ReadonlyMap<string, PageFile>; observer: Observer },
): void {
  const { path, operation, files } = parts
  const observe = parts.observer(operation)
  server.get(`${path}:file`, (request, reply) => {
    request.operation = operation
    request.observe = observe
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
}
