import type { AccountPlan, Coin, CoinPlan, SpendPlan } from '../../src/domain/spends.ts'
import type { Random } from '../simulation/random.ts'
import type { Holder, PasskeyDesk } from '../support/people/passkey-desk.ts'
import { elsewhere } from '../support/signer/signer-desk.ts'
import type { Judge } from './judge.ts'

const ethereum = 'ethereum-live'
/** Where the signer's own settings say that the operator's cold wallets are. */
export const coldWallets = {
  bitcoin: 'bc1qrp33g0q5c5txsp9arysrx4k6zdkfs4nce4xj0gdcccefvpysxf3qccfmv3',
  ethereum: '0x52908400098527886E0F7030069857D2E4169EE7',
}
const unapproved = { approvers: [] }
// Far more than any fee may be.
const coinUnits = 50_000_000n

/** What the service and its people do meanwhile: they approve payouts with passkeys, and plan every kind of spend. */
export function honestWork(desk: PasskeyDesk, judge: Judge, approver: Holder) {
  let [amount, nonce] = [20_000n, 0n]
  const planned: { spendId: string; plan: SpendPlan; attempts: number }[] = []
  const keep = (spendId: string, plan: SpendPlan) => planned.push({ spendId, plan, attempts: 1 })

  async function coin(): Promise<Coin> {
    const made = await desk.coin(coinUnits)
    judge.exists(made)
    return made
  }

  async function approved(input: Parameters<typeof desk.payout>[0]) {
    const payout = await desk.payout({ ...input, ...unapproved, amountUnits: amount++ })
    await desk.approveWith(approver, payout)
    judge.approve(payout)
    return payout
  }

  const work = {
    async payCoins() {
      const payouts = [await approved({})]
      const plan = desk.coinPlan([await coin(), await coin()], payouts)
      keep(await desk.plan(plan, payouts), plan)
    },
    async payFromAccount(random: Random) {
      const payout = await approved({
        network: 'ethereum',
        currency: random.pick(['ETH', 'USDT']),
        destination: elsewhere.ethereum,
        networkFeeUnits: 10n ** 15n,
      })
      const plan = desk.transferPlan(payout, nonce++)
      keep(await desk.plan(plan, [payout], { gateId: ethereum }), plan)
    },
    async fill() {
      const plan = desk.emptyPlan({ nonce: nonce++ })
      keep(await desk.plan(plan, [], { kind: 'fill', gateId: ethereum }), plan)
    },
    async consolidate() {
      const coins = [await coin(), await coin()]
      const plan = desk.coinPlan(coins, [])
      keep(await desk.plan(plan, [], { kind: 'consolidation' }), plan)
    },
    async cool(random: Random) {
      if (random.bool(0.5)) {
        const to = { address: coldWallets.ethereum, tag: null }
        const plan = desk.emptyPlan({ nonce: nonce++, to, units: 10n ** 18n })
        keep(await desk.plan(plan, [], { kind: 'cold', gateId: ethereum }), plan)
        return
      }
      const change = desk.coinPlan([await coin(), await coin()], [])
      const units = coinUnits
      const plan: CoinPlan = {
        ...change,
        outputs: [
          ...change.outputs.map((output) => ({ ...output, units: output.units - units })),
          { address: coldWallets.bitcoin, units, payoutId: null },
        ],
        cold: { outputIndex: 1, index: null },
      }
      keep(await desk.plan(plan, [], { kind: 'cold' }), plan)
    },
    async raise(random: Random) {
      const chosen = planned[random.below(planned.length)]
      if (chosen === undefined) return
      chosen.attempts++
      const { spendId, plan, attempts } = chosen
      await desk.app.store.spends
        .addAttempt(spendId, attempts, dearer(plan, BigInt(attempts)))
        .catch(() => {})
    },
  }
  return {
    planned,
    /** Does one of these, whatever the database has become meanwhile. */
    async act(random: Random): Promise<void> {
      const what = random.weighted({
        payCoins: 4,
        payFromAccount: 4,
        fill: 2,
        consolidate: 2,
        cool: 2,
        raise: 3,
      })
      await work[what](random)
    },
  }
}

export type HonestWork = ReturnType<typeof honestWork>

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
