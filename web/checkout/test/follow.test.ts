import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type CheckoutApi, checkoutApi, RefusedError, UnreachableError } from '../src/api.ts'
import { type Follower, follow, followTiming, retryDelayMs } from '../src/follow.ts'
import { pages } from './fixtures.ts'
import { type StandIn, startStandIn } from './stand-in-service.ts'

const token = { token: 'a-token', expires_at: '2026-11-15T09:45:00.000Z' }
const quick = { silenceMs: 60_000, pollMs: 25, firstRetryMs: 10, longestRetryMs: 50 }

let service: StandIn
let api: CheckoutApi
let serviceNow: string
let follower: Follower | null
let seen: string[]
let connected: boolean[]
let lost: number

beforeEach(async () => {
  service = await startStandIn(pages.pay)
  serviceNow = '2026-11-15T09:30:00.000Z'
  const send: typeof fetch = (path, init) => {
    // The fetch of a server has no page whose referrer to hide.
    const { referrerPolicy, ...rest } = init ?? {}
    expect(referrerPolicy).toBe('no-referrer')
    return fetch(`${service.url}${path}`, rest)
  }
  api = checkoutApi(token, () => Date.parse(serviceNow), send)
  follower = null
  seen = []
  connected = []
  lost = 0
})
afterEach(async () => {
  follower?.stop()
  await service.close()
})

const start = (timing: typeof followTiming = quick) => {
  follower = follow(
    api,
    {
      streamed: ({ phase }) => void seen.push(phase),
      asking:
        () =>
        ({ phase }) =>
          void seen.push(phase),
      connected: (is) => void connected.push(is),
      tokenLost: () => void lost++,
    },
    timing,
  )
}
// So impatient that it would ask between any two other calls.
const impatient = { silenceMs: 60_000, pollMs: 1, firstRetryMs: 1, longestRetryMs: 1 }
const otherTraffic = async () => {
  for (let round = 0; round < 30; round++) await api.assets().catch(() => {})
}
const calls = (call: string) => service.asked.filter((each) => each.call === call)

describe('following an invoice', () => {
  it('shows the stream’s content at once and after every change, without additional requests', async () => {
    start({ ...quick, pollMs: 600_000 })
    await expect.poll(() => seen).toEqual(['pay'])
    service.show(pages.detected)
    service.show(pages.paid)
    await expect.poll(() => seen).toEqual(['pay', 'detected', 'paid'])
    expect(calls('GET invoice')).toEqual([])
    expect(calls('GET invoice/stream')[0]?.authorization).toBe('Bearer a-token')
  })

  it('reconnects when the stream is cut, with the token that the stream sent', async () => {
    start({ ...quick, pollMs: 600_000 })
    await expect.poll(() => seen.length).toBe(1)
    service.say('token', { token: 'from-the-stream', expires_at: '2026-11-15T10:00:00.000Z' })
    service.show(pages.detected)
    await expect.poll(() => seen.length).toBe(2)
    service.cut()
    await expect.poll(() => calls('GET invoice/stream').at(-1)?.authorization).toBe('Bearer from-the-stream')
    await expect.poll(() => seen).toEqual(['pay', 'detected', 'detected'])
  })

  it('polls while no stream is available', async () => {
    service.streams = false
    start()
    await expect.poll(() => seen.length).toBeGreaterThan(2)
    service.show(pages.confirming)
    await expect.poll(() => seen.at(-1)).toBe('confirming')
    expect(connected).not.toContain(false)
  })

  it('reports when nothing gets through, and when it does again', async () => {
    start()
    await expect.poll(() => seen.length).toBeGreaterThan(0)
    service.refuse = { status: 503, code: 'service_unavailable' }
    service.cut()
    await expect.poll(() => connected.at(-1)).toBe(false)
    service.refuse = null
    await expect.poll(() => connected.at(-1)).toBe(true)
  })

  it('gives up a silent stream, and opens another', async () => {
    start({ ...quick, pollMs: 600_000, silenceMs: 200 })
    await expect.poll(() => calls('GET invoice/stream').length).toBeGreaterThan(1)
  })

  it('replaces a token that ends soon, and no other', async () => {
    start()
    // It may have polled before the stream was open.
    await expect.poll(() => seen.length).toBeGreaterThan(0)
    expect(calls('POST token')).toEqual([])
    serviceNow = '2026-11-15T09:41:00.000Z'
    await expect.poll(() => calls('POST token').length).toBe(1)
    service.cut()
    await expect.poll(() => calls('GET invoice/stream').at(-1)?.authorization).toBe('Bearer a-newer-token')
  })

  it('stops and reports once that the token is no longer valid', async () => {
    service.refuse = { status: 401, code: 'unauthorized' }
    start(impatient)
    await expect.poll(() => lost).toBe(1)
    const asked = service.asked.length
    follower?.refresh()
    await otherTraffic()
    expect(lost).toBe(1)
    expect(service.asked.slice(asked).filter(({ call }) => call !== 'GET assets')).toEqual([])
  })

  it('ends for good when the service says that there is nothing more to follow', async () => {
    start({ ...impatient, pollMs: 600_000 })
    await expect.poll(() => seen.length).toBe(1)
    service.say('ended', {})
    await expect.poll(() => service.followers()).toBe(0)
    await otherTraffic()
    expect(calls('GET invoice/stream')).toHaveLength(1)
    expect(calls('GET invoice')).toEqual([])
  })

  it('asks at once when the page becomes visible again, however long it would have waited', async () => {
    service.streams = false
    start({ ...followTiming, pollMs: 600_000, firstRetryMs: 600_000, longestRetryMs: 600_000 })
    await expect.poll(() => calls('GET invoice/stream').length).toBe(1)
    service.streams = true
    // The first attempt may still be on its way to its long pause.
    await expect
      .poll(() => {
        follower?.refresh()
        return calls('GET invoice/stream').length
      })
      .toBe(2)
    await expect.poll(() => seen.length).toBeGreaterThan(0)
  })
})

describe('calls to the service', () => {
  it('distinguish a refusal, by its code, from no answer at all', async () => {
    service.refuse = { status: 409, code: 'conflict' }
    const refused = await api.choose({ currency: 'BTC', network: 'bitcoin' }).catch((error: unknown) => error)
    expect(refused).toBeInstanceOf(RefusedError)
    expect(refused).toMatchObject({ status: 409, code: 'conflict' })
    await service.close()
    await expect(api.invoice()).rejects.toBeInstanceOf(UnreachableError)
    service = await startStandIn(pages.pay)
  })

  it('send a choice as the contract describes it', async () => {
    await api.choose({ currency: 'USDT', network: 'ethereum' })
    await api.simulate('pay_less')
    expect(service.asked.map(({ call, body }) => [call, body])).toEqual([
      ['POST asset', '{"currency":"USDT","network":"ethereum"}'],
      ['POST simulation', '{"action":"pay_less"}'],
    ])
  })
})

it('pages that lost the same service reconnect at different times, later each time, and never give up', () => {
  const delays = (random: number) =>
    [1, 2, 3, 10, 1000].map((failures) => retryDelayMs(failures, followTiming, random))
  expect(delays(0)).toEqual([500, 1000, 2000, 15_000, 15_000])
  expect(delays(1)).toEqual([1000, 2000, 4000, 30_000, 30_000])
})
