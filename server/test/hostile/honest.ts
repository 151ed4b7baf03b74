import pg from 'pg'
import type { Payout } from '../../src/domain/payouts.ts'
import { type AccountPlan, type CoinPlan, hotKey, type SpendPlan } from '../../src/domain/spends.ts'
import type { Random } from '../simulation/random.ts'
import type { Holder, PasskeyDesk } from '../support/people/passkey-desk.ts'
import type { Judge } from './judge.ts'
import { type People, type PeopleOptions, peopleOf } from './people.ts'
import type { Approval, KeptTables, Prepared } from './prepared.ts'
import { cancellingOnSolana } from './solana-plans.ts'

export type HonestOptions = Omit<PeopleOptions, 'unlessRefused'> & {
  readonly kept: KeptTables
  readonly judge: Judge
  readonly spends: readonly Prepared[]
  /** The operator starts the signer with other settings. */
  readonly configure: (random: Random) => Promise<void>
}

/**
 * What the service and its people do meanwhile: they approve payouts with passkeys, raise fees, cancel, and change what the
 * signer holds to.
 */
export function honestWork({ kept, judge, spends, configure, ...options }: HonestOptions) {
  const { desk, people } = options
  const { store } = desk.app
  const waiting = waitingFor(people, spends)
  const attempts = new Map<string, number>()
  const state = peopleOf({ ...options, unlessRefused })

  function addAttempt(spendId: string, planOf: (number: number) => SpendPlan): Promise<boolean> {
    const number = (attempts.get(spendId) ?? 1) + 1
    attempts.set(spendId, number)
    return unlessRefused(() => store.spends.addAttempt(spendId, number, planOf(number)))
  }

  const work = {
    async approve(random: Random) {
      const [approval] = waiting.splice(random.below(Math.max(waiting.length, 1)), 1)
      if (approval === undefined) return
      if (await kept.approve(approval)) judge.approve(approval.payout, approval.by)
    },
    async raise(random: Random) {
      const chosen = spends[random.below(spends.length)]
      if (chosen !== undefined)
        await addAttempt(chosen.spendId, (number) => dearer(chosen.plan, BigInt(number)))
    },
    async cancel(random: Random) {
      const payouts = spends.filter(({ kind, plan }) => kind === 'payout' && plan.kind !== 'coins')
      const chosen = payouts[random.below(Math.max(payouts.length, 1))]
      if (chosen === undefined) return
      const { plan, spendId } = chosen
      if (plan.kind === 'account') await addAttempt(spendId, () => cancelling(desk, plan.nonce))
      if (plan.kind === 'solana') await addAttempt(spendId, () => cancellingOnSolana(desk.wallet, plan))
    },
    state,
    configure,
  }

  return {
    /** Starts with these spends alone; most of their payouts are approved already. */
    async begin(random: Random): Promise<void> {
      const first = waiting.filter(({ by }) => random.bool(by === people.carol ? 0.3 : 0.7))
      for (const approval of first) {
        waiting.splice(waiting.indexOf(approval), 1)
        judge.approve(approval.payout, approval.by)
      }
      await kept.restore(
        spends.map(({ spendId }) => spendId),
        first,
      )
    },
    async act(random: Random): Promise<string> {
      const what = random.weighted({ approve: 3, raise: 2, cancel: 1, state: 5, configure: 3 })
      await work[what](random)
      return what
    },
  }
}

/** The service fails on rows that it does not understand. That costs payouts, not money. */
async function unlessRefused(work: () => Promise<unknown>): Promise<boolean> {
  try {
    await work()
    return true
  } catch (error) {
    if (!(error instanceof pg.DatabaseError)) throw error
    return false
  }
}

function waitingFor(people: People, spends: readonly Prepared[]): Approval[] {
  const by: readonly Holder[] = Object.values(people)
  const payouts: readonly Payout[] = spends.flatMap((each) => each.payouts)
  return payouts.flatMap((payout) => by.map((person) => ({ payout, by: person })))
}

function cancelling(desk: PasskeyDesk, nonce: bigint): AccountPlan {
  const from = { address: desk.wallet.addressAt('ethereum', hotKey) ?? '', key: hotKey }
  return desk.emptyPlan({
    from,
    to: { address: from.address, tag: null },
    nonce,
    gasPrice: 3n * 10n ** 9n,
  })
}

function dearer(plan: SpendPlan, times: bigint): SpendPlan {
  if (plan.kind === 'solana') return { ...plan, computePrice: plan.computePrice * times }
  return plan.kind === 'account' ? dearerGas(plan, times) : dearerCoins(plan, times)
}

function dearerGas(plan: AccountPlan, times: bigint): AccountPlan {
  return { ...plan, gasPrice: plan.gasPrice * times }
}

function dearerCoins(plan: CoinPlan, times: bigint): CoinPlan {
  const added = plan.feeUnits * (times - 1n)
  const outputs = plan.outputs.map((output, at) =>
    at === plan.change?.outputIndex ? { ...output, units: output.units - added } : output,
  )
  return { ...plan, outputs, feeUnits: plan.feeUnits + added }
}
