/**
 * Lays out what an image or an archive of Sluice holds: the bundle, the built pages, the migrations, and nothing that was
 * needed to make them. The service's tree runs every role. The signer's runs the signer and the commands for its wallet; it
 * has no pages, no HTTP server for callers, no mail and no HTTP client.
 */
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { built } from '../../server/bin/built.mjs'
import { buildServer, bundle, programs } from '../build-server.ts'
import { buildPages } from '../build-web.ts'

export const root = join(import.meta.dirname, '../..')

/** What a release brings: the programs of one role or of all. */
export type Kind = 'sluice' | 'signer'

const shared = ['LICENSE', 'server/bin', 'server/src/store/migrations']
const pages = ['web/home', 'web/checkout/dist', 'web/dashboard/dist', 'web/guides/dist']
/** The one package that is read while the service runs: its file holds the script of the API's reference. */
export const reference = 'node_modules/@scalar/fastify-api-reference'
const referenceFiles = ['package.json', 'LICENSE', 'dist/index.js'].map((name) => `${reference}/${name}`)

/** Types, and notes of the build about itself. */
const leftBehind = /\.d\.mts$|(^|\/)(built-from|built-from-look)$/

const notInSigner = {
  modules: [
    'wire/api.ts',
    'wire/worker.ts',
    'gates/connection-pool.ts',
    'wire/doctor/check-set-up.ts',
    'wire/backup-tools.ts',
    'wire/webhook-sender.ts',
    'cli/developer/client.ts',
  ],
  message:
    'This installation holds the signer alone: it runs `sluice start --role signer` and the commands for its wallet, and talks to no ' +
    'node. Run everything else from the image or the archive of the service.',
}

/** Builds what is out of date and lays out the tree of one kind in an empty folder. Throws if the tools are missing. */
export async function layTree(kind: Kind, folder: string): Promise<void> {
  const needsPages = kind === 'sluice'
  if ((needsPages && !(await buildPages())) || !(await buildServer())) throw new Error('Run `npm ci` first.')
  for (const path of kind === 'sluice' ? [...shared, ...pages, ...referenceFiles] : shared)
    copyTo(folder, path)
  if (kind === 'sluice') copyTo(folder, 'server/dist')
  else await bundle(programs, join(folder, 'server/dist'), built, notInSigner)
  const { version, license } = ofPackage('package.json')
  const manifest = { name: `sluice-${kind}`, version, private: true, license, type: 'module' }
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`)
}

/** A package.json of the project. */
export function ofPackage(path: string): Record<string, unknown> & { version: string; license: string } {
  return JSON.parse(readFileSync(join(root, path), 'utf8'))
}

/** Copies a file or folder of the project to the same path below `folder`. */
export function copyTo(folder: string, path: string): void {
  copyParts(root, [path], folder)
}

/** Copies files and folders from one place to the same paths in another. */
export function copyParts(place: string, paths: readonly string[], folder: string): void {
  for (const path of paths) {
    const from = join(place, path)
    if (!existsSync(from)) throw new Error(`${path} is missing.`)
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    cpSync(from, join(folder, path), { recursive: true, filter: (each) => !leftBehind.test(each) })
  }
}

/** The files below a folder, by their paths there, sorted. */
export function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => statSync(join(folder, name)).isFile())
    .sort()
}
