/**
 * Installs the runtimes that the client is tested on, where the tests look for them: older Node versions, Deno and Bun. They
 * are no dependencies, since only the tests need their 400 MB. Each must match its pinned digest, or is refused. Of each package only
 * the program is kept, and no script of it runs.
 */
import { chmodSync, existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { unpackPackage } from './npm-package.ts'
import { runtimes } from './runtime-programs.ts'

for (const { name, package: source, inPackage, program } of runtimes) {
  if (source === null || existsSync(program)) continue
  console.log(`Fetching ${name}: ${source.name} ${source.version}`)
  // Beside its destination, so that it is there complete or not at all.
  mkdirSync(dirname(program), { recursive: true })
  const work = mkdtempSync(join(dirname(program), 'fetching-'))
  try {
    const unpacked = join(unpackPackage(source, work), inPackage)
    chmodSync(unpacked, 0o755)
    renameSync(unpacked, program)
  } finally {
    rmSync(work, { recursive: true, force: true })
  }
}
