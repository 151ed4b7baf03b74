import { balanceDecimals } from '../../../domain/assets.ts'
import { uuidv7 } from '../../../domain/ids.ts'
import { returnedPostings } from '../../../domain/payout-postings.ts'
import type { AccountPlan, Fate, Spend, SpendKind } from '../../../domain/spends.ts'
import type { Gate } from '../../../gates/gate.ts'
import type { Store } from '../../../store/store.ts'
import type { App } from '../../app.ts'
import { assetOn, ledgerAsset, nativeAsset } from '../hot-wallet/native-asset.ts'

type Mined = Extract<Fate, { kind: 'mined' }>

/** The spends that the hot wallet alone pays for. */
const leavesHot: ReadonlySet<SpendKind> = new Set(['payout', 'fill', 'cold', 'trust'])

/** Shows in the books that Sluice booked this by itself, not on an operator's statement. */
const service = 'the service'

/**
 * Books the amount that a transaction took although its spend had ended as ruled out: a deep reorganisation has put it deep
 * in the chain after all. Happens once, and only for funds that left the hot wallet to others; they come from its free
 * balance and from the operator's float. Payouts stay failed, since that is what merchants were told: the operator settles
 * it with them. Books nothing while the hot wallet has too little free.
 */
export async function bookReturned(app: App, gate: Gate, seen: Spend, fate: Mined): Promise<void> {
  const outcome = await app.transaction(async (tx) => {
    await tx.holdings.becomeOnlyPlanner(gate.id)
    const spend = await tx.spends.lock(seen.id)
    if (spend.status !== 'dead' || spend.mined !== null) return 'known'
    const plan = spend.transactions.find(({ signed }) => signed?.hash === fate.hash)?.plan
    const isBooked =
      plan?.kind === 'account' && leavesHot.has(spend.kind)
        ? await book(app, tx, gate, spend.id, plan, fate)
        : null
    // If the hot wallet has too little free, the next block retries it.
    if (isBooked !== false) await tx.endedSpends.noteReturned(spend.id, fate.hash, fate.block)
    return isBooked ?? false
  })
  if (outcome !== 'known') app.reports.minedAfterAll(gate, seen.id, fate.hash, outcome)
}

async function book(
  app: App,
  tx: Store,
  gate: Gate,
  spendId: string,
  { from, nonce, currency, units }: AccountPlan,
  { hash, feeUnits, succeeded }: Mined,
): Promise<boolean> {
  const took = new Map([[nativeAsset(gate).currency, feeUnits]])
  if (succeeded && units > 0n) took.set(currency, (took.get(currency) ?? 0n) + units)
  const free = await tx.holdings.lockHot(gate.id, [...took.keys()])
  if ([...took].some(([each, left]) => (free.get(each) ?? 0n) < left)) return false
  for (const [each, left] of took) {
    const id = uuidv7(app.now())
    await tx.outsideMoves.insert({
      id,
      gateId: gate.id,
      address: from.address,
      firstNonce: nonce,
      nextNonce: nonce + 1n,
      currency: each,
      units: left,
      statedBy: service,
    })
    await tx.ledger.post(
      [
        {
          ...returnedPostings(ledgerAsset(gate, assetOn(gate, each)), id, left, { spendId, hash }),
          id: uuidv7(app.now()),
        },
      ],
      (code) => balanceDecimals(app.assets, code),
    )
  }
  await tx.holdings.changeHot(gate.id, new Map([...took].map(([each, left]) => [each, -left])))
  return true
}
