import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { columns, type FileRow, mostRows, readPayoutFile, template } from '../src/payout-file.ts'

const address = 'tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx'
const head = 'currency,amount,destination'
const row = (amount = '0.01') => `BTC,${amount},${address}`

function rowsIn(text: string, language = 'en'): readonly FileRow[] {
  const file = readPayoutFile(text, language)
  if ('problems' in file) throw new Error(JSON.stringify(file.problems))
  return file.rows
}
function problemsIn(text: string) {
  const file = readPayoutFile(text, 'en')
  return 'problems' in file ? file.problems : []
}
const wrongIn = (text: string) => rowsIn(text).map(({ problems }) => problems)
const amountsIn = (text: string, language?: string) =>
  rowsIn(text, language).map(({ body, problems }) =>
    problems.length === 0 ? body.amount : problems[0]?.code,
  )

describe('columns', () => {
  it('are found by name, in any order and case, and optional ones may be absent or empty', () => {
    const [only] = rowsIn(
      `Destination Tag;DESTINATION;Amount;Currency;metadata.Order;idempotency-key;description;network\n7; ${address} ;25;XRP;A-1;payroll-7;"May; Anna";`,
    )
    expect(only?.body).toEqual({
      currency: 'XRP',
      amount: '25',
      destination: address,
      destination_tag: '7',
      description: 'May; Anna',
      metadata: { Order: 'A-1' },
      idempotency_key: 'payroll-7',
    })
    expect(only?.problems).toEqual([])
    expect(rowsIn(`${head}\n${row()}`)[0]?.body).toEqual({
      currency: 'BTC',
      amount: '0.01',
      destination: address,
    })
  })

  it('have the names that people use as well', () => {
    expect(rowsIn(`asset,amount,address,tag,note\nBTC,1,${address},5,x`)[0]?.body).toEqual({
      currency: 'BTC',
      amount: '1',
      destination: address,
      destination_tag: '5',
      description: 'x',
    })
  })

  it('that are unknown, there twice or missing are named', () => {
    expect(problemsIn(`currency,Betrag,constructor,destination,address\n1,2,3,4,5`)).toEqual([
      { code: 'unknown', names: ['Betrag', 'constructor'] },
      { code: 'double', names: ['destination'] },
      { code: 'missing', names: ['amount'] },
    ])
    expect(problemsIn('hello')).toEqual([
      { code: 'unknown', names: ['hello'] },
      { code: 'missing', names: ['currency', 'amount', 'destination'] },
      { code: 'empty' },
    ])
  })

  it('of the template are all there are, and pass', () => {
    expect(problemsIn(template)).toEqual([{ code: 'empty' }])
    expect(rowsIn(`${template}BTC,,0.01,${address},,,,true`)[0]?.body).toEqual({
      currency: 'BTC',
      amount: '0.01',
      destination: address,
      allow_program_address: true,
    })
  })
})

describe('a file', () => {
  it('without rows, with too many or with an open quotation mark is refused as a whole', () => {
    expect(problemsIn('')).toEqual([{ code: 'empty' }])
    expect(problemsIn(`${head}\n\n,,\n`)).toEqual([{ code: 'empty' }])
    const many = Array.from({ length: mostRows + 1 }, () => row()).join('\n')
    expect(problemsIn(`${head}\n${many}`)).toEqual([{ code: 'many', count: mostRows + 1 }])
    expect(problemsIn(`${head}\n${row()}\nBTC,"1,${address}`)).toEqual([{ code: 'misquoted', line: 3 }])
  })

  it('has the limits of the contract', () => {
    const contract = JSON.parse(
      readFileSync(
        join(import.meta.dirname, '../../../server/src/http/internal-contract.generated.json'),
        'utf8',
      ),
    ).components.schemas
    expect(contract.NewPayouts.properties.payouts.maxItems).toBe(mostRows)
    const { properties, required } = contract.NewPayout
    const resolve = (schema: { $ref?: string }) =>
      schema.$ref === undefined ? schema : contract[schema.$ref.split('/').at(-1) ?? '']
    const { metadata: _, ...others } = properties
    expect(Object.keys(columns).sort()).toEqual(Object.keys(others).sort())
    for (const [name, { required: isRequired, most }] of Object.entries(columns)) {
      expect(required.includes(name), name).toBe(isRequired)
      const { maxLength, type } = { ...resolve(properties[name]), ...properties[name] }
      if (type === 'string') expect(maxLength, name).toBe(most)
    }
  })
})

