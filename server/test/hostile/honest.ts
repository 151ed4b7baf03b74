import pg from 'pg'
import { type AccountPlan, type CoinPlan, hotKey, type SpendPlan } from '../../src/domain/spends.ts'
import type { Random } from '../simulation/random.ts'
import type { PasskeyDesk } from '../support/people/passkey-desk.ts'
import type { Judge } from './judge.ts'
import type { KeptTables, Prepared } from './prepared.ts'

/** What the service and its people do meanwhile: they approve payouts with passkeys, raise fees, and cancel. */
export function honestWork(desk: PasskeyDesk, kept: KeptTables, judge: Judge, spends: readonly Prepared[]) {
  const { store } = desk.app
  const unapproved = spends.flatMap(({ payouts }) => payouts)
  const attempts = new Map<string, number>()

  /** The service fails on rows that it does not understand. That costs payouts, not money. */
  async function unlessRefused(work: () => Promise<unknown>): Promise<void> {
    try {
      await work()
    } catch (error) {
      if (!(error instanceof pg.DatabaseError)) throw error
    }
  }

  function addAttempt(spendId: string, planOf: (number: number) => SpendPlan): Promise<void> {
    const number = (attempts.get(spendId) ?? 1) + 1
    attempts.set(spendId, number)
    return unlessRefused(() => store.spends.addAttempt(spendId, number, planOf(number)))
  }

  const work = {
    async approve(random: Random) {
      const [payout] = unapproved.splice(random.below(Math.max(unapproved.length, 1)), 1)
      if (payout === undefined) return
      await kept.approve(payout.id)
      judge.approve(payout)
    },
    async raise(random: Random) {
      const chosen = spends[random.below(spends.length)]
      if (chosen !== undefined)
        await addAttempt(chosen.spendId, (number) => dearer(chosen.plan, BigInt(number)))
    },
    async cancel(random: Random) {
      const payouts = spends.filter(({ kind, plan }) => kind === 'payout' && plan.kind === 'account')
      const chosen = payouts[random.below(Math.max(payouts.length, 1))]
      if (chosen?.plan.kind !== 'account') return
      const { nonce } = chosen.plan
      const from = { address: desk.wallet.addressAt('ethereum', hotKey) ?? '', key: hotKey }
      await addAttempt(chosen.spendId, () =>
        desk.emptyPlan({ from, to: { address: from.address, tag: null }, nonce, gasPrice: 3n * 10n ** 9n }),
      )
    },
  }

  return {
    /** Starts with these spends alone; most of their payouts are approved already. */
    async begin(random: Random): Promise<void> {
      const first = unapproved.filter(() => random.bool(0.7))
      for (const payout of first) {
        unapproved.splice(unapproved.indexOf(payout), 1)
        judge.approve(payout)
      }
      await kept.restore(
        spends.map(({ spendId }) => spendId),
        first.map(({ id }) => id),
      )
    },
    async act(random: Random): Promise<void> {
      await work[random.weighted({ approve: 3, raise: 3, cancel: 1 })](random)
    },
  }
}

function dearer(plan: SpendPlan, times: bigint): SpendPlan {
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
