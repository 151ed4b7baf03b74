import { expect, it } from 'vitest'
import { eventNames } from '../../src/domain/events.ts'
import contract from '../../src/http/contract.generated.json' with { type: 'json' }

it('the event catalogue of the code is that of the contract, whose table explains every name', () => {
  const { enum: names, description } = contract.components.schemas.EventName
  expect(names).toEqual([...eventNames])
  const explained = [...description.matchAll(/^\| `([\w.]+)` \|/gm)].map(([, name]) => name)
  expect(explained).toEqual([...eventNames])
})

it('every event is described as a webhook under its own name, and there are no other webhooks', () => {
  expect(Object.keys(contract.webhooks)).toEqual([...eventNames])
  for (const [name, { post }] of Object.entries(contract.webhooks)) {
    const { allOf, unevaluatedProperties } = post.requestBody.content['application/json'].schema
    expect(allOf[1]).toMatchObject({ required: ['event', 'data'], properties: { event: { const: name } } })
    expect(unevaluatedProperties).toBe(false)
    const headers = post.parameters.map(
      ({ $ref }) => contract.components.parameters[$ref.split('/').at(-1) as 'WebhookId'].name,
    )
    expect(headers).toEqual(['webhook-id', 'webhook-timestamp', 'webhook-signature'])
  }
})
