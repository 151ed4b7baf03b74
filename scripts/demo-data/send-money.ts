import { type Sluice, SluiceError } from '../../sdk/src/client.ts'
import type { Payout } from '../../sdk/src/contract.generated.ts'
import { type Coin, perMilleOf } from './catalogue.ts'
import { until } from './client.ts'
import type { Randomness } from './randomness.ts'
import type { Placed } from './take-orders.ts'

/** How a payout ends. One that waits needs an approval; one that is held is approved, and its network offline. */
export type PayoutEnd = 'completed' | 'cancelled' | 'rejected' | 'failed' | 'waits' | 'held'

type Sent = Pick<Payout, 'id' | 'network'>

export type Cashier = {
  /** Pays out part of a balance. False if there is too little of it yet. */
  payOut(end: PayoutEnd, from: readonly Coin[]): Promise<boolean>
  refund(placed: Placed, end: 'completed' | 'waits'): Promise<boolean>
}

// From the standards that describe such addresses: no one misses what is sent there.
const bitcoinAddresses = [
  'tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx',
  'tb1qrp33g0q5c5txsp9arysrx4k6zdkfs4nce4xj0gdcccefvpysxf3q0sl5k7',
  'tb1pqqqqp399et2xygdj5xreqhjjvcmzhxw4aywxecjdzew6hylgvsesf3hn0c',
] as const
const purposes = ['Supplier, green coffee', 'Rent', 'Treasury', 'Salaries', 'Packaging'] as const
/** Nothing more can be paid out of what there is. */
const tooLittle: readonly string[] = ['insufficient_balance', 'amount_too_small']
/** The blocks of one look at a payout that is on its way. */
const blocks = 15

export function openCashier(sluice: Sluice, random: Randomness): Cashier {
  // The same suppliers are paid again and again.
  const accounts = Array.from({ length: 4 }, () => `0x${random.hex(20)}`)

  const destinationOn = (network: string) =>
    network === 'bitcoin' ? random.pick(bitcoinAddresses) : random.pick(accounts)

  /** Mines until the payout has another status: it may first need funds of several addresses in one place. */
  async function mineWhile(statuses: readonly Payout['status'][], { id, network }: Sent): Promise<void> {
    await until(
      async () => {
        await sluice.test.mine({ network, count: blocks })
        return sluice.payouts.get(id)
      },
      ({ status }) => !statuses.includes(status),
    )
  }

  /** Lets the network refuse it for good, unless it has been mined already. */
  async function fail(payout: Sent): Promise<void> {
    await mineWhile(['approved'], payout)
    try {
      await sluice.test.failPayout(payout.id)
    } catch (error) {
      if (!(error instanceof SluiceError) || error.code !== 'conflict') throw error
      await mineWhile(['approved', 'processing'], payout)
    }
  }

  async function finish(payout: Sent, end: PayoutEnd): Promise<void> {
    const { id, network } = payout
    if (end === 'waits') return
    if (end === 'cancelled') return void (await sluice.payouts.cancel(id))
    if (end === 'rejected') return void (await sluice.test.rejectPayout(id))
    if (end === 'held') await sluice.test.setGate({ network, status: 'offline' })
    await sluice.test.approvePayout(id)
    if (end === 'failed') await fail(payout)
    if (end === 'completed') await mineWhile(['approved', 'processing'], payout)
  }

  /** Does it unless there is too little, which is no failure of the story. */
  async function ifEnough(work: () => Promise<void>): Promise<boolean> {
    try {
      await work()
      return true
    } catch (error) {
      if (error instanceof SluiceError && tooLittle.includes(error.code)) return false
      throw error
    }
  }

  return {
    async payOut(end, from) {
      const { data: balances } = await sluice.balances.list()
      const filled = from.flatMap(({ currency, network }) => {
        const balance = balances.find((each) => each.currency === currency)
        const available = balance?.networks.find((each) => each.network === network)?.available ?? '0'
        return /^0(\.0*)?$|^-/.test(available) ? [] : [{ currency, network, available }]
      })
      if (filled.length === 0) return false
      const { currency, network, available } = random.pick(filled)
      const amount = perMilleOf(available, random.whole(150, 450))
      const description = random.pick(purposes)
      return ifEnough(async () => {
        const request = { currency, network, amount, destination: destinationOn(network), description }
        const payout = await sluice.payouts.create({ ...request, metadata: { cost_centre: 'roastery' } })
        await finish(payout, end)
      })
    },
    async refund({ order: { coin, external_id }, invoice }, end) {
      const { currency, network } = coin
      const amount = perMilleOf(invoice.amount ?? '0', random.pick([250, 500, 900]))
      return ifEnough(async () => {
        const { payout_id: id } = await sluice.refunds.create({
          invoice_id: invoice.id,
          currency,
          network,
          amount,
          destination: destinationOn(network),
          description: `Returned goods of ${external_id}`,
        })
        await finish({ id, network }, end)
      })
    },
  }
}
