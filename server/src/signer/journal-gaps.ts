import type { App } from '../app/app.ts'
import type { GateId } from '../domain/networks/network.ts'
import type { Journal } from './journal.ts'
import type { Journaled } from './journal-index.ts'
import { planHash } from './journal-lines.ts'

// A backup lacks the newest: more need not be looked at.
const looked = 20
const page = 1_000
const beforeAll = { spendId: '00000000-0000-0000-0000-000000000000', attempt: 0 }

/** Which of these signatures the database has nothing of: neither the transaction nor the very plan, waiting for it. */
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

/** Why nothing of a gate is signed: the database is older than the journal. Null when it is not. */
export async function findGap(
  app: Pick<App, 'store'>,
  journal: Journal,
  gateId: GateId,
): Promise<string | null> {
  const [missing] = await missingOf(app, journal, journal.newest(gateId, looked))
  return missing === undefined
    ? null
    : `The journal knows transaction ${missing.hash}, which this database does not: it was restored from an older backup. ` +
        'Nothing of this network is signed until the operator runs: npx sluice wallet reconcile'
}

/** Why nothing is signed at all: the database has transactions of this wallet that the journal lacks. Null when not. */
export async function findLoss(app: Pick<App, 'store'>, journal: Journal): Promise<string | null> {
  for await (const { txHash } of signedInDatabase(app, journal))
    if (!journal.has(txHash))
      return (
        `The database knows transaction ${txHash}, which the journal does not: the journal is older, or another signer's. ` +
        'Bring the newest one back if there is one, and run: npx sluice wallet reconcile'
      )
  return null
}

/** Everything that was signed in the journal's environment, as the database has it. */
export async function* signedInDatabase({ store }: Pick<App, 'store'>, { header }: Pick<Journal, 'header'>) {
  for (let after = beforeAll; ; ) {
    const found = await store.signing.signedAfter(header.environment, after, page)
    yield* found
    const last = found.at(-1)
    if (last === undefined || found.length < page) return
    after = { spendId: last.spendId, attempt: last.attempt }
  }
}
