import type { SubscriberArgs, SubscriberConfig } from '@medusajs/framework'
import { ContainerRegistrationKeys, Modules, PaymentWebhookEvents } from '@medusajs/framework/utils'
import { refundPaymentWorkflow } from '@medusajs/medusa/core-flows'
import { SluiceWebhookError } from '@sluice/sdk'
import { readNotice } from '../../shared/notices.ts'
import { connectionTo, type ShopSettings } from '../../shared/settings.ts'
import { readSession } from './session-data.ts'

type Received = {
  readonly payload: {
    readonly rawData: Buffer | { readonly type: 'Buffer'; readonly data: number[] }
    readonly headers: Record<string, string>
  }
}

/** Records a refund in Medusa once it is confirmed on its chain. */
export default async function recordRefund({ event, container }: SubscriberArgs<Received>): Promise<void> {
  const options = optionsIn(container.resolve(ContainerRegistrationKeys.CONFIG_MODULE))
  if (options === undefined) return
  const connection = connectionTo('medusa', options)
  const { rawData, headers } = event.data.payload
  const body = rawData instanceof Uint8Array ? rawData : Buffer.from(rawData.data)
  const notice = await readNotice(connection, body, headers).catch((error: unknown) => {
    // The provider, which hears of it too, has logged it.
    if (error instanceof SluiceWebhookError) return null
    throw error
  })
  if (notice?.about !== 'refund') return
  const refund = await connection.sluice.refunds.get(notice.refundId)
  const logger = container.resolve(ContainerRegistrationKeys.LOGGER)
  const amount = refund.metadata?.exactly
  if (refund.metadata?.shop !== 'medusa' || typeof amount !== 'string') return
  if (refund.status !== 'completed') {
    logger.warn(
      `Sluice: refund ${refund.id} is ${refund.status}: ${refund.failure_reason ?? 'nothing was sent'}`,
    )
    return
  }
  const { external_id: sessionId } = await connection.sluice.invoices.get(notice.invoiceId)
  if (sessionId === null) return
  const payments = container.resolve(Modules.PAYMENT)
  const [payment] = await payments.listPayments({ payment_session_id: sessionId })
  if (payment === undefined || readSession(payment.data).refunds.includes(refund.id)) return
  await refundPaymentWorkflow(container).run({ input: { payment_id: payment.id, amount } })
}

export const config: SubscriberConfig = {
  event: PaymentWebhookEvents.WebhookReceived,
  context: { subscriberId: 'sluice-refunds' },
}

type Configured = { readonly resolve?: unknown; readonly options?: unknown }

/** The options of the provider, as `medusa-config.ts` has them. */
function optionsIn(config: { modules?: unknown }): Partial<ShopSettings> | undefined {
  const modules = Object.values((config.modules ?? {}) as Record<string, Configured | undefined>)
  const providers = modules.flatMap((module) => {
    const { providers } = (module?.options ?? {}) as { providers?: readonly Configured[] }
    return Array.isArray(providers) ? providers : []
  })
  const ours = providers.find(
    ({ resolve }) => typeof resolve === 'string' && resolve.startsWith('@sluice/medusa'),
  )
  return ours?.options as Partial<ShopSettings> | undefined
}
