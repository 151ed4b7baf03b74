import { buildServer } from '../../../../scripts/build-server.ts'
import { buildPages } from '../../../../scripts/build-web.ts'

/** Builds pages and server bundle once for a whole project if they do not match the sources. */
export default async function setup(): Promise<void> {
  if (!(await buildPages()) || !(await buildServer()))
    throw new Error('The pages and the server bundle cannot be built. Run npm ci with the development tools.')
}
