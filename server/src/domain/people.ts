import type { Actor } from './audit-log.ts'
import { ServiceError } from './errors.ts'
import { guardedRoles, type Power, type Role } from './roles.ts'

/** How a person can prove their identity. */
const proofs = ['password', 'totp', 'recovery_code', 'passkey'] as const
export type Proof = (typeof proofs)[number]
export type SecondFactor = Exclude<Proof, 'password'>

/** How long a proof is fresh enough for sensitive operations. */
export const proofFreshMs = 5 * 60_000

/** The signed-in person behind a request. */
export type Person = {
  readonly userId: string
  readonly sessionId: string
  readonly email: string
  readonly name: string
  readonly isOperator: boolean
  /** A two-letter code; null where the browser decides. */
  readonly language: string | null
  /** Whether others may know their password: until they have replaced it, they can do nothing else. */
  readonly mustChangePassword: boolean
  /** Their enrolled second factors. */
  readonly secondFactors: readonly SecondFactor[]
  readonly provedAt: Date | null
  readonly provedBy: Proof | null
  readonly ip: string
  readonly userAgent: string
  /** Their role at the merchant that the request names; null where it names none. */
  readonly role: Role | null
}

/**
 * What a dashboard operation requires: only being signed in, and a member of the merchant that it names (null), a power there, or
 * being the operator.
 */
export type Demand = Power | 'operator' | null

/** How a person is named in the books and logs. */
export function actorOf({ userId }: Pick<Person, 'userId'>): string {
  return `user:${userId}`
}

/** The person as an actor in the audit log. */
export function actorIn(person: Pick<Person, 'userId' | 'name' | 'ip' | 'userAgent'>): Actor {
  return { actor: actorOf(person), name: person.name, ip: person.ip, userAgent: person.userAgent }
}

/**
 * Until when their last proof is fresh; null when they have to prove their identity now. For a person with second
 * factors, a password does not count.
 */
export function freshUntil({ provedAt, provedBy, secondFactors }: Person, now: Date): Date | null {
  if (provedAt === null || (provedBy === 'password' && secondFactors.length > 0)) return null
  const until = new Date(provedAt.getTime() + proofFreshMs)
  return until > now ? until : null
}

/** Throws `password_change_required` if the person has to replace their password first. */
export function demandOwnPassword({ mustChangePassword }: Pick<Person, 'mustChangePassword'>): void {
  if (mustChangePassword)
    throw new ServiceError(
      'password_change_required',
      'Your password was printed, so others may know it. Set a new one first: open /dashboard and sign in.',
    )
}

/**
 * Throws `second_factor_required` if the person could move money, trust or people in the live environment and has no second
 * factor. Recovery codes only stand in for one.
 */
export function demandSecondFactor({ isOperator, role, secondFactors }: Person): void {
  if (!isOperator && (role === null || !guardedRoles.has(role))) return
  if (secondFactors.some((factor) => factor !== 'recovery_code')) return
  throw new ServiceError(
    'second_factor_required',
    'The live environment needs a second factor, and you have none yet. Add a passkey or an authenticator app to your account, then try again.',
  )
}

/**
 * Throws `step_up_required` unless the person has recently proved their identity. A person without a second factor uses
 * the password.
 */
export function demandProof(person: Person, now: Date): void {
  const { secondFactors } = person
  if (freshUntil(person, now) !== null) return
  const enrolled = secondFactors.length > 0
  throw new ServiceError(
    'step_up_required',
    enrolled ? 'Confirm this action with your second factor.' : 'Confirm this action with your password.',
    (enrolled ? secondFactors : ['password']).map((method) => `/: ${method}`),
  )
}
