import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { inspect } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readSettings } from '../src/settings.ts'
import { makeTemporaryFolder, type TemporaryFolder } from './support/temporary-folder.ts'

let folder: TemporaryFolder
beforeAll(async () => {
  folder = await makeTemporaryFolder()
})
afterAll(() => folder.remove())

async function withConfig(config: object) {
  const path = join(folder.path, 'config.json')
  await writeFile(path, JSON.stringify(config))
  return readSettings({ SLUICE_CONFIG: path })
}

it('has a default for everything', () => {
  expect(readSettings({})).toMatchObject({
    host: '127.0.0.1',
    port: 8080,
    publicUrl: null,
    sandboxBlockSeconds: 5,
    config: { chains: { max_reorganisation_depth: 100 } },
  })
})

describe('SLUICE_PUBLIC_URL', () => {
  it.each([
    ['https://pay.example.com', 'https://pay.example.com'],
    ['http://192.0.2.1:8080', 'http://192.0.2.1:8080'],
    ['http://[2001:db8::1]:8080', 'http://[2001:db8::1]:8080'],
    ['HTTPS://Pay.Example.com:443', 'https://pay.example.com'],
    ['  ', null],
  ])('%s is %s', (text, origin) => {
    expect(readSettings({ SLUICE_PUBLIC_URL: text }).publicUrl).toBe(origin)
  })

  it.each([
    'https://pay.example.com/',
    'https://pay.example.com/shop',
    'https://pay.example.com?x=1',
    'https://pay.example.com#x',
    'https://user:secret@pay.example.com',
    'https://pay.example.com\\x',
    'pay.example.com',
    'ftp://pay.example.com',
    'https://',
    'https://a b',
    'https://pay.example.com:99999',
  ])('%s is refused', (text) => {
    expect(() => readSettings({ SLUICE_PUBLIC_URL: text })).toThrow('SLUICE_PUBLIC_URL must be like')
  })
})

it('SLUICE_SANDBOX_BLOCK_SECONDS is from 0 to 86,400', () => {
  const seconds = (text: string) => readSettings({ SLUICE_SANDBOX_BLOCK_SECONDS: text }).sandboxBlockSeconds
  expect(seconds('0')).toBe(0)
  expect(seconds('86400')).toBe(86_400)
  for (const text of ['-1', '86401', '1.5', 'often'])
    expect(() => seconds(text)).toThrow('SLUICE_SANDBOX_BLOCK_SECONDS must be a whole number from 0 to 86400')
})

it('chains.max_reorganisation_depth is from 1 to 1000', async () => {
  for (const depth of [1, 6, 1000])
    expect(await withConfig({ chains: { max_reorganisation_depth: depth } })).toMatchObject({
      config: { chains: { max_reorganisation_depth: depth } },
    })
  expect((await withConfig({ chains: {} })).config.chains.max_reorganisation_depth).toBe(100)
  for (const depth of [0, 1001, 1.5, '100'])
    await expect(withConfig({ chains: { max_reorganisation_depth: depth } })).rejects.toThrow(
      'SLUICE_CONFIG: /chains/max_reorganisation_depth',
    )
  await expect(withConfig({ chains: { depth: 1 } })).rejects.toThrow('/chains/depth is not known')
})

describe('signer', () => {
  it('limits and highest fees are decimals of what the network has', async () => {
    const limits = [
      { network: 'bitcoin', environment: 'live', currency: 'BTC', per_payout: '0.5', per_day: '2' },
    ]
    expect((await withConfig({ signer: { limits, max_fee: { bitcoin: '0.001' } } })).config.signer).toEqual({
      limits,
      max_fee: { bitcoin: '0.001' },
    })
    expect((await withConfig({})).config.signer).toEqual({ limits: [], max_fee: {} })
  })

  it.each([
    [{ limits: [{ network: 'bitcoin', currency: 'LTC' }] }, '/signer/limits/0 LTC is not known on bitcoin'],
    [{ limits: [{ network: 'nowhere', currency: 'BTC' }] }, '/signer/limits/0/network'],
    [
      { limits: [{ network: 'bitcoin', currency: 'BTC', per_hour: '0.000000001' }] },
      'per_hour must be a decimal',
    ],
    [{ limits: [{ network: 'bitcoin', currency: 'BTC', per_hour: 1 }] }, '/signer/limits/0/per_hour'],
    [{ limits: [{ network: 'bitcoin', currency: 'BTC', per_week: '1' }] }, 'per_week is not known'],
    [{ max_fee: { bitcoin: '0.000000001' } }, 'The highest fee on bitcoin cannot be'],
    [{ max_fee: { dogecoin: '1' } }, 'dogecoin'],
  ])('%j is refused', async (signer, words) => {
    await expect(withConfig({ signer })).rejects.toThrow(words)
  })

  it('the passphrase is kept to the letter, and printed settings do not show it', () => {
    const settings = readSettings({ SLUICE_WALLET_PASSPHRASE: ' correct horse ' })
    expect(settings.walletPassphrase?.()).toBe(' correct horse ')
    expect(`${inspect(settings, { depth: 9 })} ${JSON.stringify(settings)}`).not.toContain('horse')
  })
})
