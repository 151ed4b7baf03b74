/**
 * Builds the packages for shops, `@sluice/medusa` and `@sluice/vendure`: CommonJS, as both engines load their plugins, with
 * types. What they share is bundled into each; the client for TypeScript and the engine stay imports.
 */
import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { build } from 'esbuild'
import { withFreshFolder } from './fresh-folder.ts'
import { linkEngine, type ShopEngine } from './shop-engines.ts'

const root = join(import.meta.dirname, '..')

type Package = {
  readonly name: ShopEngine
  /** The folder that is published, with what is built. */
  readonly output: string
  /** Where each source ends up in it. */
  readonly entries: Readonly<Record<string, string>>
}

const packages: readonly Package[] = [
  {
    name: 'medusa',
    output: '.medusa',
    // Medusa finds routes and subscribers by their folders.
    entries: {
      'module.ts': 'server/src/providers/sluice/index.js',
      'refund-address.ts': 'server/src/api/admin/sluice/payments/[id]/refund-address/route.js',
      'refund-subscriber.ts': 'server/src/subscribers/sluice-refunds.js',
      'command.ts': 'bin/command.js',
    },
  },
  { name: 'vendure', output: 'dist', entries: { 'main.ts': 'main.js', 'command.ts': 'command.js' } },
]

/** Builds one. Its engine must be installed: the types are made of the engine's. */
export async function buildShop(engine: ShopEngine): Promise<void> {
  const found = packages.find(({ name }) => name === engine)
  if (found === undefined) throw new Error(`There is no package for ${engine}.`)
  linkEngine(engine)
  const folder = join(root, 'shops', engine)
  await withFreshFolder(folder, async (fresh) => {
    for (const [source, target] of Object.entries(found.entries)) {
      const outfile = join(fresh, target)
      await mkdir(dirname(outfile), { recursive: true })
      await build({
        entryPoints: [join(folder, 'src', source)],
        outfile,
        bundle: true,
        platform: 'node',
        target: 'node20',
        format: 'cjs',
        packages: 'external',
        tsconfig: join(folder, 'tsconfig.json'),
        logLevel: 'warning',
      })
    }
    // The sources are modules; what is built is not.
    await writeFile(join(fresh, 'package.json'), '{ "type": "commonjs" }\n')
    await declareTypes(folder, join(fresh, 'types'))
    const output = join(folder, found.output)
    await rm(output, { recursive: true, force: true })
    await rename(fresh, output)
  })
}

async function declareTypes(folder: string, into: string): Promise<void> {
  const compiler = join(root, 'node_modules/@typescript/native/bin/tsc')
  const options = ['--noEmit', 'false', '--declaration', '--emitDeclarationOnly', '--rootDir', '..']
  execFileSync(process.execPath, [compiler, '-p', '.', ...options, '--outDir', into], {
    cwd: folder,
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  for (const name of await readdir(into, { recursive: true })) {
    if (!name.endsWith('.d.ts')) continue
    const path = join(into, name)
    // The compiler leaves the names of sources in types.
    const text = await readFile(path, 'utf8')
    await writeFile(path, text.replace(/(\bfrom |\bimport\()(['"])(\.[^'"]+)\.ts\2/g, '$1$2$3.js$2'))
  }
}

if (import.meta.main) {
  if (!existsSync(join(root, 'node_modules/@typescript/native')))
    throw new Error(
      'The packages for shops cannot be built without the development tools: npm ci --include=dev',
    )
  for (const { name } of packages) await buildShop(name)
}
