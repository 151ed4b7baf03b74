import { buildServer } from '../../../../scripts/build-server.ts'
import { buildPages } from '../../../../scripts/build-web.ts'

/** Builds pages and program once for a whole project when they are not what the sources say. */
export default async function setup(): Promise<void> {
  if (!(await buildPages()) || !(await buildServer()))
    throw new Error('The pages and the server bundle cannot be built. Run npm ci with the development tools.')
}
