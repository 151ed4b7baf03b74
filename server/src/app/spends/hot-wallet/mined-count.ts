import type { Gate } from '../../../gates/gate.ts'
import type { HotAccount } from './hot-account.ts'

/** How many transactions of the hot wallet are mined; null where they are not numbered. */
export async function minedCountOf(gate: Gate, { kind, hotAddress }: HotAccount): Promise<bigint | null> {
  return kind === 'account' ? gate.nextNonce(hotAddress) : null
}
