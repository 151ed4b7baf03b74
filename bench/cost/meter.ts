import { readdir, readFile } from 'node:fs/promises'
import { setTimeout as delay } from 'node:timers/promises'
import { withDatabase } from '../service.ts'

/** What was used since the process or the database began. */
export type Reading = {
  readonly ownMs: number
  readonly databaseMs: number
  readonly rows: number
  readonly bytes: number
  readonly walBytes: number
}

// Linux counts processor time in hundredths of a second.
const tickMs = 10
// Sessions report what they wrote once a second, at the latest.
const reportedMs = 1_500

/** Reads the meters of this process and of the database with everything that works for it. */
export async function readMeters(databaseUrl: string): Promise<Reading> {
  const { user, system } = process.cpuUsage()
  await delay(reportedMs)
  const counted = await withDatabase(databaseUrl, async (client) => {
    const { rows } = await client.query<{ rows: string; bytes: string; wal: string; cluster: string }>(
      `select sum(n_tup_ins) as rows, sum(pg_total_relation_size(relid)) as bytes,
         pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0') as wal, current_setting('cluster_name') as cluster
       from pg_stat_user_tables`,
    )
    return rows[0]
  })
  if (counted === undefined) throw new Error('The database reports nothing.')
  return {
    ownMs: (user + system) / 1_000,
    databaseMs: await processorMs(`postgres: ${counted.cluster}:`),
    rows: Number(counted.rows),
    bytes: Number(counted.bytes),
    walBytes: Number(counted.wal),
  }
}

/** The processor time of all processes whose title begins so, and of those that ended, as their parent has it. */
async function processorMs(title: string): Promise<number> {
  let ticks = 0
  const parents = new Set<string>()
  const fieldsOf = async (pid: string) => {
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8')
    // The name in parentheses may hold spaces.
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  }
  for (const pid of (await readdir('/proc')).filter((name) => /^\d+$/.test(name))) {
    try {
      if (!(await readFile(`/proc/${pid}/cmdline`, 'utf8')).startsWith(title)) continue
      const [, parent = '', , , , , , , , , , user, system] = await fieldsOf(pid)
      ticks += Number(user) + Number(system)
      parents.add(parent)
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ESRCH')))
        throw error
    }
  }
  for (const pid of parents) {
    const [, , , , , , , , , , , , , userOfEnded, systemOfEnded] = await fieldsOf(pid)
    ticks += Number(userOfEnded) + Number(systemOfEnded)
  }
  return ticks * tickMs
}
