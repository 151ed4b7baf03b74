import { createHmac } from 'node:crypto'
import { globSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { unbacked } from './backing-checks.ts'
import type { Answer } from './client.ts'
import { Findings } from './findings.ts'
import { fullCheck } from './full-check.ts'
import { entryRow, eventRow, type HonestService, makeHonestService } from './honest-service.ts'
import { newPayment } from './model.ts'
import { watchProgress } from './payout-checks.ts'
import { Randomness } from './randomness.ts'
import { verify } from './receiver.ts'
import { seePayment } from './settlement.ts'
import { passBlocks } from './steps/chain.ts'
import { checkReplay } from './steps/idempotency.ts'
import { judgeApproval } from './steps/payouts.ts'
import { strangerOn } from './strangers.ts'

const kindsOf = ({ fuzz }: HonestService) => Object.keys(fuzz.findings.kinds())

describe('the fuzzer detects every kind of mistake', () => {
  it('it finds nothing wrong with the answers of an honest service', async () => {
    const stage = makeHonestService()
    await fullCheck(stage.fuzz, stage.merchant, 'here')
    expect(stage.fuzz.findings.all).toEqual([])
    expect(stage.fuzz.findings.checks).toBeGreaterThan(80)
  })

  const planted: [what: string, kind: string, plant: (stage: HonestService) => void][] = [
    [
      'a balance is off by one unit',
      'balance-ledger',
      ({ api }) => {
        api.balances[0].available = '0.00789501'
      },
    ],
    [
      'a network’s balance is off by one unit',
      'books',
      ({ api }) => {
        api.balances[0].networks[0].available = '0.00789499'
      },
    ],
    [
      'more is reserved than payouts hold',
      'balance-reserved',
      ({ api }) => {
        api.balances[0].networks[0].reserved = '0.00200501'
      },
    ],
    [
      'a running balance does not follow',
      'ledger-running',
      ({ api }) => {
        api.ledger[2].balance_after = '0.00790001'
      },
    ],
    ['an entry is missing', 'ledger-gap', ({ api }) => api.ledger.splice(1, 1)],
    [
      'a payment is credited twice',
      'invoice-ledger',
      ({ api }) => api.ledger.push(entryRow(5, 'deposit', 'credit', '0.01', '0.017895', 'invoice')),
    ],
    [
      'an entry belongs to nothing known',
      'ledger-orphan',
      ({ api }) => api.ledger.push(entryRow(5, 'deposit', 'credit', '0.01', '0.017895', 'nobody')),
    ],
    [
      'an open payout was released',
      'payout-ledger',
      ({ api }) => api.ledger.push(entryRow(5, 'release', 'credit', '0.002', '0.009895', 'payout')),
    ],
    [
      'invoice.paid was sent twice',
      'paid-twice',
      ({ api }) => api.events.push(eventRow(5, 'invoice.paid', api.invoices[0])),
    ],
    ['invoice.paid was never sent', 'invoice-events', ({ api }) => api.events.pop()],
    ['a credit has no event', 'credit-without-event', ({ api }) => api.events.splice(2, 1)],
    [
      'a credit’s event has another amount',
      'credit-event-differs',
      ({ api }) => {
        api.events[2].data.amount = '0.01000001'
      },
    ],
    [
      'an event belongs to another merchant',
      'event-foreign',
      ({ api }) => api.events.push(eventRow(5, 'invoice.expired', { id: 'x', merchant_id: 'other' })),
    ],
    [
      'a paid invoice is shown as pending',
      'invoice-status',
      ({ api }) => {
        api.invoices[0].status = 'pending'
      },
    ],
    [
      'a fee is one unit less',
      'invoice-fee',
      ({ api }) => {
        api.invoices[0].fee_amount = '0.00009999'
      },
    ],
    ['an invoice is gone', 'invoices-count', ({ api }) => api.invoices.pop()],
    [
      'a payout exists that was never requested',
      'payouts-count',
      ({ api }) => api.payouts.push({ ...api.payouts[0], id: 'another' }),
    ],
    [
      'a payout completed that was never approved',
      'payout-status',
      ({ api }) => {
        api.payouts[0].status = 'completed'
      },
    ],
    [
      'a payout proceeded while the balance was negative',
      'let-go-unbacked',
      ({ api }) => {
        api.ledger.push(entryRow(5, 'reversal', 'debit', '0.0099', '-0.002005', 'invoice'))
        api.events.push(eventRow(7, 'payout.approved', api.payouts[0]))
      },
    ],
  ]

  it.each(planted)('%s: %s', async (_what, kind, plant) => {
    const stage = makeHonestService()
    plant(stage)
    await fullCheck(stage.fuzz, stage.merchant, 'here')
    expect(kindsOf(stage)).toContain(kind)
  })

  it('a replay must return the original', () => {
    const answers: [Partial<Answer>, number][] = [
      [{ status: 201, data: { id: 'first' }, headers: new Headers({ 'Idempotent-Replayed': 'true' }) }, 0],
      [{ status: 201, data: { id: 'second' }, headers: new Headers({ 'Idempotent-Replayed': 'true' }) }, 1],
      [{ status: 201, data: { id: 'first' }, headers: new Headers() }, 1],
      [{ status: 409, headers: new Headers() }, 1],
    ]
    for (const [answer, count] of answers) {
      const findings = new Findings(1, () => {})
      checkReplay({ findings }, 'invoice', 'first', answer as Answer)
      expect(findings.kinds()).toEqual(count === 0 ? {} : { replay: count })
    }
  })

  it('a delivery must be signed with the endpoint’s secret, over exactly its body', () => {
    const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`
    const timestamp = String(Math.floor(Date.now() / 1000))
    const signature = createHmac('sha256', Buffer.alloc(32, 7))
      .update(`evt_1.${timestamp}.{}`)
      .digest('base64')
    const headers = { 'webhook-id': 'evt_1', 'webhook-timestamp': timestamp }
    const signed = { ...headers, 'webhook-signature': `v1,other v1,${signature}` }
    const kindsAfter = (...args: [Record<string, string>, string, string]) => {
      const findings = new Findings(1, () => {})
      verify(findings, ...args)
      return findings.kinds()
    }
    expect(kindsAfter(signed, '{}', secret)).toEqual({})
    expect(kindsAfter(signed, '{ }', secret)).toEqual({ 'webhook-signature': 1 })
    expect(kindsAfter(headers, '{}', secret)).toEqual({ 'webhook-signature': 1 })
    expect(kindsAfter({ ...signed, 'webhook-timestamp': '1' }, '{}', secret)).toEqual({
      'webhook-signature': 1,
      'webhook-timestamp': 1,
    })
  })
})

describe('an approved payout moves on or says why it does not', () => {
  const idleAfter = (change: (stage: HonestService, at: number) => object): string[] => {
    const stage = makeHonestService()
    const { fuzz, payout } = stage
    payout.status = 'processing'
    const chain = fuzz.chains.of('bitcoin')
    const row = { ...payout.last, status: 'processing', tx_hash: 'one' }
    for (let at = 0; at < 12; at++) {
      watchProgress(fuzz, payout, { ...row, ...change(stage, at) }, at * 10_000)
      chain.tip = (chain.tip ?? 0) + 2
    }
    return kindsOf(stage)
  }

  it('and is reported if blocks were mined and nothing happened', () => {
    expect(idleAfter(() => ({}))).toEqual(['payout-idle'])
  })
  it('and is not reported while it says why it waits', () => {
    expect(idleAfter(() => ({ waiting_reason: 'The wallet has too little.' }))).toEqual([])
  })
  it('and is not reported while its transaction is bumped or replaced', () => {
    expect(idleAfter((_, at) => ({ tx_hash: `number ${Math.floor(at / 4)}` }))).toEqual([])
  })
  it('and is not reported while nothing is mined', () => {
    const still = ({ fuzz }: HonestService) => {
      fuzz.chains.of('bitcoin').tip = 11
      return {}
    }
    expect(idleAfter(still)).toEqual([])
  })
  it('and gets new time after processes were killed', () => {
    const killing = ({ fuzz }: HonestService, at: number) => {
      if (at % 3 === 0) fuzz.kills++
      return {}
    }
    expect(idleAfter(killing)).toEqual([])
  })
})

describe('an approval takes effect exactly while a payout is backed', () => {
  const approved = { status: 200, data: { status: 'approved' } } as Answer
  const refused = { status: 409, code: 'conflict' } as Answer

  it('no payout proceeds with a negative balance, and a conflict is the right answer then', async () => {
    const stage = makeHonestService()
    const { fuzz, payout, api } = stage
    expect(await unbacked(payout)).toBeNull()
    api.balances[0].networks[0].available = '-0.00000001'
    const reason = await unbacked(payout)
    expect(reason).toContain('-0.00000001 BTC available')
    judgeApproval(fuzz, payout, refused, reason, reason)
    expect(kindsOf(stage)).toEqual([])
    judgeApproval(fuzz, payout, approved, reason, reason)
    expect(kindsOf(stage)).toEqual(['unbacked'])
  })

  it('a backed payout is not refused', () => {
    const stage = makeHonestService()
    judgeApproval(stage.fuzz, stage.payout, approved, null, null)
    expect(kindsOf(stage)).toEqual([])
    judgeApproval(stage.fuzz, stage.payout, refused, null, null)
    expect(kindsOf(stage)).toEqual(['decide'])
  })
})

it('deposits that are assessed together may share their events', () => {
  const { fuzz, invoice } = makeHonestService()
  for (const height of [11, 12]) {
    const payment = newPayment(invoice, `hash of ${height}`, 5n)
    seePayment(fuzz, payment)
    payment.height = height
  }
  passBlocks(fuzz, 'bitcoin', 12, 15)
  expect(invoice.events['balance.credited']).toBe(3)
  expect([invoice.events['invoice.overpaid'], invoice.maybe['invoice.overpaid']]).toEqual([1, 1])
})

it('a seed always makes the same choices', () => {
  const choices = () => {
    const random = new Randomness(7)
    const picked = random.pick(['a', 'b', 'c', 'd'])
    return [
      random.int(0, 999),
      picked,
      random.hits(0.5),
      strangerOn(random, 'bitcoin'),
      strangerOn(random, 'solana'),
    ]
  }
  expect(choices()).toEqual(choices())
  expect(new Randomness(1).next()).not.toBe(new Randomness(2).next())
})

it('the fuzzer shares no code with the service', () => {
  const files = globSync(`${import.meta.dirname}/**/*.ts`)
  expect(files.length).toBeGreaterThan(30)
  const sharing = files.filter((file) => /from '[./]*\/src\//.test(readFileSync(file, 'utf8')))
  expect(sharing).toEqual([])
})
