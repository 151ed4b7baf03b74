import type { Actor } from '../../domain/audit-log.ts'
import { ServiceError } from '../../domain/errors.ts'
import { uuidv7 } from '../../domain/ids.ts'
import type { Role } from '../../domain/roles.ts'
import type { App } from '../app.ts'
import { noteAct } from '../audit/note-act.ts'
import { hashPassword } from './passwords.ts'

export type UserRequest = {
  readonly email: string
  readonly name: string
  readonly password: string
  readonly merchantId: string | null
  readonly role: Role | null
  readonly isOperator: boolean
  /** Whether the password is printed, and so must be replaced at the first sign-in. */
  readonly mustChangePassword?: boolean
}

/** Creates a user with a password: a member of a merchant in a role, an operator, or both. */
export async function createUser(
  app: App,
  by: Actor,
  request: UserRequest,
): Promise<{ readonly userId: string }> {
  const { email, name, merchantId, role, isOperator, mustChangePassword = false } = request
  const passwordHash = await hashPassword(request.password, app.random)
  const userId = uuidv7(app.now())
  await app.transaction(async (tx) => {
    if (merchantId !== null && (await tx.merchants.find(merchantId)) === null)
      throw new ServiceError('not_found', `There is no merchant ${merchantId}. See: npx sluice merchant list`)
    if (!(await tx.users.insert({ id: userId, email, name, passwordHash, isOperator, mustChangePassword })))
      throw new ServiceError('conflict', `A user with the e-mail address ${email} already exists.`)
    if (merchantId !== null && role !== null) await tx.users.setRole(userId, merchantId, role)
    await noteAct(tx, by, merchantId, {
      environment: null,
      action: 'user.created',
      subject: userId,
      details: { email, name, role, operator: isOperator },
    })
  })
  return { userId }
}
