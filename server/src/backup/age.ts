import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createPrivateKey,
  createPublicKey,
  diffieHellman,
  generateKeyPairSync,
  hkdfSync,
  type KeyObject,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto'
import { bech32 } from '@scure/base'
import { BackupError } from './error.ts'

/** The private half of a recipient. It opens every backup that was sealed to it. */
export type Identity = { readonly key: KeyObject; readonly publicKey: Buffer }

const intro = 'age-encryption.org/v1\n'
const stanzaLabel = 'age-encryption.org/v1/X25519'
const cipher = 'chacha20-poly1305'
const chunkBytes = 64 * 1024
const tagBytes = 16
const nonceBytes = 16
const fileKeyBytes = 16
/** Of a header; one with as many recipients as ours ever has is far shorter. */
const maxHeaderBytes = 16 * 1024

// RFC 8410: what stands before the 32 bytes of an X25519 key in DER.
const spkiPrefix = Buffer.from('302a300506032b656e032100', 'hex')
const pkcs8Prefix = Buffer.from('302e020100300506032b656e04220420', 'hex')

/** A new pair, as `age-keygen` writes it. */
export function makeIdentity(): { readonly identity: string; readonly recipient: string } {
  const { privateKey } = generateKeyPairSync('x25519')
  const secret = privateKey.export({ format: 'der', type: 'pkcs8' }).subarray(pkcs8Prefix.length)
  const { publicKey } = identityOf(privateKey)
  return {
    identity: bech32.encodeFromBytes('age-secret-key-', secret).toUpperCase(),
    recipient: bech32.encodeFromBytes('age', publicKey),
  }
}

/** The public key of a recipient (`age1…`); null if it is none. */
export function readRecipient(text: string): Buffer | null {
  return readKey(text, 'age')
}

/** The identity in the text of a key file; comments and empty lines are skipped. Throws if there is not exactly one. */
export function readIdentity(text: string): Identity {
  const lines = text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'))
  const secret = lines.length === 1 ? readKey((lines[0] ?? '').toLowerCase(), 'age-secret-key-') : null
  if (secret === null)
    throw new BackupError(
      'The identity file must have one line that starts with AGE-SECRET-KEY-1, as npx sluice backup keygen writes it.',
    )
  return identityOf(
    createPrivateKey({ key: Buffer.concat([pkcs8Prefix, secret]), format: 'der', type: 'pkcs8' }),
  )
}

/**
 * Seals bytes to recipients in the age format, version 1 (https://age-encryption.org/v1), with recipients of the kind X25519.
 * The program `age` opens the result.
 */
export function seal(plain: Buffer, recipients: readonly Buffer[]): Buffer {
  const fileKey = randomBytes(fileKeyBytes)
  const stanzas = recipients.map((recipient) => wrap(fileKey, recipient)).join('')
  const header = `${intro}${stanzas}---`
  const nonce = randomBytes(nonceBytes)
  const key = derive(fileKey, nonce, 'payload')
  const sealed: Buffer[] = [Buffer.from(`${header} ${unpadded(headerMac(fileKey, header))}\n`), nonce]
  const chunks = Math.max(1, Math.ceil(plain.length / chunkBytes))
  for (let at = 0; at < chunks; at++)
    sealed.push(
      encrypt(key, chunkNonce(at, at === chunks - 1), plain.subarray(at * chunkBytes, (at + 1) * chunkBytes)),
    )
  return Buffer.concat(sealed)
}

/** Opens what `seal` or the program `age` has sealed. Throws if it is damaged or sealed to another key. */
export function open(sealed: Buffer, identity: Identity): Buffer {
  const { text, stanzas, mac, end } = readHeader(sealed)
  const fileKey = stanzas.map((stanza) => unwrap(stanza, identity)).find((key) => key !== null)
  if (fileKey === undefined || fileKey === null)
    throw new BackupError('it is sealed to another key: this identity does not open it')
  if (!timingSafeEqual(mac, headerMac(fileKey, text))) throw damaged()
  const nonce = sealed.subarray(end, end + nonceBytes)
  if (nonce.length < nonceBytes) throw damaged()
  const key = derive(fileKey, nonce, 'payload')
  const payload = sealed.subarray(end + nonceBytes)
  const chunks = Math.ceil(payload.length / (chunkBytes + tagBytes))
  if (chunks === 0) throw damaged()
  const opened: Buffer[] = []
  for (let at = 0; at < chunks; at++) {
    const chunk = payload.subarray(at * (chunkBytes + tagBytes), (at + 1) * (chunkBytes + tagBytes))
    const plain = decrypt(key, chunkNonce(at, at === chunks - 1), chunk)
    // Only an empty file has an empty chunk.
    if (plain === null || (plain.length === 0 && chunks > 1)) throw damaged()
    opened.push(plain)
  }
  return Buffer.concat(opened)
}

