import type { Log } from '../log.ts'
import type { Purpose } from '../postgres/ownership.ts'
import { grantPrivileges } from '../store/grant-privileges.ts'
import { migrate } from '../store/migrate.ts'
import { roleOf } from '../store/role.ts'
import { takeOwnership } from '../store/take-ownership.ts'

/**
 * Brings the database to the schema of this version. With the owner's URL, the role of `url` gets exactly the rights that
 * the service needs. Without it the role of `url` migrates, unless another host does.
 */
export async function prepareDatabase(
  { url, ownerUrl }: { readonly url: string; readonly ownerUrl: string | null },
  purpose: Purpose,
  log: Log,
): Promise<void> {
  const { name: role } = await roleOf(url)
  if (ownerUrl !== null) await takeOwnership(ownerUrl, role)
  const { applied, newer } = await migrate(ownerUrl ?? url)
  if (applied.length > 0)
    log.info({ migrations: applied.length, newest: applied.at(-1) }, 'database migrated')
  if (newer.length > 0)
    log.warn(
      { newest: newer.at(-1) },
      'a newer version of Sluice has migrated this database. This one still works with it: finish the upgrade soon',
    )
  // The newer version has granted what it needs, which this one does not know.
  if (ownerUrl !== null && newer.length === 0) await grantPrivileges(ownerUrl, role)
  else if (ownerUrl === null && purpose === 'service' && (await roleOf(url)).isOwner)
    log.warn(
      { role },
      'one database role does everything: a stolen DATABASE_URL can rewrite the books. Set DATABASE_MIGRATION_URL to a second ' +
        'role that owns the tables (docs/operating/running.md)',
    )
}
