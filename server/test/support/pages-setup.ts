import { buildPages } from '../../../scripts/build-web.ts'

/** Builds the pages once for a whole project when they are not what the sources say. */
export default async function setup(): Promise<void> {
  if (!(await buildPages()))
    throw new Error('The pages cannot be built: run npm ci, with the development tools.')
}
