import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { inflateSync } from 'node:zlib'
import { expect, it } from 'vitest'
import { makeIdentity, open, readIdentity, readRecipient, seal } from '../../src/backup/age.ts'

/** The vectors of C2SP/CCTV for age (https://github.com/C2SP/CCTV), without those for passphrases, armor and hybrid keys. */
const vectors: readonly {
  readonly name: string
  readonly expect: string
  readonly payload: string | null
  readonly identities: readonly string[]
  readonly deflated: string
}[] = JSON.parse(readFileSync(new URL('./fixtures/age-vectors.json', import.meta.url), 'utf8'))

const sum = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')

it('every published vector of the age format is opened, or refused, as it says', () => {
  const outcome = ({ deflated, identities }: (typeof vectors)[number]) => {
    try {
      const sealed = inflateSync(Buffer.from(deflated, 'base64'))
      return sum(open(sealed, readIdentity(identities[0] ?? makeIdentity().identity)))
    } catch {
      return null
    }
  }
  expect(vectors.map((vector) => [vector.name, outcome(vector)])).toEqual(
    vectors.map(({ name, expect: wanted, payload }) => [name, wanted === 'success' ? payload : null]),
  )
  expect(vectors.filter(({ expect: wanted }) => wanted === 'success').length).toBeGreaterThan(10)
})

it('what is sealed is opened by each recipient, whatever its length, and by no one else', () => {
  const [ours, theirs, stranger] = [makeIdentity(), makeIdentity(), makeIdentity()]
  const recipients = [ours, theirs].map(({ recipient }) => readRecipient(recipient) as Buffer)
  for (const length of [0, 1, 65_535, 65_536, 65_537, 200_000]) {
    const plain = Buffer.alloc(length, 'sluice')
    const sealed = seal(plain, recipients)
    for (const { identity } of [ours, theirs])
      expect(open(sealed, readIdentity(identity)).equals(plain)).toBe(true)
    expect(() => open(sealed, readIdentity(stranger.identity))).toThrow('sealed to another key')
  }
})

it('no byte can be changed, and no chunk cut off or exchanged', () => {
  const { identity, recipient } = makeIdentity()
  const sealed = seal(Buffer.alloc(150_000, 1), [readRecipient(recipient) as Buffer])
  for (let at = 0; at < sealed.length; at += at < 250 ? 1 : 9_973) {
    const changed = Buffer.from(sealed)
    changed[at] = (changed[at] ?? 0) ^ 1
    expect(() => open(changed, readIdentity(identity))).toThrow()
  }
  for (const left of [sealed.length - 1, sealed.length - (150_000 - 2 * 65_536) - 16, 200])
    expect(() => open(sealed.subarray(0, left), readIdentity(identity))).toThrow('damaged')
})

it('a mistyped key is refused', () => {
  const { identity, recipient } = makeIdentity()
  expect(readRecipient(recipient.replace(/.$/, (last) => (last === 'q' ? 'p' : 'q')))).toBeNull()
  expect(() => readIdentity(`${identity.slice(0, -1)}!`)).toThrow('AGE-SECRET-KEY-1')
  expect(() => readIdentity(recipient)).toThrow('AGE-SECRET-KEY-1')
  expect(readIdentity(`# created: today\n# public key: ${recipient}\n${identity}\n`).publicKey).toEqual(
    readRecipient(recipient),
  )
})
