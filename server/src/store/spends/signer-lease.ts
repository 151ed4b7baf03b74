import pg from 'pg'
import type { Environment } from '../../domain/environment.ts'
import { openSession, sessionTypes } from '../database.ts'
import { outageOr } from '../outage.ts'
import { type Db, sql } from '../sql.ts'
import { spendPlanned } from './announcements.ts'

/** The right to sign for an environment. Writes through `db` succeed only while it is held. */
export type SignerLease = {
  readonly db: Db
  isHeld(): boolean
  close(): Promise<void>
}

/** Keeps signers away until the transaction ends; false when one is running. */
export async function keepSignersAway(tx: Db, environment: Environment): Promise<boolean> {
  const { taken } = await sql<{ taken: boolean }>`
    select pg_try_advisory_xact_lock(${lockSpace}::integer, ${lockNumbers[environment]}::integer) as taken`.one(
    tx,
  )
  return taken
}

// Tells our advisory locks from those of others on the same server: "slui".
const lockSpace = 0x736c7569
const lockNumbers: Readonly<Record<Environment, number>> = { live: 1, test: 2 }
/** How long opening the session may take, unless the caller says otherwise. */
const usualWaitMs = 5_000
const statementTimeoutMs = 30_000
const heartbeatMs = 2_000
// A process that stalls for this long loses its session, and with it the lease, so that another can take over.
const idleSessionMs = 10_000

/**
 * Takes the lease of an environment; null when another signer has it. The lease lives in one session of PostgreSQL, which is
 * also the only way to `db`: a signer that stalled and lost its session to another can write nothing through it. Calls
 * `onPlanned` when there may be something new to sign.
 */
export async function takeSignerLease(
  url: string,
  environment: Environment,
  { waitMs = usualWaitMs, onPlanned }: { waitMs?: number | undefined; onPlanned: () => void },
): Promise<SignerLease | null> {
  const client = new pg.Client({
    connectionString: url,
    application_name: `sluice signer ${environment}`,
    connectionTimeoutMillis: waitMs,
    statement_timeout: statementTimeoutMs,
    keepAlive: true,
    types: sessionTypes,
  })
  let held = false
  let heartbeat: NodeJS.Timeout | undefined
  const lose = () => {
    held = false
    clearInterval(heartbeat)
  }
  client.on('error', lose)
  client.on('end', lose)
  client.on('notification', onPlanned)
  const close = async () => {
    lose()
    await client.end().catch(() => {})
  }
  try {
    const db = openSession(client)
    await client.connect()
    await client.query(`set idle_session_timeout = ${idleSessionMs}`)
    await client.query(`set idle_in_transaction_session_timeout = ${idleSessionMs}`)
    const { rows } = await client.query<{ taken: boolean }>('select pg_try_advisory_lock($1, $2) as taken', [
      lockSpace,
      lockNumbers[environment],
    ])
    if (rows[0]?.taken !== true) {
      await close()
      return null
    }
    await client.query(`listen ${spendPlanned}`)
    held = true
    heartbeat = setInterval(() => client.query('select 1').catch(lose), heartbeatMs)
    heartbeat.unref()
    return { db, isHeld: () => held, close }
  } catch (error) {
    await close()
    throw outageOr(error)
  }
}
