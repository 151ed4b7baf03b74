import { createHash } from 'node:crypto'
import { existsSync, lstatSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { join, relative } from 'node:path'

const root = join(import.meta.dirname, '..')

/** The shop engines that we have a package for. */
export const shopEngines = ['medusa', 'vendure'] as const
export type ShopEngine = (typeof shopEngines)[number]

/** The engine's package and lock file: what the package is built against and tested in. */
export function enginePackage(engine: ShopEngine): string {
  return join(root, 'shops', engine, 'test/engine')
}

/** Where an engine is installed; another lock file, another folder. Not below `shops/`: `tmp/` outlives a fresh clone. */
export function engineFolder(engine: ShopEngine): string {
  const lock = readFileSync(join(enginePackage(engine), 'package-lock.json'))
  const version = createHash('sha256').update(lock).digest('hex').slice(0, 12)
  return join(root, 'tmp/shops', `${engine}-${version}-${process.arch}`)
}

export function isInstalled(engine: ShopEngine): boolean {
  return existsSync(join(engineFolder(engine), 'node_modules'))
}

/** Lets the sources find their engine, as if it were installed beside them. */
export function linkEngine(engine: ShopEngine): void {
  if (!isInstalled(engine)) throw new Error(`${engine} is not installed. Run: npm run provision:shops`)
  const link = join(root, 'shops', engine, 'node_modules')
  if (lstatSync(link, { throwIfNoEntry: false })?.isSymbolicLink()) rmSync(link)
  symlinkSync(relative(join(link, '..'), join(engineFolder(engine), 'node_modules')), link)
}
