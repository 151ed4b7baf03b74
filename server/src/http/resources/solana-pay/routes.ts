import type { Operations } from '@sluice/web/contract'
import type { App } from '../../../app/app.ts'
import { makePaymentTransaction } from '../../../app/checkout/make-payment-transaction.ts'
import type { Shop, Visit } from '../../../store/invoices/visits.ts'
import { neutralIconPath } from '../../checkout/logos.ts'
import type { InputOf, OperationIdUnder } from '../../contract.ts'
import { type FlatDataOf, ok, type Reply } from '../../reply.ts'
import { logoPath } from '../checkout/view.ts'

type SolanaPayOperationId = OperationIdUnder<Operations, '/solana-pay/'>

/** One handler for every operation of a payer's wallet; each gets the visit that its ticket opened. */
export type SolanaPayHandlers = {
  readonly [Id in SolanaPayOperationId]: (
    request: InputOf<Operations[Id]['request']> & { readonly visit: Visit },
  ) =>
    | Reply<FlatDataOf<Operations[Id]['responses']>>
    | Promise<Reply<FlatDataOf<Operations[Id]['responses']>>>
}

/** The transaction request of the Solana Pay specification, version 1.1. */
export function solanaPay(app: App): SolanaPayHandlers {
  return {
    describePaymentRequest: ({ visit: { shop } }) =>
      ok({ label: shop.name, icon: `${app.people.url()}${iconPath(shop)}` }),
    makePaymentTransaction: async ({ visit, body }) => {
      const bytes = await makePaymentTransaction(app, visit, body.account)
      return ok({
        transaction: Buffer.from(bytes).toString('base64'),
        message: visit.invoice.description ?? `Payment to ${visit.shop.name}`,
      })
    },
  }
}

// Wallets must refuse pictures of any other type.
const iconTypes: readonly (string | null)[] = ['image/png', 'image/webp']

function iconPath({ logoSha256, logoMediaType }: Shop): string {
  return logoSha256 !== null && iconTypes.includes(logoMediaType) ? logoPath(logoSha256) : neutralIconPath
}
