import { existsSync } from 'node:fs'
import { join } from 'node:path'

/** Where the tests' WordPress is kept: not in `node_modules`, which `npm ci` empties. */
export const wordpressFolder = join(import.meta.dirname, '../tmp/wordpress-6.1')

/** Where it is served from; null if there is no WordPress for this machine. */
export function wordpressRoot(folder: string = wordpressFolder): string | null {
  const root = join(folder, 'usr/share/wordpress')
  return existsSync(join(root, 'wp-load.php')) ? root : null
}
