import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

// Plain JavaScript: the command reads this before it knows which Node it runs on.
const root = fileURLToPath(new URL('../../', import.meta.url))

/** Where the program lies in few files, which load many times faster than its sources. */
export const built = fileURLToPath(new URL('../dist/', import.meta.url))
/** The file in it that says what it was built from. */
export const stamp = 'built-from'

/** Of everything that decides what is built: the sources, the script that builds, and the versions of what is used. */
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

/** Whether what was built is exactly what the sources say. */
export function isBuilt() {
  try {
    return readFileSync(`${built}${stamp}`, 'utf8') === hashOfSource()
  } catch {
    // Nothing was built, or only what runs the service was copied here.
    return false
  }
}
