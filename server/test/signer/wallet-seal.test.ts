import { randomBytes } from 'node:crypto'
import { inspect } from 'node:util'
import { expect, it } from 'vitest'
import { sealKindOf, sealWords, unsealWords, type WalletSecret } from '../../src/signer/wallet-seal.ts'

const words = `${'abandon '.repeat(11)}about`
const bound = { version: 2, environment: 'live' }
const passphrase = (text: string): WalletSecret => ({ kind: 'passphrase', reveal: () => text })
const key = (byte: number): WalletSecret => ({ kind: 'key', reveal: () => Buffer.alloc(32, byte) })

it.each([
  ['a passphrase', passphrase('a long passphrase'), passphrase('a long passphrasf')],
  ['a key', key(1), key(2)],
])(
  'words sealed with %s can be opened only with it, and only for the purpose they were sealed for',
  async (_, right, wrong) => {
    const sealed = await sealWords(words, right, bound, randomBytes)
    expect(sealKindOf(sealed)).toBe(right.kind)
    expect(await unsealWords(sealed, right, bound)).toBe(words)
    expect(await unsealWords(sealed, wrong, bound)).toBeNull()
    expect(await unsealWords(sealed, right, { ...bound, environment: 'test' })).toBeNull()
    const changed = sealed.ciphertext.replace(/^../, (byte) => (byte === '00' ? '01' : '00'))
    expect(await unsealWords({ ...sealed, ciphertext: changed }, right, bound)).toBeNull()
    expect(JSON.stringify(sealed)).not.toContain('abandon')
  },
)

it('the same words are never sealed to the same bytes twice', async () => {
  const [one, two] = [
    await sealWords(words, key(1), bound, randomBytes),
    await sealWords(words, key(1), bound, randomBytes),
  ]
  expect(one.ciphertext).not.toBe(two.ciphertext)
})

it('a passphrase typed in another Unicode normal form is the same', async () => {
  const sealed = await sealWords(words, passphrase('pässphrase-lang'), bound, randomBytes)
  expect(await unsealWords(sealed, passphrase('pa\u0308ssphrase-lang'), bound)).toBe(words)
})

it('a file can demand neither endless computation nor an unknown cipher', async () => {
  const sealed = await sealWords(words, passphrase('a long passphrase'), bound, randomBytes)
  expect(sealKindOf({ ...sealed, key: { ...sealed.key, memory_kib: 2 ** 40 } as never })).toBeNull()
  expect(sealKindOf({ ...sealed, key: { ...sealed.key, name: 'md5' } as never })).toBeNull()
  expect(sealKindOf({ ...sealed, nonce: 'zz' })).toBeNull()
  expect(sealKindOf({} as never)).toBeNull()
})

it('a printed secret reveals nothing', () => {
  expect(inspect(passphrase('a long passphrase'), { depth: 9 })).not.toContain('long')
})
