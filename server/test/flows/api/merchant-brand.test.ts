import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../support/database/database.ts'
import { runCommand } from '../../support/processes/run-command.ts'
import { makeTemporaryFolder, type TemporaryFolder } from '../../support/processes/temporary-folder.ts'

let database: TestDatabase
let folder: TemporaryFolder
let id: string
beforeAll(async () => {
  database = await createTestDatabase()
  folder = await makeTemporaryFolder()
  const { stdout } = await sluice('merchant', 'create', '--name', 'Shop', '--json')
  id = JSON.parse(stdout).merchant_id
})
afterAll(async () => {
  await database.drop()
  await folder.remove()
})

const sluice = (...args: readonly string[]) => runCommand(args, { DATABASE_URL: database.serviceUrl })
const brand = (...args: readonly string[]) => sluice('merchant', 'brand', '--merchant', id, ...args)

async function file(name: string, bytes: string | Buffer): Promise<string> {
  const path = join(folder.path, name)
  await writeFile(path, bytes, 'latin1')
  return path
}

it('merchant brand sets single parts, shows them without options, and removes them again', async () => {
  const png = await file('logo.png', '\x89PNG\r\n\x1a\n and more')
  const plain = {
    merchant_id: id,
    name: 'Shop',
    colour: null,
    logo: null,
    embed_origins: [],
    currency_order: [],
    network_order: [],
  }
  expect(JSON.parse((await brand('--json')).stdout)).toEqual(plain)
  await brand('--colour', '#0A7CFF', '--logo', png, '--name', 'My shop')
  const origins = ['https://shop.example.com', 'http://localhost:3000']
  await brand('--embed-origin', ...origins)
  await brand('--currency-order', 'usdc', 'BTC', '--network-order', 'solana')
  const set = {
    merchant_id: id,
    name: 'My shop',
    colour: '#0a7cff',
    embed_origins: origins,
    currency_order: ['USDC', 'BTC'],
    network_order: ['solana'],
    logo: { media_type: 'image/png', bytes: 17 },
  }
  expect(JSON.parse((await brand('--json')).stdout)).toEqual(set)
  expect((await brand()).stdout).toContain('My shop. Colour: #0a7cff. Logo: image/png, 17 bytes.')
  expect((await brand()).stdout).toContain('Payers see first: USDC, BTC, solana.')
  const parts = ['--colour', '--logo', '--embed-origin', '--currency-order', '--network-order']
  const none = await brand(...parts.flatMap((part) => [part, 'none']), '--json')
  expect(JSON.parse(none.stdout)).toEqual({ ...plain, name: 'My shop' })
})

it('an invalid brand is refused with the reason, and nothing is changed', async () => {
  const svg = await file('logo.svg', '<svg xmlns="http://www.w3.org/2000/svg"/>')
  const large = await file(
    'large.png',
    Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), Buffer.alloc(65_536)]),
  )
  const before = (await brand('--json')).stdout
  const wrong: [string[], string][] = [
    [['--colour', 'red'], 'It must look like #0a7cff'],
    [['--logo', svg], 'SVG is not accepted'],
    [['--logo', large], 'at most 65536'],
    [['--logo', join(folder.path, 'nowhere.png')], 'ENOENT'],
    [['--embed-origin', 'http://shop.example.com'], 'http only on localhost'],
    [['--embed-origin', 'https://shop.example.com/x'], 'without a path'],
    [['--embed-origin', 'none', 'https://shop.example.com'], 'not both'],
    [['--currency-order', 'BTC', 'EUR'], 'is not a supported currency'],
    [['--network-order', 'none', 'solana'], 'not both'],
  ]
  for (const [args, words] of wrong) {
    const { code, stderr } = await brand('--name', 'Changed', ...args)
    expect([code, stderr]).toEqual([1, expect.stringContaining(words)])
  }
  expect((await brand('--json')).stdout).toBe(before)
  const unknown = await sluice('merchant', 'brand', '--merchant', '01890000-0000-7000-8000-000000000000')
  expect(unknown.stderr).toContain('There is no merchant')
})
