import { setTimeout as sleep } from 'node:timers/promises'
import { get } from '../client.ts'
import { anyone, type Fuzz } from '../fuzz.ts'
import { isMoving } from '../model.ts'
import { readPayout } from '../payout-checks.ts'
import { createBadPayout } from './bad-payouts.ts'
import { mine, mineSome, reorganise } from './chain.ts'
import {
  createAddress,
  deposit,
  depositMany,
  depositStaggered,
  depositStatic,
  depositStrange,
} from './deposits.ts'
import { raceInvoiceKey, racePayoutKey, raceRefundKey, replay } from './idempotency.ts'
import { activate, cancelInvoice, createDeferred, createFiat, createInvoice, expire } from './invoices.ts'
import { probeIsolation, switchGate } from './outsiders.ts'
import { createPayout, decideSome, isOpen, isWaiting } from './payouts.ts'
import { raceDecisions, racePayment, racePayouts, raceRefunds } from './races.ts'
import { createRefund } from './refunds.ts'
import { storm } from './storm.ts'

export type Step = { readonly name: string; run(fuzz: Fuzz): Promise<void> }

const step = (weight: number, name: string, run: Step['run']): [number, Step] => [weight, { name, run }]

/** Everything that a run does, with its relative frequency. The order is part of what a seed means. */
export const steps: readonly [number, Step][] = [
  step(14, 'create-invoice', (fuzz) => createInvoice(fuzz)),
  step(4, 'create-fiat', createFiat),
  step(2, 'create-deferred', createDeferred),
  step(3, 'activate', activate),
  step(3, 'create-address', createAddress),
  step(6, 'deposit-static', depositStatic),
  step(26, 'deposit', deposit),
  step(5, 'deposit-many', depositMany),
  step(5, 'deposit-staggered', depositStaggered),
  step(2, 'deposit-strange', depositStrange),
  step(24, 'mine', mineSome),
  step(10, 'reorganise', reorganise),
  step(6, 'expire', (fuzz) => expire(fuzz)),
  step(4, 'cancel-invoice', cancelInvoice),
  step(8, 'create-payout', createPayout),
  step(5, 'create-bad-payout', createBadPayout),
  step(5, 'approve', (fuzz) => decideSome(fuzz, 'approve', isWaiting, 0.1)),
  step(2, 'reject', (fuzz) => decideSome(fuzz, 'reject', isOpen, 0.05)),
  step(3, 'cancel-payout', (fuzz) => decideSome(fuzz, 'cancel', isOpen, 0.05)),
  step(2, 'fail-payout', (fuzz) => decideSome(fuzz, 'fail', isMoving, 0.05)),
  step(3, 'race-decisions', raceDecisions),
  step(6, 'create-refund', createRefund),
  step(3, 'race-refunds', raceRefunds),
  step(4, 'race-payouts', racePayouts),
  step(2, 'race-invoice-key', raceInvoiceKey),
  step(1.5, 'race-payout-key', racePayoutKey),
  step(1.5, 'race-refund-key', raceRefundKey),
  step(3, 'replay', replay),
  step(5, 'race-payment', racePayment),
  step(2, 'switch-gate', switchGate),
  step(4, 'probe-isolation', probeIsolation),
  step(1.5, 'page-while-writing', pageWhileWriting),
  step(4, 'drain', drain),
  step(5, 'storm', storm),
]

const maxPages = 400
const written = 8

/** Pages through a list that grows at its head: no row that existed before is missed. */
async function pageWhileWriting(fuzz: Fuzz): Promise<void> {
  const { random, findings } = fuzz
  const merchant = anyone(fuzz)
  const before = [...merchant.invoices.keys()]
  const limit = random.int(3, 20)
  const writing = (async () => {
    for (let count = 0; count < written; count++) await createInvoice(fuzz, merchant)
  })()
  const seen = new Set<string>()
  for (let page = 0, offset = 0; page < maxPages; page++, offset += limit) {
    const answer = await get(merchant.api, `/v1/invoices?limit=${limit}&offset=${offset}`)
    if (answer.status !== 200) break
    const { data, page: told } = answer
    for (const { id } of data) seen.add(id)
    const isSized = data.length <= limit && told.limit === limit && told.offset === offset
    findings.check(isSized, 'paging', 'page size', told)
    const hasMore = offset + data.length < told.total
    findings.check(told.has_more === hasMore, 'paging', 'has_more', { ...told, got: data.length })
    if (!told.has_more) break
  }
  await writing
  const missed = before.filter((id) => !seen.has(id))
  const what = `${missed.length} invoices that were there before were missed while paging`
  findings.check(missed.length === 0, 'paging', what, missed.slice(0, 3))
}

const maxRounds = 6
const roundEveryMs = 250

/** Mines where payouts are in progress, so that some of them arrive. */
async function drain(fuzz: Fuzz): Promise<void> {
  const merchant = anyone(fuzz)
  for (let round = 0; round < maxRounds; round++) {
    const moving = [...merchant.payouts.values()].filter(isMoving)
    if (moving.length === 0) return
    for (const network of new Set(moving.map(({ asset }) => asset.network)))
      await mine(fuzz, network, fuzz.random.int(1, 6))
    for (const payout of merchant.payouts.values())
      if (isMoving(payout)) await readPayout(fuzz, payout, 'draining')
    await sleep(roundEveryMs)
  }
}
