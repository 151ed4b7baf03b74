import type { Fate, SignedTransaction, Spend, SpendPlan } from '../../../domain/spends.ts'
import { coinName } from '../../../domain/uses.ts'
import type { Gate } from '../../../gates/gate.ts'
import type { WatchedRefill } from '../../../store/spends/refills.ts'
import type { App } from '../../app.ts'
import { eachInTurn } from '../../each-in-turn.ts'
import { isDeep } from '../settling/is-deep.ts'
import { settleSpend } from '../settling/settle-spend.ts'
import { findAccountRefills } from './find-account-refills.ts'
import { takeUp } from './take-up-refill.ts'

type Mined = Extract<Fate, { kind: 'mined' }>
/** A refill with what was planned for it, and what was handed in. */
type Seen = {
  readonly refill: WatchedRefill
  readonly plan: SpendPlan
  readonly signed: SignedTransaction | null
}

/**
 * Looks on a gate's chain for refills that were not handed in, since the operator may have sent one with another program or
 * spent its coins otherwise; and for dead ones, since a signed file is good for as long as its coins are there. Returns how
 * many were found.
 */
export async function findRefills(app: App, gate: Gate): Promise<number> {
  let found = 0
  // Open ones come first: what they end frees coins that a dead one has spent.
  await eachInTurn(await app.store.refills.watched(gate.id), async (refill) => {
    const spend = await app.store.spends.find(refill.spendId)
    const seen = spend === null ? null : seenIn(spend, refill)
    if (seen !== null && (await find(app, gate, seen))) found++
  })
  return found + (await findAccountRefills(app, gate))
}

function seenIn({ transactions }: Spend, refill: WatchedRefill): Seen | null {
  const [first] = transactions
  return first === undefined ? null : { refill, plan: first.plan, signed: first.signed }
}

async function find(app: App, gate: Gate, seen: Seen): Promise<boolean> {
  const { spendId, txHash, isDead } = seen.refill
  const fate = await gate.fate([{ hash: txHash, plan: seen.plan }])
  if (fate.kind === 'mined') {
    const signed = seen.signed ?? (await fetchSigned(app, gate, seen, fate))
    if (signed === null) return false
    if (!isDead) return save(app, spendId, signed)
    const again = await takeUp(app, gate, seen.refill, seen.plan, signed)
    if (again !== null) app.reports.refillReturned(gate, { dead: spendId, again, hash: txHash })
    return again !== null
  }
  if (fate.kind !== 'ruled_out') return false
  if (isDead) {
    await app.store.endedSpends.place(spendId, fate.block)
    return false
  }
  if (!(await isDeep(app, gate, gate.network.confirmations, fate.block))) return false
  await settleSpend(app, gate, spendId, { status: 'dead', reason: fate.reason, block: fate.block })
  return true
}

/** The transaction with its signatures, from its block; null, and reported once, when the node does not show it. */
async function fetchSigned(
  app: App,
  gate: Gate,
  { refill: { spendId, txHash }, plan }: Seen,
  { block }: Mined,
): Promise<SignedTransaction | null> {
  if (plan.kind !== 'coins' || gate.spending.kind !== 'coins' || gate.transactions === null) return null
  const { refill } = gate.spending
  const unshown = async (reason: string) => {
    const isNew = await app.store.spends.refuse(spendId, 1, { reason, isForGood: false })
    if (isNew) app.reports.refillUnshown(gate, spendId, txHash, reason)
    return null
  }
  const bytes = await gate.transactions.fetchWhole({ hash: txHash, block })
  if ('refused' in bytes) return unshown(bytes.refused)
  const coins = await app.store.refills.coins(gate.id, plan.inputs)
  const addresses = new Map(coins.map((coin) => [coinName(coin), coin.address]))
  // Checked like a file that is handed in: what is stored here is sent again after a reorganisation.
  const file = refill.read(Buffer.from(Buffer.from(bytes).toString('hex')))
  const made =
    'refused' in file
      ? file
      : refill.complete(
          plan,
          plan.inputs.map((input) => addresses.get(coinName(input)) ?? ''),
          file,
        )
  return 'refused' in made ? unshown(made.refused) : made
}

/** Stores what was found for an open refill. What follows is as for one that was handed in. */
async function save(app: App, spendId: string, signed: SignedTransaction): Promise<boolean> {
  return app.transaction(async (tx) => {
    const { status } = await tx.spends.lock(spendId)
    if (status !== 'open' || !(await tx.spends.saveSigned(spendId, 1, signed))) return false
    await tx.spends.noteSent(spendId, 1, null)
    return true
  })
}
