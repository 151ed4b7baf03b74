import fc from 'fast-check'
import { expect, it } from 'vitest'
import { eventStreamReader } from '../src/event-stream.ts'

const read = (...pieces: string[]) => {
  const reader = eventStreamReader()
  return pieces.flatMap((piece) => reader(piece))
}

it('an event has a name and data, and comments and foreign fields are passed over', () => {
  expect(read(': hello\n\nid: 4\nretry: 10\nevent: token\ndata: {"a":1}\n\n')).toEqual([
    { name: 'token', data: '{"a":1}' },
  ])
})

it('only one space after the colon is taken away, and lines of data are put together', () => {
  expect(read('data:  two\ndata:lines\ndata\n\n')).toEqual([{ name: 'message', data: ' two\nlines\n' }])
})

it('an event without data, and one that was never finished, are none', () => {
  expect(read('event: checkout\n\n', 'data: half')).toEqual([])
})

it('wherever a stream is cut, and whichever line ends it has, the same events come out', () => {
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
        // A carriage return alone can only be told from half a line end by what follows, so something does.
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
