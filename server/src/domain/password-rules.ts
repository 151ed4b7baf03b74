import { commonPasswords } from './common-passwords.ts'

const shortestPassword = 12
const longestPassword = 1000

/** Why a user cannot have this password, or null. The rules are length and rarity, not character classes (NIST SP 800-63B). */
export function passwordProblem(password: string, email: string): string | null {
  // Counts code points of the NFC form, close to what people count as characters.
  const { length } = [...password.normalize('NFC')]
  if (length < shortestPassword) return `must have at least ${shortestPassword} characters`
  if (length > longestPassword) return `must have at most ${longestPassword} characters`
  const plain = password.toLowerCase()
  const [name = ''] = email.toLowerCase().split('@')
  if (plain === email.toLowerCase() || plain === name) return 'must not be the email address'
  if (isCommon(plain)) return 'is a common password that attackers try first: choose another'
  return null
}

// Attackers also try common passwords that are doubled or have digits appended.
function isCommon(plain: string): boolean {
  const bare = plain.replace(/\d+$/, '')
  const half = plain.slice(0, plain.length / 2)
  return (
    commonPasswords.has(plain) ||
    commonPasswords.has(bare) ||
    (half + half === plain && commonPasswords.has(half))
  )
}
