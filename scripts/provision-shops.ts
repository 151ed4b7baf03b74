/**
 * Installs Medusa and Vendure where the packages for shops are built and tested. They are no dependencies: only these tests need
 * their 570 MB. Each comes from a lock file of its own, and no install script runs: both engines and the native parts of
 * their packages work without.
 */
import { spawnSync } from 'node:child_process'
import { copyFileSync, mkdirSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { withFreshFolder } from './fresh-folder.ts'
import { engineFolder, enginePackage, isInstalled, linkEngine, shopEngines } from './shop-engines.ts'

for (const engine of shopEngines) {
  if (!isInstalled(engine)) {
    console.log(`Installing ${engine}`)
    const folder = engineFolder(engine)
    mkdirSync(join(folder, '..'), { recursive: true })
    await withFreshFolder(join(folder, '..'), async (fresh) => {
      for (const name of ['package.json', 'package-lock.json'])
        copyFileSync(join(enginePackage(engine), name), join(fresh, name))
      const args = ['ci', '--ignore-scripts', '--include=prod', '--no-audit', '--no-fund', '--loglevel=error']
      const { status, error } = spawnSync('npm', args, { cwd: fresh, stdio: 'inherit' })
      if (error !== undefined || status !== 0) throw new Error(`npm could not install ${engine}.`)
      renameSync(fresh, folder)
    })
  }
  linkEngine(engine)
}
