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
  it('every page has a path that leads to it, and to no other', () => {
    for (const name of Object.keys(patterns) as RouteName[]) {
      const path = pathTo(name, example as unknown as RouteParams<RouteName>)
      expect(path).not.toContain(':')
      expect(matchRoute(path)?.name, path).toBe(name)
    }
  })

  it('a page of one resource names merchant, environment and resource', () => {
    const path = `/dashboard/${merchant}/test/invoices/${other}`
    expect(matchRoute(path)).toEqual({
      name: 'invoice',
      params: { merchant, environment: 'test', invoice: other },
    })
  })

  it('an unknown path leads nowhere: other environments, invalid ids, foreign paths', () => {
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

describe('switching', () => {
  it('to the other environment shows the same list, and never the same resource', () => {
    const list = { name: 'payouts', params: { merchant, environment: 'test' } } as const
    expect(environmentPath(list, 'live')).toBe(`/dashboard/${merchant}/live/payouts`)
    const one = { name: 'payout', params: { merchant, environment: 'test', payout: other } } as const
    expect(environmentPath(one, 'live')).toBe(`/dashboard/${merchant}/live/payouts`)
    const ledger = { name: 'ledger', params: { merchant, environment: 'test', currency: 'BTC' } } as const
    expect(environmentPath(ledger, 'live')).toBe(`/dashboard/${merchant}/live/balances/BTC`)
  })

  it('to another merchant shows the same list in the same environment, or the test overview if there is none', () => {
    const one = { name: 'invoice', params: { merchant, environment: 'live', invoice: other } } as const
    expect(merchantPath(one, other)).toBe(`/dashboard/${other}/live/invoices`)
    expect(merchantPath(null, other)).toBe(`/dashboard/${other}/test`)
  })
})
