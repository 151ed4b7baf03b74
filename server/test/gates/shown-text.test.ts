import { expect, it } from 'vitest'
import { shownText } from '../../src/gates/shown-text.ts'

it.each<[string, unknown, string]>([
  ['text', 'text', 'text'],
  ['a number', 5, '5'],
  ['a large number', 5n, '5'],
  ['false', false, 'false'],
  ['null', null, 'nothing'],
  ['nothing', undefined, 'nothing'],
  ['an object', {}, 'something else'],
  ['an object that has no text', { toString: null, valueOf: 5 }, 'something else'],
  ['a list of such', [{ toString: null }], 'something else'],
])('%s has a text to show', (_, value, text) => {
  expect(shownText(value)).toBe(text)
})
