import { randomBytes } from 'node:crypto'
import { expect, it } from 'vitest'
import { deriveElsewhere, maxBatch } from '../../src/app/addresses/derive-elsewhere.ts'
import { OutageError } from '../../src/domain/errors.ts'

const placeAt = (index: number) => ({ address: `ours-${index}`, tag: null })
const honest = async (from: number, count: number): Promise<unknown[]> =>
  Array.from({ length: count }, (_, nth) => placeAt(from + nth))

/** Asks derivers in turn, the last one again and again, and records why they were sent away. */
function derive(answers: readonly ((from: number, count: number) => Promise<unknown>)[], count = 20) {
  const sentAway: string[] = []
  let asked = 0
  const deriver = {
    ask: (from: number, wanted: number) =>
      answers[Math.min(asked++, answers.length - 1)]?.(from, wanted) ?? Promise.reject(new Error()),
    distrust: (reason: string) => sentAway.push(reason),
  }
  const own = { depositAddress: placeAt, random: randomBytes }
  return { places: deriveElsewhere(deriver, own, 100, count), sentAway, asked: () => asked }
}

it('an honest deriver is asked once, and its addresses are used', async () => {
  const { places, sentAway, asked } = derive([honest])
  expect(await places).toEqual(await honest(100, 20))
  expect([sentAway, asked()]).toEqual([[], 1])
})

const lies: Record<string, (from: number, count: number) => Promise<unknown>> = {
  'addresses of another wallet': async (_, count) =>
    Array.from({ length: count }, (_, nth) => ({ address: `theirs-${nth}`, tag: null })),
  'the addresses of other positions': (from, count) => honest(from + 1, count),
  'a tag where there is none': async (from, count) =>
    (await honest(from, count)).map((place) => ({ ...(place as object), tag: '7' })),
  'too few': (from, count) => honest(from, count - 1),
  'too many': (from, count) => honest(from, count + 1),
  'one address again and again': async (from, count) => Array.from({ length: count }, () => placeAt(from)),
  'no addresses': async (_, count) => Array.from({ length: count }, () => ({ address: 5, tag: null })),
  'empty places': async (_, count) => Array.from({ length: count }),
  'no list': async () => ({ length: 20 }),
  nothing: async () => undefined,
}
it.each(Object.entries(lies))(
  'a deriver that gives %s is sent away, and another one asked',
  async (_, lie) => {
    const { places, sentAway } = derive([lie, honest])
    expect(await places).toEqual(await honest(100, 20))
    expect(sentAway).toHaveLength(1)
  },
)

it('one foreign address among many is found sooner or later, because the position that is checked is not foreseen', async () => {
  const oneForeign = async (from: number, count: number) =>
    (await honest(from, count)).map((place, nth) => (nth === 7 ? { address: 'theirs', tag: null } : place))
  let found = 0
  for (let batch = 0; batch < 400; batch++) {
    const { places, sentAway } = derive([oneForeign, honest], 10)
    await places
    found += sentAway.length
  }
  expect(found).toBeGreaterThan(5)
})

it('a deriver that ended is asked again, since another takes its place; without any there are no addresses', async () => {
  const ended = () => Promise.reject(new OutageError('It ended.'))
  const once = derive([ended, honest])
  expect(await once.places).toHaveLength(20)
  expect(once.sentAway).toEqual([])
  await expect(derive([ended]).places).rejects.toThrow(OutageError)
  await expect(derive([async () => []]).places).rejects.toThrow(OutageError)
})

it('nothing is asked for no address, and never more than a bounded batch', async () => {
  const none = derive([honest], 0)
  expect([await none.places, none.asked()]).toEqual([[], 0])
  await expect(derive([honest], maxBatch + 1).places).rejects.toThrow(RangeError)
})
