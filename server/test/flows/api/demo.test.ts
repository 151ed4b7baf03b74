import { afterAll, beforeAll, expect, it } from 'vitest'
import { createDemo } from '../../../src/app/merchants/create-demo.ts'
import { call } from '../../support/shop/contract-client.ts'
import { startTestService, type TestService } from '../../support/shop/service.ts'

let service: TestService
beforeAll(async () => {
  service = await startTestService()
})
afterAll(() => service.stop())

it('of several concurrent first starts one creates the demo merchant, and its key works', async () => {
  const made = await Promise.all(Array.from({ length: 5 }, () => createDemo(service.app)))
  const [demo, ...others] = made.filter((each) => each !== null)
  expect(others).toEqual([])
  expect(await service.app.store.merchants.list()).toHaveLength(1)
  expect((await call(service.url, 'listEvents', { key: demo?.key as string })).status).toBe(200)
})
