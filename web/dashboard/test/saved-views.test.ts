import { describe, expect, it } from 'vitest'
import { matchRoute } from '../src/routes.ts'
import { isSameQuery, listPath, viewPath, viewQuery } from '../src/saved-views.ts'

const merchant = '01890000-0000-7000-8000-000000000001'
const base = `/dashboard/${merchant}/test`
const filters = ['status', 'currency', 'search']
const read = (text: string, isSorted = true) => viewQuery(filters, isSorted, new URLSearchParams(text))

describe('what a view is saved with', () => {
  it('is filters, days and order, and not the page, its size, or the view that was opened', () => {
    expect(read('order=oldest_first&page=3&rows=50&view=1&other=2&search=a+b&status=paid&currency=')).toBe(
      'status=paid&search=a+b&order=oldest_first',
    )
    expect([read('page=2&rows=50'), read('')]).toEqual(['', ''])
  })

  it('keeps chosen days only while they count, and an order only where there is one', () => {
    const days = 'period=custom&from=2026-03-01&to=2026-03-02'
    expect([read(days), read(days.replace('custom', 'today'))]).toEqual([days, 'period=today'])
    expect(read('period=today&order=oldest_first', false)).toBe('period=today')
  })
})

it('two queries are the same in any order and spelling, and different with another value', () => {
  expect(isSameQuery('status=paid&search=a+b', 'search=a%20b&status=paid')).toBe(true)
  expect(isSameQuery('status=paid', 'status=expired')).toBe(false)
  expect(isSameQuery('status=paid', 'status=paid&period=today')).toBe(false)
})

it.each([
  'status=paid',
  '/../../account',
  '#/dashboard/account',
  '//evil.example/?a=b',
  'a=b#c',
  '\\evil',
  '?x=1',
])('a view that holds %s opens its list and nothing else', (query) => {
  const url = new URL(viewPath(`${base}/invoices`, { id: 'v', query }), 'https://pay.example')
  expect([url.origin, url.pathname, url.hash]).toEqual(['https://pay.example', `${base}/invoices`, ''])
  expect(url.searchParams.get('view')).toBe('v')
})

it('a list is at its own address, and the list of one resource only where the user looks at one', () => {
  const at = (path: string) => {
    const to = (name: string) => `${base}/${name}`
    const router = { route: matchRoute(path), url: new URL(path, 'https://pay.example') }
    return { to, router } as unknown as Parameters<typeof listPath>[0]
  }
  expect(listPath(at(`${base}/events`), 'invoices')).toBe(`${base}/invoices`)
  expect(listPath(at(`${base}/events`), 'ledger')).toBeNull()
  expect(listPath(at(`${base}/balances/BTC`), 'ledger')).toBe(`${base}/balances/BTC`)
  expect(listPath(at(`${base}/balances/BTC`), 'deliveries')).toBeNull()
})
