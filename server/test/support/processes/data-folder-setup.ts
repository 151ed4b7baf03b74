import type { TestProject } from 'vitest/node'
import { makeTemporaryFolder } from './temporary-folder.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    preparedPlace: string
  }
}

/** The place where the first test that needs a data folder prepares the one that others copy. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const place = await makeTemporaryFolder('sluice-prepared-')
  project.provide('preparedPlace', place.path)
  return place.remove
}
