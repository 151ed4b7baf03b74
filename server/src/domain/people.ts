import type { Actor } from './audit-log.ts'
import type { Environment } from './environment.ts'
import { ServiceError } from './errors.ts'
import type { Power, Role } from './roles.ts'

/** How a person can show that it is really them. */
const proofs = ['password', 'totp', 'recovery_code', 'passkey'] as const
export type Proof = (typeof proofs)[number]
export type SecondFactor = Exclude<Proof, 'password'>

/** For how long a proof is fresh enough for what is dangerous. */
export const proofFreshMs = 5 * 60_000

/** Somebody who is signed in, as the request that is being answered knows them. */
export type Person = {
  readonly userId: string
  readonly sessionId: string
  readonly email: string
  readonly name: string
  readonly isOperator: boolean
  /** Two letters; null where the browser decides. */
  readonly language: string | null
  /** Second factors that they have; empty for who has enrolled none. */
  readonly secondFactors: readonly SecondFactor[]
  readonly provedAt: Date | null
  readonly provedBy: Proof | null
  readonly ip: string
  readonly userAgent: string
  /** At the merchant that the request names; null where it names none. */
  readonly role: Role | null
}

/** What an operation of the dashboard asks for: nothing but being signed in, a power at a merchant, or to run the service. */
export type Demand = Power | 'operator' | null

/** The actor's name in books and logs. */
export function actorOf({ userId }: Pick<Person, 'userId'>): string {
  return `user:${userId}`
}

/** Who did something, for the audit log. */
export function actorIn(person: Pick<Person, 'userId' | 'name' | 'ip' | 'userAgent'>): Actor {
  return { actor: actorOf(person), name: person.name, ip: person.ip, userAgent: person.userAgent }
}

/** Until when what they have shown counts; null when they have to show something now. A password is no second factor. */
export function freshUntil({ provedAt, provedBy, secondFactors }: Person, now: Date): Date | null {
  if (provedAt === null || (provedBy === 'password' && secondFactors.length > 0)) return null
  const until = new Date(provedAt.getTime() + proofFreshMs)
  return until > now ? until : null
}

/**
 * Throws `step_up_required` unless the person has lately shown more than the cookie. Who has no second factor shows the
 * password, which is not enough for the live environment.
 */
export function demandProof(person: Person, environment: Environment | null, now: Date): void {
  const { secondFactors } = person
  const enrolled = secondFactors.length > 0
  if (!enrolled && environment === 'live')
    throw new ServiceError(
      'step_up_required',
      'This needs a second factor, and you have none yet. Set one up in your account first.',
      ['/: enrol'],
    )
  if (freshUntil(person, now) !== null) return
  throw new ServiceError(
    'step_up_required',
    enrolled ? 'Show your second factor once more to do this.' : 'Give your password once more to do this.',
    (enrolled ? secondFactors : ['password']).map((method) => `/: ${method}`),
  )
}
