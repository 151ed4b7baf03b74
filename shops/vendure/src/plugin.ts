import { LanguageCode, PluginCommonModule, ScheduledTask, type Type, VendurePlugin } from '@vendure/core'
import { type Connection, connectionTo, type ShopSettings } from '../../shared/settings.ts'
import { refundAddressField, sluiceHandler } from './handler.ts'
import { connectionToken, OrderPayments } from './order-payments.ts'
import { keepRawBody } from './raw-body.ts'
import { paymentProcess, refundProcess } from './states.ts'
import { WebhookController } from './webhook-controller.ts'

/** Looks at open payments and refunds every ten minutes, on the one server whose turn it is. */
const followOpen = new ScheduledTask({
  id: 'sluice-follow-open-payments',
  description: 'Follows payments and refunds whose webhook was lost',
  schedule: '*/10 * * * *',
  async execute({ injector }) {
    await injector.get(OrderPayments).followOpen()
  },
})

/** Adds the payment method `sluice`, the route of its webhooks, and the field for refund addresses. */
@VendurePlugin({
  imports: [PluginCommonModule],
  compatibility: '^3.7.0',
  controllers: [WebhookController],
  providers: [OrderPayments, { provide: connectionToken, useFactory: () => SluicePlugin.connection }],
  configuration: (config) => {
    config.paymentOptions.paymentMethodHandlers.push(sluiceHandler(SluicePlugin.connection))
    config.paymentOptions.process = [...(config.paymentOptions.process ?? []), paymentProcess]
    config.paymentOptions.refundProcess = [...(config.paymentOptions.refundProcess ?? []), refundProcess]
    config.apiOptions.middleware.push({ route: '/payments/sluice', handler: keepRawBody, beforeListen: true })
    config.schedulerOptions.tasks = [...(config.schedulerOptions.tasks ?? []), followOpen]
    config.customFields.Order = [
      ...(config.customFields.Order ?? []),
      {
        name: refundAddressField,
        type: 'string',
        nullable: true,
        public: false,
        length: 600,
        label: [{ languageCode: LanguageCode.en, value: 'Refund address' }],
        description: [
          {
            languageCode: LanguageCode.en,
            value:
              'Where the payer wants a refund of a crypto payment; after a space its memo or tag, if it has one',
          },
        ],
      },
    ]
    return config
  },
})
// biome-ignore lint/complexity/noStaticOnlyClass: a plugin of Vendure is a class
export class SluicePlugin {
  static connection: Connection

  static init(settings: Partial<ShopSettings>): Type<SluicePlugin> {
    SluicePlugin.connection = connectionTo('vendure', settings)
    return SluicePlugin
  }
}
