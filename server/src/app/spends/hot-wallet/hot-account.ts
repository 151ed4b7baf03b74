import type { Gate, HotSpending } from '../../../gates/gate.ts'

/** How funds leave an account network whose hot wallet is known. */
export type HotAccount = HotSpending & { readonly hotAddress: string }

/** The hot wallet of an account network. Null on networks with coins, and until the signer has published the address. */
export function hotAccountOf({ spending }: Pick<Gate, 'spending'>): HotAccount | null {
  if (spending.kind === 'coins' || spending.hotAddress === null) return null
  return { ...spending, hotAddress: spending.hotAddress }
}
