import { describe, expect, it } from 'vitest'
import { environmentPath, merchantPath } from '../src/places.ts'
import { matchRoute, pathTo, patterns, type RouteName, type RouteParams } from '../src/routes.ts'
import { eventId, merchant, other } from './fixtures.ts'

const example: Readonly<Record<string, string>> = {
  merchant,
  environment: 'live',
  currency: 'BTC',
  event: eventId,
  invoice: other,
  address: other,
  payout: other,
  refund: other,
  webhook: other,
}

describe('routes', () => {
  it('every page has an address that leads back to it, and to no other', () => {
    for (const name of Object.keys(patterns) as RouteName[]) {
      const path = pathTo(name, example as unknown as RouteParams<RouteName>)
      expect(path).not.toContain(':')
      expect(matchRoute(path)?.name, path).toBe(name)
    }
  })

  it('a page of one thing names merchant, environment and thing', () => {
    const path = `/dashboard/${merchant}/test/invoices/${other}`
    expect(matchRoute(path)).toEqual({
      name: 'invoice',
      params: { merchant, environment: 'test', invoice: other },
    })
  })

  it('what is no page leads nowhere: other environments, made-up ids, foreign paths', () => {
    const wrong = [
      '/',
      '/pay/x',
      '/dashboardx',
      '/dashboard/nothing',
      `/dashboard/${merchant}`,
      `/dashboard/${merchant}/staging/invoices`,
      `/dashboard/${merchant}/test/invoices/1`,
      `/dashboard/${merchant}/test/invoices/../keys`,
      `/dashboard/x/test/invoices`,
    ]
    for (const path of wrong) expect(matchRoute(path), path).toBeNull()
  })
})

describe('going elsewhere from where one is', () => {
  it('the other environment shows the same list, and never the same thing', () => {
    const list = { name: 'payouts', params: { merchant, environment: 'test' } } as const
    expect(environmentPath(list, 'live')).toBe(`/dashboard/${merchant}/live/payouts`)
    const one = { name: 'payout', params: { merchant, environment: 'test', payout: other } } as const
    expect(environmentPath(one, 'live')).toBe(`/dashboard/${merchant}/live/payouts`)
    const ledger = { name: 'ledger', params: { merchant, environment: 'test', currency: 'BTC' } } as const
    expect(environmentPath(ledger, 'live')).toBe(`/dashboard/${merchant}/live/balances/BTC`)
  })

  it('another merchant shows the same list in the same environment; from nowhere it is the test overview', () => {
    const one = { name: 'invoice', params: { merchant, environment: 'live', invoice: other } } as const
    expect(merchantPath(one, other)).toBe(`/dashboard/${other}/live/invoices`)
    expect(merchantPath(null, other)).toBe(`/dashboard/${other}/test`)
  })
})
