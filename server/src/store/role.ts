import { openSession } from './database.ts'
import { connectToMigrate } from './migrate.ts'
import { type Db, sql } from './sql.ts'

export type Role = {
  readonly name: string
  /** Whether it owns the books. Then it can switch off the triggers that guard them. */
  readonly isOwner: boolean
}

/** The role of our own connections. */
export async function readRole(db: Db): Promise<Role> {
  return sql<Role>`
    select current_user as name, exists (
      select from pg_class where relnamespace = current_schema()::regnamespace and relname = 'postings'
        and pg_has_role(relowner, 'usage')) as "isOwner"`.one(db)
}

/** The role that a URL logs in as. */
export async function roleOf(url: string): Promise<Role> {
  const client = await connectToMigrate(url)
  try {
    return await readRole(openSession(client))
  } finally {
    await client.end()
  }
}
