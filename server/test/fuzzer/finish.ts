import { setTimeout as sleep } from 'node:timers/promises'
import { fullCheck } from './full-check.ts'
import type { Fuzz } from './fuzz.ts'
import { readInvoice } from './invoice-checks.ts'
import { isMoving, type Payout } from './model.ts'
import { readPayout } from './payout-checks.ts'
import type { Receiver } from './receiver.ts'
import type { Service } from './service.ts'
import { mine, mostConfirmations } from './steps/chain.ts'

const maxRounds = 60
/** After this many rounds, a payout that says why it waits may stay open. */
const patientRounds = 40
const roundEveryMs = 400
const maxLooks = 120
const lookEveryMs = 250

/** Lets everything settle: all is confirmed, paid out, reported and delivered, and the service's own audit agrees. */
export async function finish(fuzz: Fuzz, receiver: Receiver, service: Service): Promise<void> {
  const { findings, measures, chains, merchants } = fuzz
  for (const network of chains.keys()) await mine(fuzz, network, mostConfirmations(fuzz, network))
  await settlePayouts(fuzz)
  for (const merchant of merchants) {
    for (const invoice of merchant.invoices.values()) await readInvoice(fuzz, invoice, 'at the end')
    await fullCheck(fuzz, merchant, 'at the end')
  }
  await checkDeliveries(fuzz, receiver)
  const audit = await service.command('audit')
  const isRight = audit.ok === true && audit.differences?.length === 0 && audit.exit === undefined
  findings.check(isRight, 'audit', 'the service’s own audit finds differences', audit)
  for (const merchant of merchants)
    for (const kind of ['invoices', 'payouts', 'refunds'] as const) measures.count(kind, merchant[kind].size)
}

/** Every approved payout ends, or says why it waits. */
async function settlePayouts(fuzz: Fuzz): Promise<void> {
  const { merchants, findings, measures } = fuzz
  const moving = () => merchants.flatMap(({ payouts }) => [...payouts.values()].filter(isMoving))
  const isWaiting = ({ last }: Payout) => Boolean(last?.waiting_reason)
  for (let round = 0; round < maxRounds; round++) {
    const open = moving()
    if (open.length === 0 || (round > patientRounds && open.every(isWaiting))) break
    for (const network of new Set(open.map(({ asset }) => asset.network))) await mine(fuzz, network, 4)
    for (const payout of open) await readPayout(fuzz, payout, 'at the end')
    await sleep(roundEveryMs)
  }
  for (const payout of moving()) {
    const { status, last } = payout
    const what = `a payout stays ${status} and does not say why`
    findings.check(isWaiting(payout), 'payout-stuck', what, last)
    measures.countStep(`still ${status}: ${String(last?.waiting_reason).replace(/[0-9.]+ /g, 'N ')}`)
  }
}

/** Each event was delivered at least once, to its own merchant only, with the body that the list shows. */
async function checkDeliveries({ findings, measures, merchants }: Fuzz, receiver: Receiver): Promise<void> {
  const { received } = receiver
  const all = merchants.flatMap((merchant) =>
    merchant.events.filter(({ id }) => !merchant.eventsBefore.has(id)).map((event) => ({ merchant, event })),
  )
  const missing = () => all.filter(({ event }) => !received.get(event.id)?.accepted)
  for (let look = 0; look < maxLooks && missing().length > 0; look++) await sleep(lookEveryMs)
  const lost = missing()
  findings.check(
    lost.length === 0,
    'webhook-missing',
    `${lost.length} of ${all.length} events were not delivered within ${(maxLooks * lookEveryMs) / 1000} s`,
    lost.slice(0, 3).map(({ event: { id, name, at } }) => [id, name, at]),
  )
  for (const { merchant, event } of all) {
    const got = received.get(event.id)
    if (got === undefined) continue
    findings.same(got.who, merchant.name, 'webhook-wrong-merchant', 'receiver')
    const isAlike =
      got.event.event === event.name && JSON.stringify(got.event.data) === JSON.stringify(event.data)
    const context = { id: event.id, got: got.event.data, list: event.data }
    findings.check(isAlike, 'webhook-differs', 'the delivered body is not what the list shows', context)
  }
  const listed = new Set(all.map(({ event }) => event.id))
  for (const [id, { event }] of received) {
    const what = 'a delivery of an event that the list does not have'
    findings.check(listed.has(id), 'webhook-unknown', what, { id, event: event.event })
  }
  measures.count('events', all.length)
  measures.count('repeated_deliveries', [...received.values()].filter(({ times }) => times > 1).length)
}
