import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { roles } from '../../src/domain/roles.ts'
import { listsOpenTo, readViewQuery } from '../../src/domain/saved-views.ts'

describe('the query of a saved view', () => {
  it('is kept in one order and form, so that the same view is the same text', () => {
    const query = 'status=paid&search=two+mugs&period=7_days&order=oldest_first'
    for (const text of [query, 'order=oldest_first&period=7_days&search=two%20mugs&status=paid', `?${query}`])
      expect(readViewQuery('invoices', text)).toEqual({ query })
  })

  it('keeps a relative period relative, and days as they are', () => {
    expect(readViewQuery('events', 'period=last_month')).toEqual({ query: 'period=last_month' })
    const days = 'period=custom&from=2026-03-01&to=2026-03-02'
    expect(readViewQuery('ledger', days)).toEqual({ query: days })
  })

  it.each([
    ['', 'at least one filter'],
    ['?', 'at least one filter'],
    ['status=', 'has no value for status'],
    ['status=paid&status=expired', 'names status more than once'],
    ['page=2', 'a parameter that this list lacks; it has status, currency, search, period, from, to, order'],
    ['view=1', 'a parameter that this list lacks'],
    ['event=invoice.paid', 'a parameter that this list lacks'],
    ['https://evil.example/?status=paid', 'a parameter that this list lacks'],
    ['//evil.example', 'a parameter that this list lacks'],
    ['javascript:alert(1)', 'a parameter that this list lacks'],
    ['__proto__=x', 'a parameter that this list lacks'],
    ['search=a%00b', 'a control character in search'],
    ['search=a%0d%0aSet-Cookie: x', 'a control character in search'],
    ['period=next_year', 'must have as period one of today, 7_days'],
    ['from=tomorrow', 'must have as from a day such as'],
    ['to=03000-01-01', 'must have as to a day such as'],
    ['order=newest_first', 'must have as order oldest_first'],
    [`search=${'é'.repeat(200)}`, 'at most 1000 characters'],
  ])('%s is refused', (text, problem) => {
    expect(readViewQuery('invoices', text)).toEqual({ problem: expect.stringContaining(problem) })
  })

  it('has an order only where the list can be sorted', () => {
    expect(readViewQuery('events', 'order=oldest_first')).toHaveProperty('problem')
    expect(readViewQuery('refunds', 'order=oldest_first')).toHaveProperty('query')
  })

  it('never leads off its list, whatever a text says', () => {
    const parts = [
      'search=',
      'status=',
      '&',
      '#',
      '/',
      '..',
      '?',
      '//evil.example',
      '%23',
      '%2f',
      '\\',
      ':',
      ';',
      ' ',
    ]
    fc.assert(
      fc.property(fc.array(fc.oneof(fc.constantFrom(...parts), fc.string()), { maxLength: 12 }), (texts) => {
        const read = readViewQuery('invoices', texts.join(''))
        if (!('query' in read)) return
        const url = new URL(`/dashboard/m/test/invoices?${read.query}`, 'https://pay.example')
        expect([url.host, url.pathname, url.hash]).toEqual(['pay.example', '/dashboard/m/test/invoices', ''])
        expect(readViewQuery('invoices', read.query)).toEqual(read)
      }),
    )
  })
})

it('a role saves views of the lists that it may see', () => {
  const everyone = ['invoices', 'payouts', 'refunds', 'addresses', 'events', 'deliveries', 'ledger']
  for (const role of roles) {
    const mayAudit = ['owner', 'admin', 'finance'].includes(role)
    expect([role, listsOpenTo(role)]).toEqual([role, [...everyone, ...(mayAudit ? ['audit_log'] : [])]])
  }
})
