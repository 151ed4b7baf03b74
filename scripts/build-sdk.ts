/**
 * Compiles the client into `sdk/dist/`: JavaScript with types, since no runtime runs TypeScript of installed packages. Does
 * nothing if the sources have not changed. `npm run build` and `npm pack` call it.
 */
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { withFreshFolder } from './fresh-folder.ts'
import { replaceFolder } from './replace-folder.ts'

const root = join(import.meta.dirname, '..')
const sdk = join(root, 'sdk')
const config = join(sdk, 'tsconfig.build.json')
const compiler = join(root, 'node_modules/@typescript/native')
const stamp = 'built-from'

/** Where it is built. */
export const sdkDist = join(sdk, 'dist')

/** Builds it unless it is up to date. False if the compiler is not installed; only developers have it. */
export async function buildSdk(): Promise<boolean> {
  if (!existsSync(compiler)) return false
  const source = hashOfSource()
  const isBuilt = async () => (await readFile(join(sdkDist, stamp), 'utf8').catch(() => '')) === source
  if (await isBuilt()) return true
  await withFreshFolder(sdk, async (fresh) => {
    execFileSync(process.execPath, [join(compiler, 'bin/tsc'), '-p', config, '--outDir', fresh], {
      stdio: ['ignore', 'inherit', 'inherit'],
    })
    await nameBuiltFiles(fresh)
    await writeFile(join(fresh, stamp), source)
    // Another process may have built the same meanwhile, and be reading it.
    if (!(await isBuilt())) await replaceFolder(fresh, sdkDist, stamp)
  })
  return true
}

/** The compiler rewrites the names of sources in JavaScript, but leaves them in types. */
async function nameBuiltFiles(folder: string): Promise<void> {
  for (const name of await readdir(folder, { recursive: true })) {
    if (!name.endsWith('.d.ts')) continue
    const path = join(folder, name)
    const text = await readFile(path, 'utf8')
    // As long as before, so that the declaration maps stay right.
    await writeFile(path, text.replace(/(\bfrom |\bimport\()(['"])(\.[^'"]+)\.ts\2/g, '$1$2$3.js$2'))
  }
}

/** Of everything that the result depends on. */
function hashOfSource(): string {
  const sources = readdirSync(join(sdk, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .sort()
    .map((name) => join(sdk, 'src', name))
  const settings = [config, join(root, 'tsconfig.json'), join(compiler, 'package.json'), import.meta.filename]
  const hash = createHash('sha256')
  for (const path of [...sources, ...settings])
    hash.update(`${path.slice(root.length)}\0`).update(readFileSync(path))
  return hash.digest('hex')
}

if (import.meta.main && !(await buildSdk())) {
  console.error('The client cannot be built without the development tools. Run: npm ci --include=dev')
  process.exitCode = 1
}
