import type { NewPayout } from '@sluice/sdk/contract'
import { invalid } from '../../../app/choose-asset.ts'
import type { PayoutOrder } from '../../../app/payouts/draft-order.ts'

/** What a body asks for. */
export function orderFrom(body: NewPayout): PayoutOrder {
  return {
    request: { ...requestFrom(body), idempotencyKey: body.idempotency_key ?? null },
    body: { ...body },
  }
}

/** Refuses payouts of one request that share an idempotency key. */
export function requireOwnKeys(payouts: readonly NewPayout[]): void {
  const keys = payouts.map((payout) => payout.idempotency_key)
  const problems = keys.flatMap((key, at) => {
    const first = keys.indexOf(key)
    return first === at ? [] : [`/payouts/${at}/idempotency_key: is also that of /payouts/${first}`]
  })
  if (problems.length > 0) throw invalid(...problems)
}

/** The same without the key, which a refund has elsewhere. */
export function requestFrom(body: Omit<NewPayout, 'idempotency_key'>) {
  return {
    currency: body.currency,
    network: body.network ?? null,
    amount: body.amount,
    destination: body.destination,
    destinationTag: body.destination_tag ?? null,
    allowProgramAddress: body.allow_program_address ?? false,
    description: body.description ?? null,
    metadata: body.metadata ?? null,
  }
}
