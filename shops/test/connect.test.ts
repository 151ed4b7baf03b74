import { spawn } from 'node:child_process'
import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createSluice } from '../../sdk/src/client.ts'
import {
  type DashboardClient,
  makePerson,
  signedIn,
} from '../../server/test/support/people/dashboard-client.ts'
import { makeTemporaryFolder } from '../../server/test/support/processes/temporary-folder.ts'
import { startTestService, type TestService } from '../../server/test/support/shop/service.ts'
import { quiet } from '../../server/test/support/shop/shop.ts'
import { pairShop } from '../shared/connect.ts'

const command = join(import.meta.dirname, '../medusa/src/command.ts')
const webhook = 'http://127.0.0.1:9/hooks'
let service: TestService
let merchantId: string
let owner: DashboardClient

beforeAll(async () => {
  service = await startTestService(quiet)
  merchantId = await service.makeMerchant()
  owner = await signedIn(service, await makePerson(service, { merchantId, role: 'owner' }))
})

afterAll(async () => {
  await service?.stop()
})

/** What a person does who opens the address and clicks Connect: where the browser is sent then. */
async function allow(address: string): Promise<string> {
  const { permissions = '', ...asked } = Object.fromEntries(new URL(address).searchParams)
  const body = { ...asked, permissions: permissions.split(',') }
  const path = { merchantID: merchantId, environment: 'test' }
  return (await owner.call('allowShop', { path, body })).body.data.redirect_to
}

it('the command writes a key with the least permissions and a webhook secret, and shows neither', async () => {
  const folder = await makeTemporaryFolder()
  const file = join(folder.path, '.env')
  const args = [command, 'connect', '--url', service.url, '--webhook', webhook, '--save-to', file]
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  let said = ''
  child.stdout.on('data', (chunk) => {
    said += chunk
  })
  const exit = new Promise((resolve) => child.once('exit', resolve))
  await expect.poll(() => said).toContain('/dashboard/connect?')
  const back = await allow(/http\S+/.exec(said)?.[0] ?? '')
  expect((await fetch(back)).status).toBe(200)
  expect(await exit).toBe(0)
  const env = Object.fromEntries(
    readFileSync(file, 'utf8')
      .split('\n')
      .filter(Boolean)
      .map((line) => line.split(/=(.*)/s).slice(0, 2)),
  )
  expect(statSync(file).mode & 0o077).toBe(0)
  expect([env.SLUICE_URL, env.SLUICE_WEBHOOK_SECRET]).toEqual([
    `${service.url}/api`,
    expect.stringMatching(/^whsec_/),
  ])
  expect(said).not.toContain(env.SLUICE_API_KEY)
  const sluice = createSluice({ baseUrl: env.SLUICE_URL ?? '', apiKey: env.SLUICE_API_KEY })
  await sluice.invoices.create({ amount: '0.01', currency: 'BTC' })
  await expect(sluice.payouts.list()).rejects.toThrow('payouts:read')
  await folder.remove()
})

it('an answer to another attempt, and one that says no, are refused', async () => {
  const pairing = { app: 'vendure', origin: service.url, name: 'Shop', webhook } as const
  const url = 'http://127.0.0.1:9/'
  const arrive = (address: string) => ({ url, arrival: Promise.resolve(address) })
  await expect(pairShop(pairing, arrive(`${url}?code=x&state=other`), () => {})).rejects.toThrow(
    'another attempt',
  )
  let came: (address: string) => void = () => {}
  const arrival = new Promise<string>((resolve) => {
    came = resolve
  })
  const declined = pairShop(pairing, { url, arrival }, (address) =>
    came(`${url}?error=access_denied&state=${new URL(address).searchParams.get('state')}`),
  )
  await expect(declined).rejects.toThrow('access_denied')
})
