/**
 * Starts the embedded PostgreSQL as a process of its own, for tests to kill. Takes its options as one JSON argument, reports
 * events as JSON lines, and stops in order when its input ends.
 */
import { startEmbeddedPostgres } from '../../src/postgres/embedded.ts'

const say = (line: object): void => void process.stdout.write(`${JSON.stringify(line)}\n`)

try {
  const database = await startEmbeddedPostgres({
    ...JSON.parse(process.argv[2] ?? '{}'),
    log: (message) => say({ log: message }),
  })
  say({ url: database.url, ownerUrl: database.ownerUrl, supervised: database.supervised })
  for await (const _ of process.stdin) {
    // Only its end matters.
  }
  await database.stop()
  say({ stopped: true })
} catch (error) {
  say({ error: error instanceof Error ? error.message : String(error), kind: (error as Error).name })
  process.exitCode = 1
}
