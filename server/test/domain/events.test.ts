import { expect, it } from 'vitest'
import { eventNames } from '../../src/domain/events.ts'
import contract from '../../src/http/contract.generated.json' with { type: 'json' }

it('the event catalogue of the code is the one of the contract, and its table explains every name', () => {
  const { enum: names, description } = contract.components.schemas.EventName
  expect(names).toEqual([...eventNames])
  const explained = [...description.matchAll(/^\| `([\w.]+)` \|/gm)].map(([, name]) => name)
  expect(explained).toEqual([...eventNames])
})