describe('a cell', () => {
  it('that is missing, too long or misplaced is named with its column', () => {
    expect(wrongIn(`${head},description\n,,\nBTC,1,${address},${'x'.repeat(1001)}\nBTC,1,2,3,4`)).toEqual([
      [{ field: 'description', code: 'long', most: 1000 }],
      [{ field: '', code: 'surplus' }],
    ])
    expect(wrongIn(`${head},allow_program_address\nBTC\n,1,x,yes`)).toEqual([
      [
        { field: 'amount', code: 'missing' },
        { field: 'destination', code: 'missing' },
      ],
      [
        { field: 'allow_program_address', code: 'flag' },
        { field: 'currency', code: 'missing' },
      ],
    ])
  })

  it('that looks like a formula is text', () => {
    const [only] = rowsIn(`${head},description\nBTC,1,${address},"=HYPERLINK(""x"")"`)
    expect(only?.body.description).toBe('=HYPERLINK("x")')
    expect(amountsIn(`${head}\n${row('=1+1')}\n${row('+1')}\n${row('-1')}\n${row('1e3')}`)).toEqual(
      Array(4).fill('unclear'),
    )
  })
})

describe('an amount', () => {
  it('has a point between commas, and may be grouped', () => {
    const amounts = ['0.5', '1.234', '"1,234.50"', '"1,234"', '007', '"1,234,567"']
    expect(amountsIn(`${head}\n${amounts.map(row).join('\n')}`)).toEqual([
      '0.5',
      '1.234',
      '1234.50',
      'unclear',
      '7',
      '1234567',
    ])
  })

  it('between commas that could be two is refused where another has a decimal comma, or the reader’s language has', () => {
    const file = (...amounts: string[]) => `${head}\n${amounts.map(row).join('\n')}`
    const mixed = file('1.234', '0.005', '"12,50"', '"1.234,50"')
    expect(amountsIn(mixed)).toEqual(['unclear', '0.005', '12.50', '1234.50'])
    for (const language of ['de', 'es', 'fr', 'pt'])
      expect(amountsIn(file('1.234', '1.2340', '12.5'), language)).toEqual(['unclear', '1.2340', '12.5'])
  })

  it.each([';', '\t'])('between other separators (%j) must be the same to every reader', (by) => {
    const amounts = ['12,50', '12.50', '0,005', '1.234', '1,234', '1.234,5', '1,234.5', '1.234.567', 'x']
    const lines = amounts.map((amount) => ['BTC', amount, address].join(by))
    expect(amountsIn([head.replaceAll(',', by), ...lines].join('\n'))).toEqual([
      '12.50',
      '12.50',
      '0.005',
      'unclear',
      'unclear',
      '1234.5',
      '1234.5',
      '1234567',
      'unclear',
    ])
  })

  it('of the contract stays as it is, and is always one that the contract allows', () => {
    const decimal = fc.tuple(fc.nat(), fc.option(fc.stringMatching(/^\d{1,18}$/), { nil: null }))
    fc.assert(
      fc.property(decimal, ([whole, fraction]) => {
        const amount = fraction === null ? `${whole}` : `${whole}.${fraction}`
        expect(amountsIn(`${head}\n${row(amount)}`)).toEqual([amount])
      }),
    )
    fc.assert(
      fc.property(fc.stringMatching(/^[\d.,]{1,12}$/), (typed) => {
        const [read] = amountsIn(`${head}\n${row(`"${typed}"`)}`)
        expect(read).toMatch(/^(0|[1-9][0-9]*)(\.[0-9]+)?$|^unclear$/)
      }),
    )
  })
})

describe('a row', () => {
  it('with more cells than there are columns is refused, even if they are empty: its values may be out of place', () => {
    expect(wrongIn(`currency,destination,amount,destination_tag\nXRP,r1,12,50,`)).toEqual([
      [{ field: '', code: 'surplus' }],
    ])
  })

  it('has texts of as many characters as the contract allows', () => {
    expect(
      wrongIn(`${head},description\n${row()},${'💸'.repeat(1000)}\n${row('2')},${'💸'.repeat(1001)}`),
    ).toEqual([[], [{ field: 'description', code: 'long', most: 1000 }]])
  })
})

describe('two rows', () => {
  it('that pay the same amount to the same destination are told apart from those that do not', () => {
    const file = [`${head},destination_tag,network`]
    file.push(`BTC,0.10,${address},,bitcoin`, `btc,0.1,${address},,Bitcoin`, `BTC,0.1,${address},7,bitcoin`)
    file.push(`BTC,0.2,${address},,bitcoin`, `LTC,0.1,${address},,bitcoin`, `BTC,?,${address},,bitcoin`)
    expect(rowsIn(file.join('\n')).map(({ sameAs }) => sameAs)).toEqual([null, 2, null, null, null, null])
  })

  it('are the same without a network, or in capitals', () => {
    const file = [`${head},network`, `BTC,1,${address},`, `BTC,1,${address.toUpperCase()},bitcoin`]
    file.push(`USDT,1,0xAB,ethereum`, `USDT,1,0xab,polygon`, `USDT,1.0,0xab,`)
    expect(rowsIn(file.join('\n')).map(({ sameAs }) => sameAs)).toEqual([null, 2, null, null, 4])
  })

  it('may not have the same id', () => {
    expect(wrongIn(`${head},idempotency_key\n${row()},a\n${row('2')},b\n${row('3')},a`)).toEqual([
      [],
      [],
      [{ field: 'idempotency_key', code: 'same_id', other: 2 }],
    ])
  })
})
