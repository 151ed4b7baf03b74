import type { App } from '../app/app.ts'
import type { GateId } from '../domain/networks/network.ts'
import { say } from '../domain/reasons/reasons.ts'
import type { Journal } from './journal.ts'
import type { Journaled } from './journal-index.ts'
import { planHash } from './journal-lines.ts'

// A backup lacks the newest transactions, so only these need to be checked.
const looked = 20
const page = 1_000
const beforeAll = { spendId: '00000000-0000-0000-0000-000000000000', attempt: 0 }

/** Which of these signatures the database lacks: it has neither the transaction nor exactly that plan, waiting for it. */
async function missingOf(
  { store }: Pick<App, 'store'>,
  journal: Pick<Journal, 'isAccepted'>,
  journaled: readonly Journaled[],
): Promise<Journaled[]> {
  const open = journaled.filter(({ hash }) => !journal.isAccepted(hash))
  const known = await store.spends.ownHashes(open.map(({ hash }) => hash))
  const unknown = open.filter(({ hash }) => !known.has(hash))
  const attempts = await store.signing.attemptsOf(unknown.map(({ spendId }) => spendId))
  const waiting = new Set(
    attempts
      .filter(({ txHash }) => txHash === null)
      .map(({ spendId, attempt, plan }) => `${spendId} ${attempt} ${planHash(plan)}`),
  )
  return unknown.filter((each) => !waiting.has(`${each.spendId} ${each.attempt} ${each.planHash}`))
}

/** Why nothing is signed for a gate: the database is older than the journal. Null when it is not. */
export async function findGap(
  app: Pick<App, 'store'>,
  journal: Journal,
  gateId: GateId,
): Promise<string | null> {
  const [missing] = await missingOf(app, journal, journal.newest(gateId, looked))
  return missing === undefined ? null : say('database_older', { hash: missing.hash })
}

/** Why nothing is signed at all: the database has transactions of this wallet that the journal lacks. Null otherwise. */
export async function findLoss(app: Pick<App, 'store'>, journal: Journal): Promise<string | null> {
  for await (const { txHash } of signedInDatabase(app, journal))
    if (!journal.has(txHash)) return say('journal_older', { hash: txHash })
  return null
}

/** Every signed transaction in the journal's environment that the database has. */
export async function* signedInDatabase({ store }: Pick<App, 'store'>, { header }: Pick<Journal, 'header'>) {
  for (let after = beforeAll; ; ) {
    const found = await store.signing.signedAfter(header.environment, after, page)
    yield* found
    const last = found.at(-1)
    if (last === undefined || found.length < page) return
    after = { spendId: last.spendId, attempt: last.attempt }
  }
}
