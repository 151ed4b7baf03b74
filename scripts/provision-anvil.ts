/**
 * Puts anvil, the Ethereum node of the tests, where they look for it. npm installs it on x64; elsewhere it runs emulated, and
 * npm leaves out what is of another processor. So it is fetched here, and is what the lock file says or is refused.
 */
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..')
const name = '@foundry-rs/anvil-linux-amd64'
const place = join(root, 'node_modules', name)

if (!existsSync(join(place, 'bin/anvil'))) {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, { version: string; integrity: string }>
  }
  const locked = packages[`node_modules/${name}`]
  if (locked === undefined) throw new Error(`The lock file does not name ${name}. Run "npm run lock".`)
  console.log(`Fetching ${name} ${locked.version}`)
  // Beside its place, so that it is there whole or not at all.
  mkdirSync(join(place, '..'), { recursive: true })
  const work = mkdtempSync(join(place, '../.anvil-'))
  try {
    const file = execFileSync('npm', ['pack', '--silent', `${name}@${locked.version}`], {
      cwd: work,
      encoding: 'utf8',
    }).trim()
    const digest = createHash('sha512')
      .update(readFileSync(join(work, file)))
      .digest('base64')
    if (`sha512-${digest}` !== locked.integrity)
      throw new Error(`${name} is not what the lock file says: its digest is sha512-${digest}.`)
    execFileSync('tar', ['-xzf', file], { cwd: work })
    rmSync(place, { recursive: true, force: true })
    renameSync(join(work, 'package'), place)
  } finally {
    rmSync(work, { recursive: true, force: true })
  }
}
