import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
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
