// Prints the database's time as known to a process whose own clock is wrong by this many milliseconds.
const [url = '', offset = '0'] = process.argv.slice(2)
const RealDate = Date
const wrongBy = Number(offset)
globalThis.Date = class extends RealDate {
  constructor(...given: unknown[]) {
    if (given.length === 0) super(RealDate.now() + wrongBy)
    else super(...(given as [number]))
  }
  static override now = () => RealDate.now() + wrongBy
} as DateConstructor

const { startDatabaseClock } = await import('../../src/store/clock.ts')
const { openTestDatabase } = await import('../support/database/open-database.ts')
const database = openTestDatabase(url, 1)
const clock = await startDatabaseClock(database.db)
process.stdout.write(JSON.stringify({ own: Date.now(), known: clock.now().getTime() }))
clock.stop()
await database.close()
