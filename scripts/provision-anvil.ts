/**
 * Installs anvil, the tests' Ethereum node, where they look for it. It is not a dependency: operators do not need its
 * 43 MB, and npm leaves out packages for another processor, where it runs emulated. It must match the pinned digest, or
 * is refused.
 */
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { anvilFolder, anvilPackage, anvilProgram } from './anvil-program.ts'

if (!existsSync(anvilProgram)) {
  const { name, version, integrity } = anvilPackage
  console.log(`Fetching ${name} ${version}`)
  // Beside its destination, so that it is there complete or not at all.
  mkdirSync(join(anvilFolder, '..'), { recursive: true })
  const work = mkdtempSync(join(anvilFolder, '../fetching-'))
  try {
    const file = execFileSync('npm', ['pack', '--loglevel=error', `${name}@${version}`], {
      cwd: work,
      encoding: 'utf8',
    }).trim()
    const digest = createHash('sha512')
      .update(readFileSync(join(work, file)))
      .digest('base64')
    if (`sha512-${digest}` !== integrity)
      throw new Error(
        `${name} ${version} does not match scripts/anvil-program.ts: its digest is sha512-${digest}. Try again from another registry.`,
      )
    execFileSync('tar', ['-xzf', file], { cwd: work })
    try {
      renameSync(join(work, 'package'), anvilFolder)
    } catch (error) {
      // Another process was faster.
      if (!existsSync(anvilProgram)) throw error
    }
  } finally {
    rmSync(work, { recursive: true, force: true })
  }
}
