import type { Environment, Membership } from '@sluice/web/contract'
import { describe, expect, it } from 'vitest'
import { isOutside } from '../src/outside.ts'
import { environmentPath, type InView, merchantPath } from '../src/places.ts'
import {
  isPublic,
  matchRoute,
  pathTo,
  patterns,
  type RouteName,
  type RouteParams,
  standsAlone,
} from '../src/routes.ts'
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

  it('the script before the first paint knows the pages that stand alone', () => {
    for (const name of Object.keys(patterns) as RouteName[]) {
      const path = pathTo(name, example as unknown as RouteParams<RouteName>)
      expect(isOutside(path), path).toBe(isPublic(name) || standsAlone(name))
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
  const membership: Membership = {
    merchant_id: merchant,
    merchant_name: 'Coffee',
    role: 'owner',
    powers: [],
  }
  const inView = (environment: Environment): InView => ({ membership, environment })

  it('to the other environment shows the same list, and never the same resource', () => {
    const list = { name: 'payouts', params: { merchant, environment: 'test' } } as const
    expect(environmentPath(list, inView('test'), 'live')).toBe(`/dashboard/${merchant}/live/payouts`)
    const one = { name: 'payout', params: { merchant, environment: 'test', payout: other } } as const
    expect(environmentPath(one, inView('test'), 'live')).toBe(`/dashboard/${merchant}/live/payouts`)
    const ledger = { name: 'ledger', params: { merchant, environment: 'test', currency: 'BTC' } } as const
    expect(environmentPath(ledger, inView('test'), 'live')).toBe(`/dashboard/${merchant}/live/balances/BTC`)
  })

  it('to another merchant shows the same list in the same environment', () => {
    const one = { name: 'invoice', params: { merchant, environment: 'live', invoice: other } } as const
    expect(merchantPath(one, inView('live'), other)).toBe(`/dashboard/${other}/live/invoices`)
    const ledger = { name: 'ledger', params: { merchant, environment: 'live', currency: 'BTC' } } as const
    expect(merchantPath(ledger, inView('live'), other)).toBe(`/dashboard/${other}/live/balances`)
  })

  it('from a page of no merchant shows the overview, in the environment in view', () => {
    for (const route of [null, { name: 'account', params: {} }] as const) {
      expect(merchantPath(route, inView('live'), other)).toBe(`/dashboard/${other}/live`)
      expect(environmentPath(route, inView('live'), 'test')).toBe(`/dashboard/${merchant}/test`)
    }
  })

  it('from a page of someone else’s merchant leads to the own one', () => {
    const foreign = { name: 'payouts', params: { merchant: other, environment: 'live' } } as const
    expect(environmentPath(foreign, inView('live'), 'test')).toBe(`/dashboard/${merchant}/test/payouts`)
  })
})
