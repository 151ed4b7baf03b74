import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

// Plain JavaScript: the command loads this before it knows which Node it runs on.
const root = fileURLToPath(new URL('../../', import.meta.url))

/** Where the bundle is: a few files that load many times faster than the sources. */
export const built = fileURLToPath(new URL('../dist/', import.meta.url))
/** The file there that says which sources it was built from. */
export const stamp = 'built-from'

/** A hash of everything that decides the build: the sources, the build script, and the versions of the dependencies. */
export function hashOfSource() {
  const hash = createHash('sha256')
  const sources = readdirSync(`${root}server/src`, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => `${entry.parentPath}/${entry.name}`)
  const others = [
    'server/package.json',
    'web/ui/src/qr-coder.ts',
    'scripts/build-server.ts',
    'package-lock.json',
  ]
  for (const path of [...sources.sort(), ...others.map((name) => `${root}${name}`)])
    hash.update(`${path.slice(root.length)}\0`).update(readFileSync(path))
  return hash.digest('hex')
}

/** Whether the bundle was built from exactly these sources. */
export function isBuilt() {
  try {
    return readFileSync(`${built}${stamp}`, 'utf8') === hashOfSource()
  } catch {
    // Nothing was built, or only the files that run the service were copied here.
    return false
  }
}
