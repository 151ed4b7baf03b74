/**
 * Runs many seeded simulations of payers, miners and dying processes on a real PostgreSQL, and compares the books with
 * an independent model: npm run simulate -- --seeds 1000 [--seed 1] [--steps 30] [--workers 2]
 */
import { fork } from 'node:child_process'
import { parseArgs } from 'node:util'
import { startEmbeddedPostgres } from '../server/src/postgres/embedded.ts'
import { migrate } from '../server/src/store/migrate.ts'
import { runSeed, usualSteps } from '../server/test/simulation/run.ts'
import { openStage } from '../server/test/simulation/stage.ts'
import { makeTemporaryFolder } from '../server/test/support/processes/temporary-folder.ts'

type Report = { seed: number; wrong: string[] }

const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '200' },
    seed: { type: 'string', default: '1' },
    steps: { type: 'string', default: String(usualSteps) },
    workers: { type: 'string', default: '2' },
    // For the child processes: their database, and their share of the seeds.
    database: { type: 'string' },
    offset: { type: 'string', default: '0' },
  },
})
const [seeds, first, steps, workers, offset] = [
  whole('seeds', 1),
  whole('seed', 0),
  whole('steps', 1),
  whole('workers', 1),
  whole('offset', 0),
] as [number, number, number, number, number]

if (values.database === undefined) await lead()
else await work(values.database)

async function lead(): Promise<void> {
  const startedAt = performance.now()
  const folder = await makeTemporaryFolder('sluice-simulate-')
  const postgres = await startEmbeddedPostgres({ dataDir: folder.path, purpose: 'service', log: () => {} })
  let done = 0
  const failed: Report[] = []
  try {
    const crew = Math.min(workers, seeds)
    const databases = await Promise.all(
      Array.from({ length: crew }, (_, at) => makeDatabase(postgres.superuserUrl, at)),
    )
    await Promise.all(databases.map((database, at) => hire(database, at)))
  } finally {
    await postgres.stop()
    await folder.remove()
  }
  const seconds = (performance.now() - startedAt) / 1000
  console.log(
    `${done} seeds in ${seconds.toFixed(1)} s, ${(done / seconds).toFixed(1)} a second; ${failed.length} failed.`,
  )
  if (failed.length > 0 || done < seeds) process.exitCode = 1

  async function hire(database: string, at: number): Promise<void> {
    const args = [
      '--database',
      database,
      '--offset',
      String(at),
      '--seeds',
      String(seeds),
      '--seed',
      String(first),
    ]
    const child = fork(import.meta.filename, [
      ...args,
      '--steps',
      String(steps),
      '--workers',
      String(workers),
    ])
    child.on('message', (report: Report) => {
      done++
      if (done % 500 === 0) console.log(`${done} seeds so far, ${failed.length} failed`)
      if (report.wrong.length === 0) return
      failed.push(report)
      console.error(
        `\nSeed ${report.seed} failed. Repeat it: npm run simulate -- --seeds 1 --seed ${report.seed} --steps ${steps}`,
      )
      for (const wrong of report.wrong.slice(0, 20)) console.error(`  ${wrong}`)
    })
    await new Promise<void>((resolve) => child.once('exit', () => resolve()))
  }
}

/** A database whose commits do not wait for the disk: durability is tested elsewhere. */
async function makeDatabase(superuserUrl: string, at: number): Promise<string> {
  const name = `simulation_${at}`
  const url = superuserUrl.replace(/\/[^/]*$/, `/${name}`)
  const { default: pg } = await import('pg')
  const client = new pg.Client({ connectionString: superuserUrl })
  await client.connect()
  await client.query(`create database ${name}`)
  await client.query(`alter database ${name} set synchronous_commit = off`)
  await client.end()
  await migrate(url)
  return url
}

async function work(database: string): Promise<void> {
  const stage = await openStage(database)
  for (let seed = first + offset; seed < first + seeds; seed += workers) {
    let wrong: string[]
    try {
      wrong = await runSeed(stage, seed, steps)
    } catch (error) {
      wrong = [error instanceof Error ? (error.stack ?? error.message) : String(error)]
    }
    process.send?.({ seed, wrong } satisfies Report)
  }
  await stage.close()
  process.disconnect()
}

function whole(name: 'seeds' | 'seed' | 'steps' | 'workers' | 'offset', least: number): number {
  const value = Number(values[name])
  if (!Number.isSafeInteger(value) || value < least) {
    console.error(`--${name} must be a whole number of at least ${least}.`)
    process.exit(1)
  }
  return value
}
