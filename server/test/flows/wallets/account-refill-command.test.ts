import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Command } from 'commander'
import { afterAll, afterEach, beforeEach, expect, it, vi } from 'vitest'
import { addWalletCold } from '../../../src/cli/wallet-cold.ts'
import { addWalletRefill } from '../../../src/cli/wallet-refill.ts'
import { makeTemporaryFolder, type TemporaryFolder } from '../../support/processes/temporary-folder.ts'
import { type ColdDesk, openColdDesk, operator, signWith } from '../../support/shop/account-refills.ts'
import { expectCleanBooks } from '../../support/shop/money-out.ts'

let desk: ColdDesk
let folder: TemporaryFolder
beforeEach(async () => {
  folder = await makeTemporaryFolder('refill')
  desk ??= await openColdDesk()
})
afterEach(async () => {
  vi.restoreAllMocks()
  process.exitCode = 0
  await folder.remove()
  await expectCleanBooks(desk.service)
})
afterAll(() => desk?.service.stop())

/** What a command prints. */
async function run(...args: string[]): Promise<{ out: string; error: string }> {
  const printed = { out: '', error: '' }
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    printed.out += text
    return true
  })
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => {
    printed.error += text
    return true
  })
  const tools = {
    readSettings: () => ({}),
    createLog: () => ({}),
    withApp: (_settings: object, _log: object, work: (app: unknown) => Promise<object>) =>
      work(desk.service.app),
  } as unknown as Parameters<typeof addWalletRefill>[1]
  const wallet = new Command('wallet')
  addWalletRefill(wallet, tools)
  addWalletCold(wallet, tools)
  await wallet.parseAsync(args, { from: 'user' })
  vi.restoreAllMocks()
  return printed
}

const asked = ['refill', '--network', 'Ethereum', '--environment', 'test']

it('a refill is prepared, listed, signed, handed in and found done, by commands alone', async () => {
  const file = join(folder.path, 'refill.json')
  const prepared = await run(...asked, '--asset', 'usdt', '--amount', '25', '--out', file)
  expect(prepared.error).toBe('')
  expect(prepared.out).toMatch(
    /25 USDT from 0x.*, your cold wallet\n.*your hot wallet\n.* ETH to the network, at most/,
  )
  const { refill, unsigned } = JSON.parse(await readFile(file, 'utf8'))
  const listed = await run('cold', '--network', 'ethereum')
  expect(listed.out).toMatch(
    new RegExp(`refill ${refill}: 25 USDT to the hot wallet, .* ETH to the network; prepared`),
  )

  const again = `${file}.again`
  await run('refill', '--again', refill, '--out', again)
  expect(await readFile(again, 'utf8')).toBe(await readFile(file, 'utf8'))
  expect((await run('refill', '--submit', file)).error).toMatch(/not signed yet.*--again/)
  const signed = `${file}.signed`
  await writeFile(signed, `${await signWith(operator, unsigned)}\n`)
  expect((await run('refill', '--submit', signed)).out).toMatch(
    new RegExp(`Refill ${refill} .* was sent as 0x`),
  )
  expect((await run('cold')).out).toMatch(/; sent, prepared/)
  await desk.ended(refill, 'final')
  expect((await run('cold')).out).not.toContain(refill)
})

it('what cannot be prepared leaves no file behind', async () => {
  const file = join(folder.path, 'refill.json')
  const refused = await run(...asked, '--asset', 'USDT', '--amount', '99999999', '--out', file)
  expect(refused.error).toMatch(/By the books/)
  await expect(readFile(file)).rejects.toThrow('ENOENT')
  const other = await run(
    'refill',
    '--network',
    'bitcoin',
    '--environment',
    'test',
    '--asset',
    'USDT',
    '--amount',
    '1',
    '--out',
    file,
  )
  expect(other.error).toMatch(/bitcoin-test has no USDT. It has: BTC/)
  await expect(readFile(file)).rejects.toThrow('ENOENT')
})
