import { createHash } from 'node:crypto'
import { base58 } from '@scure/base'
import type { Uses } from './uses.ts'

/** What transactions use up on a simulated chain: coins, or the turn of an account. */
export type PlacedUses = Exclude<Uses, { kind: 'nonce_account' }>

// A value that is older is as good as unknown.
const maxOlder = 20_000n

/** The values of a nonce account, in order. On a simulated network every nonce account exists from the start. */
export function nonceValueAt(account: string, turn: bigint): string {
  return base58.encode(createHash('sha256').update(`${account} ${turn}`).digest())
}

/** The name of a nonce account as the sender of transactions. */
export function nonceAccountName(holder: string, index: number): string {
  return `${holder}/${index}`
}

/**
 * The uses of a transaction on a simulated chain, given the next turn of each nonce account. A value that the
 * account has never had is the turn before its first.
 */
export function placedUses(uses: Uses, nextTurnOf: (account: string) => bigint): PlacedUses {
  if (uses.kind !== 'nonce_account') return uses
  const address = nonceAccountName(uses.holder, uses.index)
  return { kind: 'account', address, nonce: turnOf(address, uses.value, nextTurnOf(address)) }
}

function turnOf(account: string, value: string | null, next: bigint): bigint {
  for (let turn = next; turn >= 0n && turn >= next - maxOlder; turn--)
    if (nonceValueAt(account, turn) === value) return turn
  return -1n
}
