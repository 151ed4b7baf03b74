import type { IncomingHttpHeaders } from 'node:http'
import { Controller, Inject, Post, Req, Res } from '@nestjs/common'
import { SluiceWebhookError } from '@sluice/sdk'
import { Logger } from '@vendure/core'
import { readNotice } from '../../shared/notices.ts'
import type { Connection } from '../../shared/settings.ts'
import { connectionToken, logContext, OrderPayments, PaymentMissingError } from './order-payments.ts'

type Incoming = { readonly headers: IncomingHttpHeaders; readonly body: unknown }
type Outgoing = { status(code: number): { send(text: string): void } }

/** `POST /payments/sluice`: where Sluice sends its webhooks. */
@Controller('payments')
export class WebhookController {
  @Inject(connectionToken) private readonly connection!: Connection
  @Inject(OrderPayments) private readonly payments!: OrderPayments

  @Post('sluice')
  async receive(@Req() request: Incoming, @Res() response: Outgoing): Promise<void> {
    try {
      const body = request.body instanceof Uint8Array ? request.body : new Uint8Array()
      await this.payments.follow(await readNotice(this.connection, body, request.headers))
      response.status(200).send('ok')
    } catch (error) {
      if (error instanceof SluiceWebhookError) {
        Logger.warn(`A webhook was refused: ${error.message}`, logContext)
        response.status(400).send(error.message)
      } else if (error instanceof PaymentMissingError) {
        // Sluice sends it again.
        response.status(503).send(error.message)
      } else throw error
    }
  }
}
