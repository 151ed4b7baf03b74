import type { Sluice } from '../../sdk/src/client.ts'
import { type Coin, coins, type Order, orderAt } from './catalogue.ts'
import { type Randomness, randomnessFrom } from './randomness.ts'
import { startReceiver } from './receiver.ts'
import { openCashier, type PayoutEnd } from './send-money.ts'
import { openTill, type Till } from './take-orders.ts'

export type Plan = { readonly invoices: number; readonly weeks: number; readonly seed: number }
/** What was made, apart from the invoices of static addresses. */
export type Played = { invoices: number; payouts: number; refunds: number }

const dayMs = 24 * 60 * 60_000
const minuteMs = 60_000
/** When the shop's two rushes of a day begin, in minutes. */
const rushes = [8 * 60, 16 * 60] as const
/** How busy each weekday is, from Sunday on. */
const busy = [5, 8, 9, 9, 11, 14, 12] as const
const ends: readonly PayoutEnd[] = ['completed', 'cancelled', 'completed', 'failed', 'completed', 'rejected']
const [suspenseDay, payoutDays, refundEveryDays] = [2, [1, 4], 4]
/** The networks on which payouts and refunds are made: this story knows addresses there. */
const payable = ['bitcoin', 'ethereum', 'base', 'bsc', 'polygon']
/** The last payout waits for this network, which is left offline for the merchant. */
const heldOn = 'bsc'

/** Plays weeks of a shop's business in a test environment, and moves its clock from day to day. */
export async function playWeeks(
  sluice: Sluice,
  { invoices, weeks, seed }: Plan,
  say: (line: string) => void,
): Promise<Played> {
  const random = randomnessFrom(seed)
  const offered = await offeredCoins(sluice)
  const known = offered.map(([, coin]) => coin)
  const from = known.filter(({ network }) => payable.includes(network))
  const played: Played = { invoices: 0, payouts: 0, refunds: 0 }
  const days = weeks * 7
  const receiver = await startReceiver(say)
  try {
    const till = await openTill(sluice, random, known)
    const cashier = openCashier(sluice, random)

    const payOut = async (end: PayoutEnd, of = from) => {
      if (await cashier.payOut(end, of)) played.payouts++
    }
    const refund = async (end: 'completed' | 'waits') => {
      const possible = till.refundable.splice(0).filter(({ order }) => payable.includes(order.coin.network))
      if (possible.length > 0 && (await cashier.refund(random.pick(possible), end))) played.refunds++
    }

    const now = Date.parse((await sluice.test.getClock()).now)
    const firstDay = now - (now % dayMs) + dayMs
    const shares = sharesOf(invoices, firstDay, days)
    for (let day = 0; day < days; day++) {
      await receiver.addEndpoints(sluice, Math.trunc((day * 100) / days))
      for (const [rush, minutes] of rushes.entries()) {
        const count = shares[day * rushes.length + rush] ?? 0
        const orders = Array.from({ length: count }, (_, n) => orderAt(played.invoices + n, random, offered))
        const opensAt = firstDay + day * dayMs + (minutes + random.whole(0, 150)) * minuteMs
        await sluice.test.advanceClock({ advance_to: new Date(opensAt).toISOString() })
        if (day === suspenseDay && rush === 0) await till.payWrongly()
        await sell(sluice, till, random, orders)
        played.invoices += count
      }
      if (payoutDays.includes(day % 7)) await payOut(ends[played.payouts % ends.length] as PayoutEnd)
      if (day % refundEveryDays === refundEveryDays - 1) await refund('completed')
      if (day % 7 === 6) say(`Week ${(day + 1) / 7} of ${weeks}: ${inWords(played)}`)
    }
    // What a person finds on the desk: orders to be paid, and money that waits for a decision.
    const open = [0, 1, 2].map(
      (n) => ({ ...orderAt(invoices + n, random, offered), outcome: 'paid' }) as const,
    )
    await till.place(open)
    const short = orderAt(invoices + open.length, random, offered)
    await till.pay(await till.place([{ ...short, outcome: 'underpaid', sentPerMille: 600 }]))
    await till.confirm()
    await payOut('waits')
    await payOut('waits')
    await refund('waits')
    await payOut(
      'held',
      from.filter(({ network }) => network === heldOn),
    )
  } finally {
    receiver.close()
  }
  return played
}

/** `1 refund`, `2 refunds`. */
export function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`
}

export function inWords({ invoices, payouts, refunds }: Played): string {
  return `${counted(invoices, 'invoice')}, ${counted(payouts, 'payout')}, ${counted(refunds, 'refund')}`
}

/** A rush: orders are made, paid some minutes later, and confirmed after some more. */
async function sell(sluice: Sluice, till: Till, random: Randomness, orders: readonly Order[]): Promise<void> {
  await till.payLate()
  const placed = await till.place(orders)
  await sluice.test.advanceClock({ advance_seconds: random.whole(90, 840) })
  await till.pay(placed)
  if (random.whole(1, 3) === 1) await till.tip()
  await sluice.test.advanceClock({ advance_seconds: random.whole(60, 720) })
  await till.confirm()
}

/** The coins of the story that this service offers on simulated networks. */
async function offeredCoins(sluice: Sluice): Promise<readonly (readonly [number, Coin])[]> {
  const { data } = await sluice.currencies.list()
  const offered = coins.filter(([, { currency, network }]) =>
    data.some(
      ({ code, networks }) =>
        code === currency &&
        networks.some(
          (each) => each.network === network && each.environment === 'test' && each.status === 'online',
        ),
    ),
  )
  if (offered.length === 0)
    throw new Error('This service offers none of the coins of the story in its test environment.')
  return offered
}

/** How many of the invoices fall into each rush: by weekday, and a little more from week to week. */
function sharesOf(invoices: number, firstDayMs: number, days: number): number[] {
  const weights = Array.from({ length: days * rushes.length }, (_, at) => {
    const day = Math.trunc(at / rushes.length)
    const weekday = new Date(firstDayMs + day * dayMs).getUTCDay()
    return (busy[weekday] ?? 1) * (100 + 3 * Math.trunc(day / 7))
  })
  const all = weights.reduce((sum, weight) => sum + weight, 0)
  let weighed = 0
  let given = 0
  return weights.map((weight) => {
    weighed += weight
    const due = Math.trunc((invoices * weighed) / all) - given
    given += due
    return due
  })
}
