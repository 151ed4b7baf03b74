import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type CsvRow, decodeText, readCsv } from '../src/csv.ts'

function rowsIn(text: string): readonly CsvRow[] {
  const csv = readCsv(text)
  if ('misquoted' in csv) throw new Error(`Misquoted in line ${csv.misquoted}.`)
  return csv.rows
}
const cellsIn = (text: string) => rowsIn(text).map(({ cells }) => cells)

describe('rows and cells', () => {
  it.each([
    [
      'a,b\r\n1,2\r\n',
      [
        ['a', 'b'],
        ['1', '2'],
      ],
    ],
    [
      'a,b\n1,2',
      [
        ['a', 'b'],
        ['1', '2'],
      ],
    ],
    [
      'a,b\r1,2\r',
      [
        ['a', 'b'],
        ['1', '2'],
      ],
    ],
    [
      '\ufeffa,b\r\n1,2',
      [
        ['a', 'b'],
        ['1', '2'],
      ],
    ],
    [
      'a;b\r\n1,5;2',
      [
        ['a', 'b'],
        ['1,5', '2'],
      ],
    ],
    [
      'a\tb\n1,5\t2;3',
      [
        ['a', 'b'],
        ['1,5', '2;3'],
      ],
    ],
    [
      '"a","b"\r\n"1,5","say ""no"""',
      [
        ['a', 'b'],
        ['1,5', 'say "no"'],
      ],
    ],
    [
      '"a;x";b\n1;2',
      [
        ['a;x', 'b'],
        ['1', '2'],
      ],
    ],
    [
      'a,b\n"two\r\nlines",2\n3,4',
      [
        ['a', 'b'],
        ['two\r\nlines', '2'],
        ['3', '4'],
      ],
    ],
    [
      'a,b\n,\n1,\n\n  \n2,3\n,,,\n',
      [
        ['a', 'b'],
        ['1', ''],
        ['2', '3'],
      ],
    ],
    [
      'a,b\n1,',
      [
        ['a', 'b'],
        ['1', ''],
      ],
    ],
    [
      'a,b\n"",x',
      [
        ['a', 'b'],
        ['', 'x'],
      ],
    ],
    // Within a cell that does not begin with one, a mark is a mark.
    [
      'a,b\n5" pipe,=1+1',
      [
        ['a', 'b'],
        ['5" pipe', '=1+1'],
      ],
    ],
    ['a', [['a']]],
    ['', []],
    ['\r\n\r\n', []],
  ] as const)('%j', (text, cells) => {
    expect(cellsIn(text)).toEqual(cells)
  })

  it('each row knows the line in which it begins, below any cells and blank rows', () => {
    expect(rowsIn('a,b\r\n\r\n"1\n2\r\n3",x\r\n4,5\r6,7\n').map(({ line }) => line)).toEqual([1, 3, 6, 7])
  })

  it.each([
    ['a,b\n1,"open\n2,3', 2],
    ['a,b\n\n"1"x,2', 3],
    ['a,b\n"1\n2",3\n"4" ,5', 4],
    ['"', 1],
  ])('%j has a quotation mark without a partner', (text, line) => {
    expect(readCsv(text)).toEqual({ misquoted: line })
  })
})

const separator = fc.constantFrom(',', ';', '\t')
const cell = fc.oneof(fc.string(), fc.constantFrom('a,b', 'x;y', '"', '""', '1\r\n2', '\t', '=cmd()', ''))

it('what is written by RFC 4180 is read as it was, with every separator and every end of lines', () => {
  const table = fc.integer({ min: 2, max: 5 }).chain((width) =>
    fc.array(fc.array(cell, { minLength: width, maxLength: width }), { maxLength: 8 }).map((rows) => ({
      head: Array.from({ length: width }, (_, n) => `column ${n}`),
      rows: rows.filter((row) => row.some((each) => each.trim() !== '')),
    })),
  )
  fc.assert(
    fc.property(
      table,
      separator,
      fc.constantFrom('\r\n', '\n', '\r'),
      fc.boolean(),
      (written, by, end, last) => {
        const quoted = (text: string) => (/[",;\t\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)
        const lines = [written.head, ...written.rows].map((row) => row.map(quoted).join(by))
        expect(cellsIn(`${lines.join(end)}${last ? end : ''}`)).toEqual([written.head, ...written.rows])
      },
    ),
  )
})

it('any text is read or refused, and never hangs', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom('"', ',', ';', '\n', '\r', '\t', 'a', ' ') }), (text) => {
      const csv = readCsv(text)
      const lines = text.split(/\r\n|\r|\n/).length
      if ('misquoted' in csv) expect(csv.misquoted).toBeLessThanOrEqual(lines)
      else for (const { line } of csv.rows) expect(line).toBeLessThanOrEqual(lines)
    }),
    { numRuns: 1_000 },
  )
})

it('the text of a file is read in UTF-8, in UTF-16 as spreadsheets mark it, and in the code page of Windows', () => {
  expect(decodeText(new TextEncoder().encode('\ufeffMüller €'))).toMatch(/^\ufeff?Müller €$/)
  expect(decodeText(new Uint8Array([0xff, 0xfe, 0x4d, 0, 0xfc, 0]))).toBe('Mü')
  expect(decodeText(new Uint8Array([0x4d, 0xfc, 0x80]))).toBe('Mü€')
})
