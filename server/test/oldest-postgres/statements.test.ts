import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { expect, it } from 'vitest'
import { createTestDatabase } from '../support/database/database.ts'

/** The statements that PREPARE accepts; all others (`begin`, `listen`, `set`) are the same on every PostgreSQL. */
const isPrepared = (statement: string) =>
  /^[\s(]*(select|with|insert|update|delete|values|merge)\b/i.test(statement)

const statements = readSeen(process.env.SLUICE_TEST_STATEMENTS ?? '')

// There are none if this project runs alone.
it.skipIf(statements.length === 0)(
  `every one of ${statements.length} statements that the service sent to the newest PostgreSQL is understood by the oldest`,
  async () => {
    const database = await createTestDatabase()
    const client = new pg.Client({ connectionString: database.url })
    await client.connect()
    const misunderstood: string[] = []
    try {
      for (const statement of statements.filter(isPrepared)) {
        try {
          await client.query(`prepare seen as ${statement}`)
          await client.query('deallocate seen')
        } catch (error) {
          misunderstood.push(`${(error as Error).message}: ${statement}`)
        }
      }
    } finally {
      await client.end()
      await database.drop()
    }
    expect(misunderstood).toEqual([])
    // Far fewer would mean that the tests before this one recorded nothing.
    expect(statements.filter(isPrepared).length).toBeGreaterThan(300)
  },
)

/** The statements recorded by all workers of the tests on the newest PostgreSQL. */
function readSeen(folder: string): string[] {
  const names = existsSync(folder) ? readdirSync(folder) : []
  const lines = names.flatMap((name) => readFileSync(join(folder, name), 'utf8').split('\n'))
  return [...new Set(lines.filter((line) => line !== ''))].map((line) => JSON.parse(line))
}
