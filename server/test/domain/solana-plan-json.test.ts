import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readSolanaPlan, solanaPlanToJson } from '../../src/domain/solana-plan-json.ts'
import { plans } from '../gates/solana/plans.ts'

describe('the stored form of a Solana plan', () => {
  it('is read as the same plan', () => {
    fc.assert(
      fc.property(plans, (plan) => {
        expect(readSolanaPlan(solanaPlanToJson(plan))).toEqual(plan)
      }),
    )
  })

  it('is refused when any member is missing, added or of another type', () => {
    fc.assert(
      fc.property(plans, fc.nat(), fc.constantFrom(...changes), (plan, at, change) => {
        const value = JSON.parse(solanaPlanToJson(plan))
        const places = objectsIn(value)
        change(places[at % places.length] ?? {}, at)
        expect(readSolanaPlan(JSON.stringify(value))).toBeNull()
      }),
    )
  })

  it.each(['', 'null', '[]', '{}', '1', '{"kind":"solana"}', 'x'.repeat(200_000)])(
    'is refused when it is something else: %j',
    (text) => {
      expect(readSolanaPlan(text)).toBeNull()
    },
  )
})

type Members = Record<string, unknown>

const changes: readonly ((object: Members, at: number) => void)[] = [
  (object) => {
    object.more = 1
  },
  (object, at) => {
    delete object[nameIn(object, at)]
  },
  (object, at) => {
    object[nameIn(object, at)] = { units: -1 }
  },
  (object, at) => {
    object[nameIn(object, at)] = -1
  },
]

function nameIn(object: Members, at: number): string {
  const names = Object.keys(object)
  return names[at % names.length] ?? 'kind'
}

/** All objects in a value, itself included. */
function objectsIn(value: unknown): Members[] {
  if (typeof value !== 'object' || value === null) return []
  const inner = Object.values(value).flatMap(objectsIn)
  return Array.isArray(value) ? inner : [value as Members, ...inner]
}
