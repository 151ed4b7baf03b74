import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import {
  type PostgresPrograms,
  packagedPrograms,
  type UsablePrograms,
  usablePrograms,
} from '../postgres/programs.ts'
import type { DatabaseUser } from '../postgres/run-as.ts'
import { BackupError } from './error.ts'

/** Where distributions put the programs of a major version. */
const places = (major: number) => [`/usr/lib/postgresql/${major}/bin`, `/usr/pgsql-${major}/bin`]

/** The programs of the major version that a backup needs: Sluice's own, or the machine's. */
export async function programsFor(
  major: number,
  user: DatabaseUser,
  copyFolder: () => Promise<string>,
): Promise<{ readonly given: PostgresPrograms; readonly usable: UsablePrograms }> {
  const packaged = await packagedPrograms().catch(() => null)
  if (packaged !== null) {
    const usable = await usablePrograms(packaged, user, copyFolder, () => {})
    if (usable.majorVersion === major) return { given: packaged, usable }
  }
  for (const bin of places(major)) {
    const isThere = await stat(join(bin, 'postgres')).then(
      () => true,
      () => false,
    )
    if (isThere) return { given: { bin }, usable: await usablePrograms({ bin }, user, copyFolder, () => {}) }
  }
  throw new BackupError(
    `The backup is of PostgreSQL ${major}, whose programs are not on this machine. Install them (Debian: apt install postgresql-${major}).`,
  )
}
