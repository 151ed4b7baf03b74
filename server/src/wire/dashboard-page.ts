import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { FastifyInstance } from 'fastify'
import { serveDashboardPage } from '../http/dashboard/page.ts'
import type { Observer } from '../http/metrics.ts'
import { readPageFiles, servePageFiles } from '../http/page-files.ts'
import type { Log } from '../log.ts'

/** Where `npm run build` puts the dashboard. */
const builtDashboard = new URL('../../../web/dashboard/dist/', import.meta.url)

/** The dashboard's page and its files, on a server that does not listen yet. */
export async function assembleDashboardPage(
  server: FastifyInstance,
  parts: { observer: Observer; log: Log },
): Promise<void> {
  const { observer, log } = parts
  const html = await readBuilt(log)
  await serveDashboardPage(server, { html, observer })
  const files =
    html === null ? new Map() : await readPageFiles(fileURLToPath(new URL('client/', builtDashboard)))
  servePageFiles(server, { path: '/dashboard-assets/', operation: 'dashboard_file', files, observer })
}

async function readBuilt(log: Log): Promise<Buffer | null> {
  const path = fileURLToPath(new URL('page.html', builtDashboard))
  try {
    return await readFile(path)
  } catch (error) {
    if ((error as { code?: unknown }).code !== 'ENOENT') throw error
    log.error({ path }, 'THE DASHBOARD IS NOT BUILT: /dashboard answers 503 until it is. Run: npm run build')
    return null
  }
}
