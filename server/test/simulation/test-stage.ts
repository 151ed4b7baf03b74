import { asSuperuser, createTestDatabase, letGo, onDatabase, runSql } from '../support/database/database.ts'
import { openStage, type Stage } from './stage.ts'

export type TestStage = { readonly stage: Stage; readonly url: string; close(): Promise<void> }

/** A stage in a database of the test's own. */
export async function openTestStage(): Promise<TestStage> {
  const { url } = await createTestDatabase()
  const name = url.slice(url.lastIndexOf('/') + 1)
  const stage = await openStage(onDatabase(asSuperuser(url), name))
  return {
    stage,
    url,
    async close() {
      await stage.close()
      // Only a superuser may end the remaining connections of a superuser.
      await letGo(name)
      await runSql(asSuperuser(url), `drop database ${name} with (force)`)
    },
  }
}
