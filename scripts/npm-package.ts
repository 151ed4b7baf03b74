import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** A package of a registry that is not a dependency, and the digest of its archive. */
export type NpmPackage = { readonly name: string; readonly version: string; readonly integrity: string }

/** Fetches a package and unpacks it into a folder of `work`, which it returns. Throws if it does not match its digest. */
export function unpackPackage({ name, version, integrity }: NpmPackage, work: string): string {
  const folder = join(work, name.replaceAll('/', '-'))
  mkdirSync(folder)
  const file = execFileSync('npm', ['pack', '--loglevel=error', `${name}@${version}`], {
    cwd: folder,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  }).trim()
  const digest = createHash('sha512')
    .update(readFileSync(join(folder, file)))
    .digest('base64')
  if (`sha512-${digest}` !== integrity)
    throw new Error(
      `${name} ${version} does not match its pinned digest: it is sha512-${digest}. Try again from another registry.`,
    )
  execFileSync('tar', ['-xzf', file], { cwd: folder })
  return join(folder, 'package')
}
