import type { SpendPlan } from './spends.ts'

/** What a transaction uses up. Of all transactions that share a use, at most one can be mined. */
export type Uses =
  | {
      readonly kind: 'coins'
      readonly coins: readonly { readonly txHash: string; readonly outputIndex: number }[]
    }
  | { readonly kind: 'account'; readonly address: string; readonly nonce: bigint }
  /** A value of a nonce account of `holder`; null for the account's creation. */
  | {
      readonly kind: 'nonce_account'
      readonly holder: string
      readonly index: number
      readonly value: string | null
    }

export function usesOf(plan: SpendPlan): Uses {
  if (plan.kind === 'account') return { kind: 'account', address: plan.from.address, nonce: plan.nonce }
  if (plan.kind === 'solana') {
    const { lifetime, from } = plan
    const value = lifetime.kind === 'nonce' ? lifetime.value : null
    return { kind: 'nonce_account', holder: from.address, index: lifetime.index, value }
  }
  return { kind: 'coins', coins: plan.inputs.map(({ txHash, outputIndex }) => ({ txHash, outputIndex })) }
}

/**
 * A unique name for each use: `<hash>:<output>` for a coin, `<address>#<nonce>` for an account's nonce,
 * `<holder>/<index>#<value>` for a value of a nonce account.
 */
export function useNames(uses: Uses): string[] {
  if (uses.kind === 'nonce_account') return [`${uses.holder}/${uses.index}#${uses.value ?? 'creation'}`]
  return uses.kind === 'account' ? [`${uses.address}#${uses.nonce}`] : uses.coins.map(coinName)
}

/** The names of what a plan's transaction would use up. */
export function useNamesOf(plan: SpendPlan): string[] {
  return useNames(usesOf(plan))
}

export function coinName(coin: { readonly txHash: string; readonly outputIndex: number }): string {
  return `${coin.txHash}:${coin.outputIndex}`
}
