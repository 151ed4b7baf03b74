import { commonPasswords } from './common-passwords.ts'

const shortestPassword = 12
const longestPassword = 1000

/** Why this cannot be somebody's password, or null. Length and rarity are asked for, not kinds of characters (NIST SP 800-63B). */
export function passwordProblem(password: string, email: string): string | null {
  // By characters as people count them.
  const { length } = [...password.normalize('NFC')]
  if (length < shortestPassword) return `must have at least ${shortestPassword} characters`
  if (length > longestPassword) return `must have at most ${longestPassword} characters`
  const plain = password.toLowerCase()
  const [name = ''] = email.toLowerCase().split('@')
  if (plain === email.toLowerCase() || plain === name) return 'must not be the e-mail address'
  if (isCommon(plain)) return 'is one of the passwords that are tried first: choose another'
  return null
}

// One that is written twice, or has digits behind it, is tried as early.
function isCommon(plain: string): boolean {
  const bare = plain.replace(/\d+$/, '')
  const half = plain.slice(0, plain.length / 2)
  return (
    commonPasswords.has(plain) ||
    commonPasswords.has(bare) ||
    (half + half === plain && commonPasswords.has(half))
  )
}
