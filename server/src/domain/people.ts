import type { Actor } from './audit-log.ts'
import type { Environment } from './environment.ts'
import { ServiceError } from './errors.ts'
import type { Power, Role } from './roles.ts'

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
  /** Their enrolled second factors. */
  readonly secondFactors: readonly SecondFactor[]
  readonly provedAt: Date | null
  readonly provedBy: Proof | null
  readonly ip: string
  readonly userAgent: string
  /** Their role at the merchant that the request names; null where it names none. */
  readonly role: Role | null
}

/** What a dashboard operation requires: only being signed in (null), a power at a merchant, or being the operator. */
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

/**
 * Throws `step_up_required` unless the person has recently proved their identity. A person without a second factor uses
 * the password, which is not enough for the live environment.
 */
export function demandProof(person: Person, environment: Environment | null, now: Date): void {
  const { secondFactors } = person
  const enrolled = secondFactors.length > 0
  if (!enrolled && environment === 'live')
    throw new ServiceError(
      'step_up_required',
      'This action needs a second factor, and you have none yet. Set one up in your account first.',
      ['/: enrol'],
    )
  if (freshUntil(person, now) !== null) return
  throw new ServiceError(
    'step_up_required',
    enrolled ? 'Confirm this action with your second factor.' : 'Confirm this action with your password.',
    (enrolled ? secondFactors : ['password']).map((method) => `/: ${method}`),
  )
}
