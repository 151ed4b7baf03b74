import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

// Plain JavaScript: the command loads this before it knows which Node it runs on.
const root = fileURLToPath(new URL('../../', import.meta.url))

/** Where the bundle is: a few files that load many times faster than the sources. */
export const built = fileURLToPath(new URL('../dist/', import.meta.url))
/** The file there that says which sources it was built from. */
export const stamp = 'built-from'
/** The file there that says how those sources looked to the file system, which is faster to compare. */
export const lookStamp = 'built-from-look'

/** The files that decide the build: the sources, the build script, and the versions of the dependencies. */
function filesOfSource() {
  const sources = ['server/src', 'sdk/src']
    .flatMap((folder) => readdirSync(`${root}${folder}`, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map((entry) => `${entry.parentPath}/${entry.name}`)
  const others = [
    'server/package.json',
    'web/ui/src/qr-coder.ts',
    'scripts/build-server.ts',
    'package-lock.json',
  ]
  return [...sources.sort(), ...others.map((name) => `${root}${name}`)]
}

/** A hash of their contents. */
export function hashOfSource() {
  const hash = createHash('sha256')
  for (const path of filesOfSource()) hash.update(`${path.slice(root.length)}\0`).update(readFileSync(path))
  return hash.digest('hex')
}

// The time of change of a file is not precise: two changes in a row may have the same.
const settledMs = 1_000

/**
 * A hash of their identities, sizes and times of change. No program can set the time of change, so files with the same look
 * have the same contents; a copy of them looks different. Null while one has just changed.
 */
export function lookOfSource() {
  const hash = createHash('sha256')
  const settledAt = Date.now() - settledMs
  for (const path of filesOfSource()) {
    const { dev, ino, size, ctimeMs, ctimeNs } = statSync(path, { bigint: true })
    if (ctimeMs > settledAt) return null
    hash.update(`${path.slice(root.length)}\0${dev} ${ino} ${size} ${ctimeNs}\0`)
  }
  return hash.digest('hex')
}

/** Whether the bundle was built from exactly these sources. A release has no sources. */
export function isBuilt() {
  try {
    if (!existsSync(`${root}server/src/wire`)) return existsSync(`${built}sluice.js`)
    const look = readStamp(lookStamp)
    return (look !== null && look === lookOfSource()) || readStamp(stamp) === hashOfSource()
  } catch {
    // Nothing was built, or only the files that run the service were copied here.
    return false
  }
}

function readStamp(name) {
  try {
    return readFileSync(`${built}${name}`, 'utf8')
  } catch {
    return null
  }
}
