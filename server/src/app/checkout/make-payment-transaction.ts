import { type CheckoutPhase, checkoutStanding } from '../../domain/checkout.ts'
import { ServiceError } from '../../domain/errors.ts'
import { formatDecimal } from '../../domain/money.ts'
import type { Gate, PaymentTransaction } from '../../gates/gate.ts'
import type { Visit } from '../../store/invoices/visits.ts'
import { placeOf } from '../addresses/place-of.ts'
import type { App } from '../app.ts'
import { addressRefused, gateOffline } from '../gates/gate-book.ts'
import { timeOf } from './open-checkout.ts'

/**
 * The unsigned transaction with which an account pays what is missing of an invoice right now, to its proved address. Refuses in
 * words for payers, short enough for wallets, which show 80 characters. Writes nothing.
 */
export async function makePaymentTransaction(
  app: Pick<App, 'gates' | 'now' | 'proofs' | 'store'>,
  visit: Visit,
  account: string,
): Promise<Uint8Array> {
  const { invoice, payments } = visit
  const { asset } = invoice
  if (asset === null) throw notPayable(nothingToPay.choose)
  const gate = app.gates.find(asset.gateId)
  const gateAsset = gate?.assets.find(({ currency }) => currency === asset.currency)
  if (gate === null || gateAsset === undefined) throw gateOffline(asset.network)
  if (gate.paymentTransaction === undefined)
    throw notPayable('Wallets cannot get this payment from here. Use the payment page.')
  await checkPayer(app, gate, account)
  const { phase, missingUnits } = checkoutStanding(invoice, payments, timeOf(visit, app.now()))
  if (missingUnits === 0n) throw notPayable(nothingToPay[phase])
  if (!app.gates.isOnline(gate.id) || visit.takenOffline) throw gateOffline(asset.network)
  const to = placeOf(app.proofs, asset)
  if (to === null) throw addressRefused(asset.network)
  const made = await gate.paymentTransaction({
    payer: account,
    to,
    asset: gateAsset,
    units: missingUnits,
    invoiceId: invoice.id,
  })
  if ('bytes' in made) return made.bytes
  throw refusal(made)
}

/** An account without a private key cannot pay, and our own must not: it would pay itself. */
async function checkPayer({ store }: Pick<App, 'store'>, gate: Gate, account: string): Promise<void> {
  if (gate.parseDestination(account, null) === null)
    throw badAccount(
      `This is not the address of a ${gate.network.name} wallet.`,
      'must be the address of a wallet',
    )
  const { spending } = gate
  const isHot = spending.kind !== 'coins' && spending.hotAddress === account
  if (isHot || (await store.depositAddresses.everMade([account])).has(account))
    throw badAccount(
      'The shop’s own address cannot pay. Use your own wallet.',
      'is an address of this service',
    )
}

function refusal(made: Exclude<PaymentTransaction, { readonly bytes: Uint8Array }>): ServiceError {
  switch (made.refused) {
    case 'not_a_wallet':
      return badAccount('This account is not a wallet and cannot pay.', 'is not a wallet')
    case 'too_small':
      return new ServiceError(
        'amount_too_small',
        'What is missing is too little to be sent on this network. Ask the shop.',
        ['/account: cannot send so little to an address that holds nothing yet'],
      )
    case 'short': {
      const { currency, decimals, contractAddress } = made.asset
      const [needed, held] = [made.neededUnits, made.heldUnits].map((units) => formatDecimal(units, decimals))
      const fees = contractAddress === null ? ' with fees' : ''
      return new ServiceError(
        'insufficient_balance',
        `Not enough ${currency}: ${needed} needed${fees}, ${held} in this wallet.`,
        [`/account: has ${held} ${currency}, and it takes ${needed} ${currency}`],
      )
    }
  }
}

function badAccount(message: string, problem: string): ServiceError {
  return new ServiceError('validation_error', message, [`/account: ${problem}`])
}

function notPayable(message: string): ServiceError {
  return new ServiceError('conflict', message)
}

const onItsWay = 'Your payment has already been seen. Do not pay again.'

/** Why nothing is missing, by what the payment page shows. */
const nothingToPay: Readonly<Record<CheckoutPhase, string>> = {
  choose: 'Choose a currency on the payment page first.',
  pay: onItsWay,
  underpaid: onItsWay,
  detected: onItsWay,
  confirming: onItsWay,
  paid: 'This is already paid. Do not pay again.',
  overpaid: 'This is already paid. Do not pay again.',
  closing: 'The time to pay is over. Go back to the shop and start again.',
  expired: 'The time to pay is over. Go back to the shop and start again.',
  cancelled: 'The shop has cancelled this payment. Do not pay it.',
}
