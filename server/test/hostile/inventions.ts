import { type Coin, hotKey } from '../../src/domain/spends.ts'
import { nonceAccountRent } from '../../src/gates/solana/budgets.ts'
import type { Random } from '../simulation/random.ts'
import type { PasskeyDesk } from '../support/people/passkey-desk.ts'
import { freshLifetime, freshNonce, type Plan, someCoins, sumOf } from './forgeries.ts'
import { uuidOf } from './names.ts'
import type { Row, Rows } from './rows.ts'
import { nonceValue, solanaOf } from './solana-plans.ts'

/** Spends that the service never planned. */
export function inventions({ insert }: Rows, { wallet }: PasskeyDesk, coins: () => readonly Coin[]) {
  const made = {
    /** Inserts one. Returns its id. */
    async invent(random: Random, kind: string, gateId: string, plan: Plan): Promise<string> {
      const id = uuidOf(random)
      const account = plan.kind === 'coins' ? null : (plan as never as Record<string, { address: string }>)
      await insert('spends', {
        id,
        gate_id: gateId,
        kind,
        fee_currency: kind === 'absorb' ? null : 'ETH',
        ...(account && {
          to_address: account.to?.address,
          currency: plan.currency,
          units: plan.units,
        }),
        ...(plan.kind === 'account' && { from_address: account?.from?.address, nonce: plan.nonce }),
        ...(plan.kind === 'solana' && nonceColumns(plan)),
      })
      await insert('spend_transactions', { spend_id: id, attempt: 1, plan, max_fee_units: '1000' })
      return id
    },

    transferTo(random: Random, address: string, changes: Row = {}): Plan {
      const key = random.bool(0.6) ? hotKey : ({ chain: 'deposit', index: random.below(3) } as const)
      const from = { address: wallet.addressAt('ethereum', key), key }
      return {
        kind: 'account',
        from,
        nonce: freshNonce(random),
        to: { address, tag: null },
        currency: 'ETH',
        contractAddress: null,
        units: '7000',
        gasLimit: '21000',
        gasPrice: `${10n ** 9n}`,
        payoutId: null,
        ...changes,
      }
    },

    coinsTo(random: Random, address: string, feeUnits: bigint, payoutId: string | null): Plan {
      const inputs = someCoins(random, coins())
      return {
        kind: 'coins',
        inputs,
        outputs: [{ address, units: `${sumOf(inputs) - feeUnits}`, payoutId }],
        change: payoutId === null ? { outputIndex: 0, index: 0 } : null,
        feeUnits: `${feeUnits}`,
      }
    },

    /** From the hot wallet, or from a deposit address. */
    solanaTo(random: Random, address: string, changes: Row = {}): Plan {
      const { hot, native, spending } = solanaOf(wallet)
      return {
        kind: 'solana',
        from: { address: hot, key: hotKey },
        lifetime: freshLifetime(random),
        to: { address, tag: null },
        currency: native.currency,
        contractAddress: null,
        units: '7000',
        payoutId: null,
        token: null,
        rentUnits: '0',
        computeLimit: `${spending.payoutBudget(native).computeLimit}`,
        computePrice: '1000',
        ...(random.bool(0.4) && { sources: [sourceOf(random)] }),
        ...changes,
      }
    },

    /** Something that pays no one and costs this much, as a price or as rent; and of what kind it is. */
    dearOnSolana(random: Random, hot: string, feeUnits: bigint): readonly [kind: string, Plan] {
      const { spending } = solanaOf(wallet)
      const dear = { computeLimit: '1000', computePrice: `${(feeUnits * 1_000_000n) / 1_000n}` }
      const kind = random.pick(['sweep', 'nonce', 'nonce', 'payout'])
      const plan = made.solanaTo(random, hot, dear)
      if (kind === 'sweep') return [kind, { ...plan, sources: plan.sources ?? [sourceOf(random)] }]
      const { sources: _, ...alone }: Plan = { ...plan, units: '0' }
      if (kind === 'payout') return [kind, alone as Plan]
      const index = random.below(spending.nonceAccounts)
      const lifetime = {
        kind: 'creation',
        index,
        blockhash: nonceValue(random.below(9)),
        lastValidHeight: '200',
      }
      const to = { address: spending.nonceAccount(index), tag: null }
      const rent = random.bool(0.5) ? { ...dear, rentUnits: `${nonceAccountRent}` } : hiddenInRent(feeUnits)
      return [kind, { ...(alone as Plan), ...rent, to, lifetime }]
    },
  }
  return made

  function sourceOf(random: Random): object {
    const key = { chain: 'deposit', index: random.below(3) } as const
    return { address: wallet.addressAt('solana', key), key, units: '7000' }
  }
}

function hiddenInRent(feeUnits: bigint): Row {
  return { computeLimit: '1000', computePrice: '1', rentUnits: `${feeUnits}` }
}

function nonceColumns({ lifetime }: Plan): Row {
  const { index, value } = lifetime as Record<string, unknown>
  return { nonce_account: index, nonce_value: value ?? null }
}
