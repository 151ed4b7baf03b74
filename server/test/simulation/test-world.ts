import { asSuperuser, createTestDatabase, letGo, onDatabase, runSql } from '../support/database.ts'
import { openWorld, type World } from './world.ts'

export type TestWorld = { readonly world: World; readonly url: string; close(): Promise<void> }

/** A world in a database of the test's own. */
export async function openTestWorld(): Promise<TestWorld> {
  const { url } = await createTestDatabase()
  const name = url.slice(url.lastIndexOf('/') + 1)
  const world = await openWorld(onDatabase(asSuperuser(url), name))
  return {
    world,
    url,
    async close() {
      await world.close()
      // Only a superuser may end what is left of a superuser's connections.
      await letGo(name)
      await runSql(asSuperuser(url), `drop database ${name} with (force)`)
    },
  }
}