type Stanza = { readonly args: readonly string[]; readonly body: Buffer }

function readHeader(sealed: Buffer): { text: string; stanzas: Stanza[]; mac: Buffer; end: number } {
  // Latin-1 keeps a byte a character, so that offsets stay true.
  const head = sealed.subarray(0, maxHeaderBytes).toString('latin1')
  const found =
    /^age-encryption\.org\/v1\n((?:-> [\x21-\x7e]+(?: [\x21-\x7e]+)*\n(?:[A-Za-z0-9+/]{64}\n)*[A-Za-z0-9+/]{0,63}\n)+)--- ([A-Za-z0-9+/]{43})\n/.exec(
      head,
    )
  if (found === null) throw damaged()
  const [all, list = '', mac = ''] = found
  const stanzas = list
    .slice('-> '.length)
    .split('\n-> ')
    .map((each) => {
      const [first = '', ...rest] = each.split('\n')
      return { args: first.split(' '), body: fromUnpadded(rest.join('')) }
    })
  return {
    text: all.slice(0, all.length - mac.length - 2),
    stanzas,
    mac: fromUnpadded(mac),
    end: all.length,
  }
}

function wrap(fileKey: Buffer, recipient: Buffer): string {
  const ephemeral = generateKeyPairSync('x25519')
  const { publicKey: share } = identityOf(ephemeral.privateKey)
  const key = wrapKey(sharedSecret(ephemeral.privateKey, recipient), share, recipient)
  return `-> X25519 ${unpadded(share)}\n${unpadded(encrypt(key, Buffer.alloc(12), fileKey))}\n`
}

/** Null if the stanza is for someone else. */
function unwrap({ args, body }: Stanza, { key, publicKey }: Identity): Buffer | null {
  if (args[0] !== 'X25519') return null
  const share = fromUnpadded(args[1] ?? '')
  if (args.length !== 2 || share.length !== 32 || body.length !== fileKeyBytes + tagBytes) throw damaged()
  return decrypt(wrapKey(sharedSecret(key, share), share, publicKey), Buffer.alloc(12), body)
}

function wrapKey(shared: Buffer, share: Buffer, recipient: Buffer): Buffer {
  return derive(shared, Buffer.concat([share, recipient]), stanzaLabel)
}

function sharedSecret(privateKey: KeyObject, publicKey: Buffer): Buffer {
  const key = createPublicKey({ key: Buffer.concat([spkiPrefix, publicKey]), format: 'der', type: 'spki' })
  try {
    return diffieHellman({ privateKey, publicKey: key })
  } catch {
    // OpenSSL refuses a share of low order, whose secret would be zero.
    throw damaged()
  }
}

function headerMac(fileKey: Buffer, header: string): Buffer {
  return createHmac('sha256', derive(fileKey, Buffer.alloc(0), 'header'))
    .update(header, 'latin1')
    .digest()
}

function derive(secret: Buffer, salt: Buffer, info: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, salt, info, 32))
}

function chunkNonce(counter: number, isLast: boolean): Buffer {
  const nonce = Buffer.alloc(12)
  nonce.writeUIntBE(counter, 5, 6)
  nonce[11] = isLast ? 1 : 0
  return nonce
}

function encrypt(key: Buffer, nonce: Buffer, plain: Buffer): Buffer {
  const sealing = createCipheriv(cipher, key, nonce, { authTagLength: tagBytes })
  return Buffer.concat([sealing.update(plain), sealing.final(), sealing.getAuthTag()])
}

function decrypt(key: Buffer, nonce: Buffer, sealed: Buffer): Buffer | null {
  if (sealed.length < tagBytes) return null
  const opening = createDecipheriv(cipher, key, nonce, { authTagLength: tagBytes })
  opening.setAuthTag(sealed.subarray(-tagBytes))
  try {
    return Buffer.concat([opening.update(sealed.subarray(0, -tagBytes)), opening.final()])
  } catch {
    return null
  }
}

function identityOf(key: KeyObject): Identity {
  const der = createPublicKey(key).export({ format: 'der', type: 'spki' })
  return { key, publicKey: der.subarray(spkiPrefix.length) }
}

function readKey(text: string, prefix: string): Buffer | null {
  try {
    const { prefix: found, bytes } = bech32.decodeToBytes(text)
    return found === prefix && bytes.length === 32 ? Buffer.from(bytes) : null
  } catch {
    return null
  }
}

function unpadded(bytes: Buffer): string {
  return bytes.toString('base64').replaceAll('=', '')
}

/** Throws if other text stands for the same bytes. */
function fromUnpadded(text: string): Buffer {
  const bytes = Buffer.from(text, 'base64')
  if (unpadded(bytes) !== text) throw damaged()
  return bytes
}

function damaged(): BackupError {
  return new BackupError('it is damaged')
}
