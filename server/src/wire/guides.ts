import { fileURLToPath } from 'node:url'
import type { FastifyInstance } from 'fastify'
import { serveGuides } from '../http/guides.ts'
import type { Observer } from '../http/metrics.ts'
import { type PageFile, readPageFiles } from '../http/page-files.ts'

/** Where `npm run build` puts the guides. */
const built = new URL('../../../web/guides/dist/', import.meta.url)

/** The guides, on a server that does not listen yet. */
export async function assembleGuides(server: FastifyInstance, observer: Observer): Promise<void> {
  const [pages, files] = await Promise.all([readBuilt('pages/'), readBuilt('client/')])
  serveGuides(server, { pages, files, observer })
}

async function readBuilt(folder: string): Promise<ReadonlyMap<string, PageFile>> {
  try {
    return await readPageFiles(fileURLToPath(new URL(folder, built)))
  } catch (error) {
    if ((error as { code?: unknown }).code !== 'ENOENT') throw error
    return new Map()
  }
}
