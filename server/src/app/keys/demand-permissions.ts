import { ServiceError } from '../../domain/errors.ts'
import type { Permission } from '../../domain/permissions.ts'

/** Throws unless a person has every permission that a key would get: otherwise a key would be a way around the role. */
export function demandPermissions(own: ReadonlySet<Permission>, wanted: readonly Permission[]): void {
  const more = wanted.filter((permission) => !own.has(permission))
  if (more.length > 0)
    throw new ServiceError(
      'forbidden',
      `Your role lacks ${more.join(', ')}, so you cannot create a key with it. Ask an owner or administrator.`,
    )
}
