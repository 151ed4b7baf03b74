import { copyDatabase, createTestDatabase } from '../database/database.ts'
import { makeTemporaryFolder } from '../processes/temporary-folder.ts'
import { type Desk, openDesk } from './signer-desk.ts'

export type RestorableDesk = {
  /** Backs the database up; the function it returns continues with that backup and the journal as it is then. */
  backUp(): Promise<() => Promise<void>>
  close(): Promise<void>
}

/** A desk whose database can be restored from a backup. `use` gets the desk, and each that takes its place. */
export async function openRestorableDesk(use: (desk: Desk) => void): Promise<RestorableDesk> {
  const folder = await makeTemporaryFolder()
  const first = await createTestDatabase()
  const databases = [first]
  let desk = await openDesk({ database: first, folder })
  use(desk)

  async function openOn(database: Desk['test']): Promise<void> {
    desk = await openDesk({ database, folder })
    use(desk)
  }

  return {
    async backUp() {
      const current = desk.test
      await desk.close()
      const backup = await copyDatabase(current)
      databases.push(backup)
      await openOn(current)
      return async () => {
        await desk.close()
        await openOn(backup)
      }
    },
    async close() {
      await desk.close()
      for (const database of databases) await database.drop()
      await folder.remove()
    },
  }
}
