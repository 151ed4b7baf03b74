import type { PlainTransaction } from '../../../domain/chain.ts'
import type { Gate } from '../../../gates/gate.ts'
import type { LackingTransaction } from '../../../store/spends/previous-transactions.ts'
import type { App } from '../../app.ts'

type ProvingApp = Pick<App, 'store' | 'reports'>

// Each may be a megabyte, and the node is asked for a few at a time.
const maxAtOnce = 200
// A node that was pruned may have been replaced by one that has the block.
const askAgainMs = 600_000

/**
 * Makes sure that the transactions which made these coins are stored, because the signer signs no other coins. The follower
 * stores them; the node is asked only for those of coins that were known before. Coins whose transaction it cannot show are
 * set aside and reported once. Returns whether all coins can be used.
 */
export async function proveCoins(
  app: ProvingApp,
  gate: Gate,
  coins: readonly { readonly txHash: string }[],
): Promise<boolean> {
  const { previousTransactions } = app.store
  const lacking = await previousTransactions.lackingOf(
    gate.id,
    coins.map(({ txHash }) => txHash),
  )
  return fetchAll(app, gate, lacking)
}

/** The same for coins of spends that were planned before, and for coins that were set aside a while ago. */
export async function proveOthers(app: ProvingApp, gate: Gate): Promise<void> {
  if (gate.transactions === null) return
  const lacking = await app.store.previousTransactions.toAskAgain(gate.id, askAgainMs, maxAtOnce)
  await fetchAll(app, gate, lacking)
}

/** Returns whether the node could show all of them. */
async function fetchAll(
  app: ProvingApp,
  gate: Gate,
  lacking: readonly LackingTransaction[],
): Promise<boolean> {
  const { transactions } = gate
  if (transactions === null) return true
  let isWhole = true
  for (let from = 0; from < lacking.length; from += transactions.maxTransactions) {
    const wanted = lacking.slice(from, from + transactions.maxTransactions)
    const answers = await transactions.fetch(wanted)
    const found: PlainTransaction[] = []
    const refusals = new Map<string, string>()
    for (const [at, { hash }] of wanted.entries()) {
      const answer = answers[at]
      if (answer instanceof Uint8Array) found.push({ hash, bytes: answer })
      else refusals.set(hash, answer?.refused ?? 'The node does not answer.')
    }
    await app.store.previousTransactions.add(gate.id, found)
    const news = await app.store.previousTransactions.noteUnavailable(gate.id, [...refusals.keys()])
    for (const hash of news) app.reports.coinUnproven(gate, hash, refusals.get(hash) ?? '')
    isWhole &&= refusals.size === 0
  }
  return isWhole
}
