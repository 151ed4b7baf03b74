import { randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { relyingParty } from '../../src/app/people/relying-party.ts'
import { browserInWords } from '../../src/domain/browsers.ts'
import { passwordProblem } from '../../src/domain/password-rules.ts'
import { makeRecoveryCodes, recoveryCodeHash } from '../../src/domain/recovery-codes.ts'
import { accountThrottle, networkOfIp } from '../../src/domain/throttling.ts'
import { stepAt, stepOfCode, totpCode, totpUri } from '../../src/domain/totp.ts'
import { isSmtpUrl } from '../../src/settings/smtp-url.ts'

describe('codes of authenticator apps', () => {
  const secret = Buffer.from('12345678901234567890')

  it.each([
    [59, '94287082'],
    [1111111109, '07081804'],
    [1111111111, '14050471'],
    [1234567890, '89005924'],
    [2000000000, '69279037'],
    [20000000000, '65353130'],
  ])('are those of RFC 6238, appendix B: at %i', (seconds, code) => {
    expect(totpCode(secret, stepAt(new Date(seconds * 1000)), 8)).toBe(code)
  })

  it('are valid from one step before to one step after', () => {
    const now = new Date(1_111_111_111_000)
    const step = stepAt(now)
    const found = [-2n, -1n, 0n, 1n, 2n].map((away) => stepOfCode(secret, totpCode(secret, step + away), now))
    expect(found).toEqual([null, step - 1n, step, step + 1n, null])
    for (const odd of ['', '12345', '1234567', `${totpCode(secret, step)}0`])
      expect(stepOfCode(secret, odd, now)).toBeNull()
  })

  it('are set up from a URI that apps can read, whatever the e-mail address contains', () => {
    const uri = new URL(totpUri(secret, 'Sluice', 'a+b&c@example.com'))
    expect([uri.protocol, uri.host]).toEqual(['otpauth:', 'totp'])
    expect(decodeURIComponent(uri.pathname)).toBe('/Sluice:a+b&c@example.com')
    expect(uri.searchParams.get('secret')).toBe('GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ')
  })
})

it('there are ten different recovery codes, and blanks, hyphens and upper case make no difference', () => {
  const codes = makeRecoveryCodes(randomBytes)
  expect(new Set(codes).size).toBe(10)
  for (const code of codes) {
    expect(code).toMatch(/^([a-hjkmnp-z0-9]{4}-){3}[a-hjkmnp-z0-9]{4}$/)
    expect(recoveryCodeHash(` ${code.toUpperCase().replaceAll('-', ' ')}`)).toEqual(recoveryCodeHash(code))
  }
})

describe('a password', () => {
  it.each([
    ['elevenchars', 'at least 12'],
    ['👍👍👍👍👍👍👍👍👍👍👍', 'at least 12'],
    ['x'.repeat(1001), 'at most 1000'],
    ['somebody@example.com', 'the email address'],
    ['Somebody@Example.com', 'the email address'],
    ['1qaz2wsx3edc', 'common password'],
    ['PasswordPassword', 'common password'],
    ['password123456', 'common password'],
    ['123456123456', 'common password'],
  ])('is refused: %s', (password, problem) => {
    expect(passwordProblem(password, 'somebody@example.com')).toContain(problem)
  })

  it.each(['correct horse battery', 'müde Katzen schlafen', 'x7Kp-2qRt-99vL', 'ärger mit Umlauten'])(
    'is accepted: %s',
    (password) => {
      expect(passwordProblem(password, 'somebody@example.com')).toBeNull()
    },
  )
})

describe('throttling', () => {
  it.each([
    ['10.1.2.3', '10.1.2.3'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['2001:0db8:0000:0000:ffff::1', '2001:db8:0:0::/64'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['::1', '0:0:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['::ffff:10.1.2.3', '::ffff:10.1.2.3'],
  ])('counts %s as %s', (ip, network) => {
    expect(networkOfIp(ip)).toBe(network)
  })

  it('stores no e-mail address, and treats all spellings as one', () => {
    const { subject } = accountThrottle('Ann@Example.com', null)
    expect(subject).toMatch(/^account:[0-9a-f]{64}$/)
    expect(accountThrottle('ann@example.com', null).subject).toBe(subject)
    expect(accountThrottle('ann@example.com', '10.0.0.1').subject).not.toBe(subject)
  })
})

describe('passkeys belong', () => {
  it.each([
    ['http://127.0.0.1:8080', { id: 'localhost', origin: 'http://localhost:8080' }],
    ['http://[::1]:8080', { id: 'localhost', origin: 'http://localhost:8080' }],
    ['http://localhost:8080', { id: 'localhost', origin: 'http://localhost:8080' }],
    ['https://pay.example.com', { id: 'pay.example.com', origin: 'https://pay.example.com' }],
    ['https://pay.example.com:8443', { id: 'pay.example.com', origin: 'https://pay.example.com:8443' }],
  ])('to the host name of %s', (url, party) => {
    expect(relyingParty(url)).toEqual(party)
  })

  it.each(['https://203.0.113.5', 'http://pay.example.com', 'https://[2001:db8::1]'])(
    'nowhere at %s, and the refusal says what to set',
    (url) => {
      expect(() => relyingParty(url)).toThrow(/SLUICE_PUBLIC_URL/)
    },
  )
})

it.each([
  [
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36 Edg/142.0',
    'Edge on Windows',
  ],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1',
    'Safari on iPhone',
  ],
  [
    'Mozilla/5.0 (Linux; Android 15) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Mobile Safari/537.36',
    'Chrome on Android',
  ],
  ['curl/8.5.0', 'curl'],
  ['', 'An unknown browser'],
])('a browser is named in plain words: %s', (userAgent, words) => {
  expect(browserInWords(userAgent)).toBe(words)
})

it.each([
  ['smtps://user:pass@mail.example.com:465?from=pay@example.com', true],
  ['smtp://localhost', true],
  ['smtp://', false],
  ['https://mail.example.com', false],
  ['smtp://mail.example.com?from=nobody', false],
])('%s is the URL of a mail server: %s', (text, isOne) => {
  expect(isSmtpUrl(text)).toBe(isOne)
})
