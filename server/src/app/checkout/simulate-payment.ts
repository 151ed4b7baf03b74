import { checkoutStanding } from '../../domain/checkout.ts'
import { ServiceError } from '../../domain/errors.ts'
import type { InvoiceAsset } from '../../domain/invoices.ts'
import { divide, formatDecimal } from '../../domain/money.ts'
import { deposit } from '../../simulator/helpers/deposit.ts'
import { mineBlocks } from '../../simulator/helpers/mine-blocks.ts'
import type { Visit } from '../../store/invoices/visits.ts'
import type { App } from '../app.ts'
import { timeOf } from './open-checkout.ts'

export const simulatedActions = ['pay_exact', 'pay_less', 'pay_more', 'mine'] as const
export type SimulatedAction = (typeof simulatedActions)[number]

/**
 * Acts as the payer of a test invoice or as its network: pays the missing amount, half of it or a tenth too much, or mines
 * a block. Returns once the result is visible. Throws wherever money could be real.
 */
export async function simulatePayment(app: App, visit: Visit, action: SimulatedAction): Promise<void> {
  const { invoice } = visit
  const { asset } = invoice
  const gate = asset === null ? null : app.gates.find(asset.gateId)
  if (invoice.environment !== 'test' || asset === null || !gate?.simulated)
    throw notPossible('Only a test invoice on a simulated network can be paid by simulation.')
  if (action === 'mine') {
    await mineBlocks(app, invoice, { network: asset.network, count: 1 })
    return
  }
  const missing = missingUnits(app, visit, asset)
  if (missing === 0n) throw notPossible('This invoice is already paid in full.')
  await deposit(app, invoice, {
    address: asset.depositAddress,
    tag: asset.depositAddressTag,
    amount: formatDecimal(shareOf(missing, action), asset.decimals),
    currency: asset.currency,
    network: asset.network,
  })
}

/** The amount that the page asks the payer for; after the invoice has ended, the amount that was still missing. */
function missingUnits(app: App, visit: Visit, asset: InvoiceAsset): bigint {
  const { invoice, payments } = visit
  const { phase, missingUnits: missing } = checkoutStanding(invoice, payments, timeOf(visit, app.now()))
  if (!['closing', 'expired', 'cancelled'].includes(phase)) return missing
  const rest = asset.amountUnits - invoice.settledUnits
  return rest > 0n ? rest : 0n
}

function shareOf(units: bigint, action: Exclude<SimulatedAction, 'mine'>): bigint {
  switch (action) {
    case 'pay_exact':
      return units
    case 'pay_less':
      return divide(units, 2n, 'up')
    case 'pay_more':
      return divide(units * 11n, 10n, 'up')
  }
}

function notPossible(message: string): ServiceError {
  return new ServiceError('invalid_state', message, ['/action: is not possible now'])
}
