/**
 * Installs anvil, the tests' Ethereum node, where they look for it. It is not a dependency: operators do not need its
 * 43 MB, and npm leaves out packages for another processor, where it runs emulated. It must match the pinned digest, or
 * is refused.
 */
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { anvilFolder, anvilPackage, anvilProgram } from './anvil-program.ts'
import { unpackPackage } from './npm-package.ts'

if (!existsSync(anvilProgram)) {
  console.log(`Fetching ${anvilPackage.name} ${anvilPackage.version}`)
  // Beside its destination, so that it is there complete or not at all.
  mkdirSync(join(anvilFolder, '..'), { recursive: true })
  const work = mkdtempSync(join(anvilFolder, '../fetching-'))
  try {
    const unpacked = unpackPackage(anvilPackage, work)
    try {
      renameSync(unpacked, anvilFolder)
    } catch (error) {
      // Another process was faster.
      if (!existsSync(anvilProgram)) throw error
    }
  } finally {
    rmSync(work, { recursive: true, force: true })
  }
}
