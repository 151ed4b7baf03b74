import type { MedusaRequest, MedusaResponse } from '@medusajs/framework/http'
import { Modules } from '@medusajs/framework/utils'
import { destinationOf } from '../../shared/refunds.ts'
import { refused } from './refused.ts'
import { readSession, writeSession } from './session-data.ts'

/** The longest address with a tag that Sluice takes. */
const longest = 600

/** `POST /admin/sluice/payments/:id/refund-address`: where the payer wants the money of a refund. For staff only. */
export async function POST(request: MedusaRequest, response: MedusaResponse): Promise<void> {
  const { address } = (request.body ?? {}) as { address?: unknown }
  if (typeof address !== 'string' || address.length > longest || destinationOf(address) === null)
    throw refused(
      'address: must be where the payer wants the money; after a space its memo or tag, if it has one.',
    )
  const payments = request.scope.resolve(Modules.PAYMENT)
  const payment = await payments.retrievePayment(request.params.id ?? '')
  const data = writeSession({ ...readSession(payment.data), refundTo: address.trim() })
  // The type of an update leaves out what the module stores.
  const update = { id: payment.id, data }
  await payments.updatePayment(update)
  response.status(200).json({ payment_id: payment.id, refund_to: address.trim() })
}
