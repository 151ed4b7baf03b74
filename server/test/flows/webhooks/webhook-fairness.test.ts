import type { ServerResponse } from 'node:http'
import { afterEach, beforeEach, expect, it } from 'vitest'
import {
  appendEvent,
  createEndpoint,
  eventually,
  type Hook,
  type HookReceiver,
  startHookReceiver,
} from '../../support/servers/hook-receiver.ts'
import { startTestService, type TestService } from '../../support/shop/service.ts'
import { openShop, quiet } from '../../support/shop/shop.ts'

let service: TestService
let receiver: HookReceiver
/** Requests to slow endpoints that are not answered yet. */
let held: { hook: Hook; response: ServerResponse }[]

beforeEach(async () => {
  service = await startTestService(quiet)
  receiver = await startHookReceiver()
  held = []
  receiver.answer = (response, hook) => {
    if (!hook.path.includes('slow')) response.writeHead(204).end()
    else {
      held.push({ hook, response })
      // A request that the service has given up is no longer under way.
      response.once('close', () => {
        held = held.filter((each) => each.response !== response)
      })
    }
  }
})
afterEach(async () => {
  // Closing the receiver first lets the service stop without waiting for answers that never come.
  await receiver.close()
  await service.stop()
})

function release(count: number): void {
  for (const { response } of held.splice(0, count)) response.writeHead(204).end()
}

const cameTo = (path: string) => receiver.hooks.filter((hook) => hook.path === path)

it('an endpoint that does not answer has few requests under way, delays no other, and gets the rest when it answers', async () => {
  const shop = await openShop(service)
  await createEndpoint(shop, { url: `${receiver.url}/slow` })
  await createEndpoint(shop, { url: `${receiver.url}/fast` })
  const events = []
  for (let n = 0; n < 50; n++) events.push(await appendEvent(shop))
  await eventually(() => expect(cameTo('/hooks/fast')).toHaveLength(50))
  expect(new Set(cameTo('/hooks/fast').map(({ id }) => id))).toEqual(new Set(events.map(({ id }) => id)))
  expect(held.length).toBeLessThanOrEqual(32)
  await eventually(() => {
    release(held.length)
    expect(new Set(cameTo('/hooks/slow').map(({ id }) => id)).size).toBe(50)
  })
})
