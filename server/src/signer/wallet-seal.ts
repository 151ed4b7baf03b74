import { argon2, createCipheriv, createDecipheriv, hkdfSync } from 'node:crypto'
import { promisify } from 'node:util'
import { canonicalJson } from '../domain/canonical-json.ts'

/** The secret that opens a wallet: a passphrase, or 32 random bytes from a file. A function, so that printing reveals neither. */
export type WalletSecret =
  | { readonly kind: 'passphrase'; reveal(): string }
  | { readonly kind: 'key'; reveal(): Uint8Array }

export type SealKind = WalletSecret['kind']

type Derivation =
  | { readonly name: 'argon2id'; memory_kib: number; passes: number; lanes: number; salt: string }
  | { readonly name: 'hkdf-sha256'; salt: string }

/** Encrypted words: how the key is derived, and the words under AES-256-GCM. */
export type SealedWords = {
  readonly key: Derivation
  readonly nonce: string
  readonly ciphertext: string
}

const keyBytes = 32
const saltBytes = 16
const nonceBytes = 12
const tagBytes = 16
// RFC 9106's second recommended option: 64 MiB, three passes, four lanes.
const strength = { memory_kib: 65_536, passes: 3, lanes: 4 }
// A manipulated file must not make us compute forever.
const mostStrength = { memory_kib: 4_194_304, passes: 100, lanes: 64 }

/** Encrypts words so that only this secret opens them, and only together with the same `bound`. */
export async function sealWords(
  words: string,
  secret: WalletSecret,
  bound: object,
  random: (size: number) => Buffer,
): Promise<SealedWords> {
  const salt = random(saltBytes).toString('hex')
  const key: Derivation =
    secret.kind === 'passphrase' ? { name: 'argon2id', ...strength, salt } : { name: 'hkdf-sha256', salt }
  const nonce = random(nonceBytes)
  const cipher = createCipheriv('aes-256-gcm', await deriveKey(secret, key), nonce)
  cipher.setAAD(Buffer.from(canonicalJson({ ...bound, key })))
  const ciphertext = Buffer.concat([cipher.update(words, 'utf8'), cipher.final(), cipher.getAuthTag()])
  return { key, nonce: nonce.toString('hex'), ciphertext: ciphertext.toString('hex') }
}

/** The kind of secret that opens them; null when this is not the output of `sealWords`. */
export function sealKindOf(sealed: SealedWords): SealKind | null {
  const { key, nonce, ciphertext } = sealed
  const isHex = (text: unknown) => typeof text === 'string' && /^([0-9a-f]{2})+$/.test(text)
  if (!isHex(nonce) || !isHex(ciphertext) || !isHex(key?.salt)) return null
  if (key.name === 'hkdf-sha256') return 'key'
  if (key.name !== 'argon2id') return null
  const within = (name: keyof typeof strength) =>
    Number.isInteger(key[name]) && key[name] >= 1 && key[name] <= mostStrength[name]
  return within('memory_kib') && within('passes') && within('lanes') ? 'passphrase' : null
}

/** The words; null when the secret is the wrong one, or anything was changed. */
export async function unsealWords(
  sealed: SealedWords,
  secret: WalletSecret,
  bound: object,
): Promise<string | null> {
  const bytes = Buffer.from(sealed.ciphertext, 'hex')
  const decipher = createDecipheriv(
    'aes-256-gcm',
    await deriveKey(secret, sealed.key),
    Buffer.from(sealed.nonce, 'hex'),
    { authTagLength: tagBytes },
  )
  decipher.setAAD(Buffer.from(canonicalJson({ ...bound, key: sealed.key })))
  try {
    decipher.setAuthTag(bytes.subarray(-tagBytes))
    return Buffer.concat([decipher.update(bytes.subarray(0, -tagBytes)), decipher.final()]).toString('utf8')
  } catch {
    return null
  }
}

async function deriveKey(secret: WalletSecret, key: Derivation): Promise<Buffer> {
  const salt = Buffer.from(key.salt, 'hex')
  if (secret.kind === 'key' && key.name === 'hkdf-sha256')
    return Buffer.from(hkdfSync('sha256', secret.reveal(), salt, 'sluice wallet', keyBytes))
  if (secret.kind !== 'passphrase' || key.name !== 'argon2id')
    throw new Error('The wallet needs the other kind of secret.')
  return promisify(argon2)('argon2id', {
    // Different encodings of the same letter must give the same passphrase.
    message: Buffer.from(secret.reveal().normalize('NFKC')),
    nonce: salt,
    parallelism: key.lanes,
    memory: key.memory_kib,
    passes: key.passes,
    tagLength: keyBytes,
  })
}
