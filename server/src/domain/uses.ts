import type { SpendPlan } from './spends.ts'

/** What a transaction uses up: of all that have a use in common at most one can be mined. */
export type Uses =
  | {
      readonly kind: 'coins'
      readonly coins: readonly { readonly txHash: string; readonly outputIndex: number }[]
    }
  | { readonly kind: 'account'; readonly address: string; readonly nonce: bigint }

export function usesOf(plan: SpendPlan): Uses {
  if (plan.kind === 'account') return { kind: 'account', address: plan.from.address, nonce: plan.nonce }
  return { kind: 'coins', coins: plan.inputs.map(({ txHash, outputIndex }) => ({ txHash, outputIndex })) }
}

/** Each use by a name of its own: a coin as `<hash>:<output>`, an account's number as `<address>#<number>`. */
export function useNames(uses: Uses): string[] {
  return uses.kind === 'account' ? [`${uses.address}#${uses.nonce}`] : uses.coins.map(coinName)
}

/** What a plan's transaction would use up, by name. */
export function useNamesOf(plan: SpendPlan): string[] {
  return useNames(usesOf(plan))
}

export function coinName(coin: { readonly txHash: string; readonly outputIndex: number }): string {
  return `${coin.txHash}:${coin.outputIndex}`
}
