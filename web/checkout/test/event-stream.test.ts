import fc from 'fast-check'
import { expect, it } from 'vitest'
import { eventStreamReader } from '../src/event-stream.ts'

const read = (...pieces: string[]) => {
  const reader = eventStreamReader()
  return pieces.flatMap((piece) => reader(piece))
}

it('an event has a name and data, and comments and unknown fields are ignored', () => {
  expect(read(': hello\n\nid: 4\nretry: 10\nevent: token\ndata: {"a":1}\n\n')).toEqual([
    { name: 'token', data: '{"a":1}' },
  ])
})

it('only one space after the colon is removed, and lines of data are joined', () => {
  expect(read('data:  two\ndata:lines\ndata\n\n')).toEqual([{ name: 'message', data: ' two\nlines\n' }])
})

it('an event without data and an unfinished event are ignored', () => {
  expect(read('event: checkout\n\n', 'data: half')).toEqual([])
})

it('a stream yields the same events wherever it is split, with any line endings', () => {
  const text = '\uFEFFevent: checkout\ndata: {"näme":"日本"}\n\n: still there\n\nevent: ended\ndata: {}\n\n'
  const expected = [
    { name: 'checkout', data: '{"näme":"日本"}' },
    { name: 'ended', data: '{}' },
  ]
  fc.assert(
    fc.property(
      fc.constantFrom('\n', '\r\n', '\r'),
      fc.array(fc.nat(text.length * 2), { maxLength: 12 }),
      (lineEnd, cuts) => {
        // A lone carriage return differs from half a line ending only by what follows, so something follows.
        const whole = `${text.replaceAll('\n', lineEnd)}:`
        const places = [0, ...cuts.map((cut) => cut % whole.length).sort((a, b) => a - b), whole.length]
        const pieces = places.slice(1).map((end, index) => whole.slice(places[index], end))
        expect(read(...pieces)).toEqual(expected)
      },
    ),
    { numRuns: 1000 },
  )
})

it('a stream that never ends a line is given up before it fills the memory', () => {
  const reader = eventStreamReader()
  expect(() => {
    for (let piece = 0; piece < 20; piece++) reader('x'.repeat(100_000))
  }).toThrow('too large')
})
