import { spawn } from 'node:child_process'
import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createSluice } from '../../sdk/src/client.ts'
import {
  type DashboardClient,
  makePerson,
  signedIn,
} from '../../server/test/support/people/dashboard-client.ts'
import {
  makeTemporaryFolder,
  type TemporaryFolder,
} from '../../server/test/support/processes/temporary-folder.ts'
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

/** `connect`, with everything that it says. */
function startConnect(...args: string[]) {
  const child = spawn(process.execPath, [command, 'connect', ...args], { stdio: ['ignore', 'pipe', 'pipe'] })
  let said = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => {
      said += chunk
    })
  const exit = new Promise((resolve) => child.once('close', resolve))
  return {
    exit,
    said: () => said,
    /** The address that a person is asked to open. */
    async page(): Promise<string> {
      await expect.poll(() => said).toContain('/dashboard/connect?')
      return /http\S+/.exec(said)?.[0] ?? ''
    },
  }
}

describe('the command', () => {
  let folder: TemporaryFolder
  let file = ''
  beforeEach(async () => {
    folder = await makeTemporaryFolder()
    file = join(folder.path, '.env')
  })
  afterEach(() => folder.remove())

  it('writes a key with the least permissions and a webhook secret, and shows neither', async () => {
    const shop = startConnect('--url', service.url, '--webhook', webhook, '--save-to', file)
    const back = await allow(await shop.page())
    expect((await fetch(back)).status).toBe(200)
    expect(await shop.exit, shop.said()).toBe(0)
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
    for (const secret of [env.SLUICE_API_KEY, env.SLUICE_WEBHOOK_SECRET])
      expect(shop.said()).not.toContain(secret)
    const sluice = createSluice({ baseUrl: env.SLUICE_URL ?? '', apiKey: env.SLUICE_API_KEY })
    await sluice.invoices.create({ amount: '0.01', currency: 'BTC' })
    await expect(sluice.payouts.list()).rejects.toThrow('payouts:read')
  })

  it('opens no page where a secret would travel in the clear, or could not be stored', async () => {
    for (const [url, to, why] of [
      ['http://pay.example.com', file, 'https'],
      ['ftp://127.0.0.1', file, 'https'],
      [service.url, join(folder.path, 'missing', '.env'), 'ENOENT'],
    ] as const) {
      const shop = startConnect('--url', url, '--webhook', webhook, '--save-to', to)
      expect([await shop.exit, shop.said()]).toEqual([1, expect.stringContaining(why)])
      expect(shop.said()).not.toContain('/dashboard/connect')
    }
  })

  it('goes on waiting when another page calls the address that the browser comes back to', async () => {
    const shop = startConnect('--url', service.url, '--webhook', webhook, '--save-to', file)
    const back = await allow(await shop.page())
    expect((await fetch(`${new URL(back).origin}/?code=x&state=other`)).status).toBe(404)
    expect((await fetch(back)).status).toBe(200)
    expect(await shop.exit, shop.said()).toBe(0)
  })
})

it('an answer to another attempt, and one that says no, are refused', async () => {
  const pairing = { app: 'vendure', origin: service.url, name: 'Shop', webhook } as const
  const url = 'http://127.0.0.1:9/'
  const arrive = (address: string) => ({ url, arrival: async () => address })
  await expect(pairShop(pairing, arrive(`${url}?code=x&state=other`), () => {})).rejects.toThrow(
    'another attempt',
  )
  let came: (address: string) => void = () => {}
  const arrival = new Promise<string>((resolve) => {
    came = resolve
  })
  const declined = pairShop(pairing, { url, arrival: () => arrival }, (address) =>
    came(`${url}?error=access_denied&state=${new URL(address).searchParams.get('state')}`),
  )
  await expect(declined).rejects.toThrow('access_denied')
})
