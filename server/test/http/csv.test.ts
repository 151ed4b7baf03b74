import { expect, it } from 'vitest'
import { csvRow } from '../../src/http/csv.ts'

it.each([
  [['a', null, ''], 'a,,\r\n'],
  [
    ['with, comma', 'with "quotes"', 'two\nlines', 'cr\rhere'],
    '"with, comma","with ""quotes""","two\nlines","cr\rhere"\r\n',
  ],
  [['ä€😀'], 'ä€😀\r\n'],
  [['0', '-0.5', '12.345', '-17'], '0,-0.5,12.345,-17\r\n'],
])('%j is one row according to RFC 4180', (cells, text) => {
  expect(csvRow(cells)).toBe(text)
})

it.each([
  ['=1+1', "'=1+1"],
  ['=HYPERLINK("http://evil.example","x")', `"'=HYPERLINK(""http://evil.example"",""x"")"`],
  ['+49 30 1234', "'+49 30 1234"],
  ["-2+3+cmd|' /C calc'!A0", "'-2+3+cmd|' /C calc'!A0"],
  ['@SUM(A1)', "'@SUM(A1)"],
  ['\t=1+1', "'\t=1+1"],
  ['\r=1+1', `"'\r=1+1"`],
  ['-', "'-"],
  ['--1', "'--1"],
  ['-1e5', "'-1e5"],
])('a spreadsheet does not treat %j as a formula', (text, cell) => {
  expect(csvRow([text])).toBe(`${cell}\r\n`)
})
