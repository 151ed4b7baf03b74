import { approvalHash } from '../../src/domain/payouts.ts'
import type { Random } from '../simulation/random.ts'
import type { Row } from './rows.ts'

export function uuidOf(random: Random): string {
  return random
    .bytes(16)
    .toString('hex')
    .replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
}

/** The approval hash of a payout, as its row says. */
export function hashOf(payout: Row): string {
  const text = (name: string) => `${payout[name]}`
  return approvalHash({
    id: text('id'),
    environment: text('environment') as 'live',
    network: text('network'),
    currency: text('currency'),
    amountUnits: BigInt(text('amount_units')),
    destination: text('destination'),
    destinationTag: payout.destination_tag === null ? null : text('destination_tag'),
  })
}
